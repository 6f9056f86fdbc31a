import { expandHosts } from './hostList.js';
import {
  archTraits,
  customName,
  invalid,
  MAX_AMOUNT,
  shown,
  wholeNumber,
  type ParsedFleet,
  type SourceInventory,
  type SourceNode,
  type SourceText,
} from './source.js';

/** A record of `scontrol show nodes`, or a line of slurm.conf, gres.conf or topology.conf. */
interface Entry {
  readonly file: string;
  readonly line: number;
  /** The values by key in lower case. */
  readonly fields: Readonly<Record<string, string>>;
}

interface Gres {
  readonly name: string;
  readonly type: string;
  /** 0 if jobs consume nothing of it. */
  count: number;
}

/**
 * Reads `scontrol show nodes`, `slurmd -C`, slurm.conf, gres.conf and topology.conf, in any order. A file may have
 * lines of each.
 */
export function parseSlurm(texts: readonly SourceText[]): ParsedFleet {
  const entries = texts.flatMap(entriesOf);
  const nodes = new Map<string, { readonly root: SourceNode; readonly gres: readonly Gres[] }>();
  let defaults: Entry['fields'] = {};
  for (const entry of entries) {
    const { nodename, name } = entry.fields;
    if (nodename === undefined || name !== undefined) continue;
    const fields = { ...defaults, ...entry.fields };
    if (nodename.toUpperCase() === 'DEFAULT') {
      defaults = fields;
      continue;
    }
    if (/\b(FUTURE|CLOUD)\b/i.test(fields.state ?? '')) continue;
    for (const host of hostsOf(entry, nodename)) {
      if (nodes.has(host)) throw invalid(entry.file, entry.line, `the node ${host} is there twice`);
      nodes.set(host, nodeOf(host, { ...entry, fields }));
    }
  }
  addGresFiles(nodes, entries);
  const notes: string[] = [];
  for (const { root, gres } of nodes.values()) {
    const children = gres.flatMap((each) => gresNodes(root.name, each, notes));
    if (children.length > 0) root.children = children;
  }
  addSwitches(nodes, entries);
  return { trees: Array.from(nodes.values(), ({ root }) => ({ root })), notes };
}

/** The beginning of an entry, which may be indented in a configuration file. */
const START = /^\s*(NodeName|Name|SwitchName|BlockName|PartitionName|DownNodes|NodeSet)\s*=/i;

/** What only lines of `scontrol show nodes` have. It precedes the values that may have `#`. */
const PRINTED = /^[^#]*\sCPUTot=/i;

/**
 * Splits a file into entries: an indented line continues the node before it, as does a line after a backslash. Only
 * configuration files have comments after a value: `#` is part of the values of OS and Reason that scontrol prints.
 */
function entriesOf({ name: file, text }: SourceText): Entry[] {
  const entries: { readonly line: number; text: string; isPrinted: boolean }[] = [];
  let isContinued = false;
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const last = entries.at(-1);
    const isDetail = /^\s/.test(raw) && !START.test(raw) && /^NodeName\s*=/i.test(last?.text ?? '');
    const isPrinted = PRINTED.test(raw) || (isDetail && last!.isPrinted);
    const line = raw.replace(isPrinted ? /^\s*#.*$/ : /(?<!\\)#.*$/, '').trimEnd();
    if (line === '') {
      isContinued = false;
      continue;
    }
    const content = line.replace(/\\$/, '').trim();
    if (last !== undefined && (isContinued || isDetail)) {
      last.text += ` ${content}`;
      last.isPrinted ||= isPrinted;
    } else entries.push({ line: at + 1, text: content, isPrinted });
    isContinued = line.endsWith('\\');
  }
  const known = entries.filter(({ text: each }) => START.test(each));
  if (known.length === 0 && entries.length > 0) {
    const [{ line, text: first }] = entries;
    const isOther = /^\w+\s*=/.test(first) || /^Include\b/i.test(first);
    if (!isOther) throw invalid(file, line, `${shown(first)} is no line of Slurm`);
  }
  return known.map(({ line, text: each, isPrinted }) => ({ file, line, fields: fieldsOf(each, isPrinted) }));
}

const PRINTED_KEY = /(?:^|\s)([A-Za-z]\w*)=/g;

/** Texts that operators write, which may contain `Key=value`. scontrol prints them after all fields that are read here. */
const FREE_TEXT = /\s(?:Comment|Extra|Reason)=.*$/s;

const CONFIGURED_KEY = /"[^"]*"|(?:^|\s)([A-Za-z]\w*)\s*=/g;

/**
 * Reads `Key=value` pairs. A value may have spaces, as OS and Reason do. In a configuration file, blanks may be around
 * `=`, and a text in quotes has no keys.
 */
function fieldsOf(entry: string, isPrinted: boolean): Record<string, string> {
  const text = isPrinted ? entry.replace(FREE_TEXT, '') : entry;
  const found = text.matchAll(isPrinted ? PRINTED_KEY : CONFIGURED_KEY);
  const keys = [...found].filter(([, key]) => key !== undefined);
  return Object.fromEntries(
    keys.map((key, at) => {
      const value = text.slice(key.index + key[0].length, keys[at + 1]?.index ?? text.length);
      return [key[1].toLowerCase(), value.replaceAll('"', '').replaceAll(/,\s+/g, ',').trim()];
    }),
  );
}

function hostsOf({ file, line }: Entry, list: string): string[] {
  try {
    return expandHosts(list);
  } catch (error) {
    throw invalid(file, line, (error as Error).message);
  }
}

function nodeOf(name: string, entry: Entry): { root: SourceNode; gres: Gres[] } {
  const { fields, file, line } = entry;
  const number = (key: string, least = 0): number | undefined =>
    fields[key] === undefined
      ? undefined
      : wholeNumber(fields[key], file, line, `${key} of ${name}`, { least });
  const stated = number('cputot', 1) ?? number('cpus', 1) ?? number('procs', 1);
  const total = stated ?? processorsOf(name, number, entry);
  const memory = number('realmemory', 1) ?? 1;
  const disk = Math.floor((number('tmpdisk') ?? 0) / 1024);
  const cores = number('corespeccount');
  const reservedCpus = cores === undefined ? reservedOf(entry) : cores * (number('threadspercore') || 1);
  const features = (fields.availablefeatures ?? fields.features ?? fields.feature ?? '').split(/[,&|]/);
  const traits = features.filter((each) => each !== '' && each !== '(null)').map((each) => customName(each));
  traits.push(...archTraits(fields.arch));
  const inventories = {
    VCPU: withReserved(total, reservedCpus),
    MEMORY_MB: withReserved(memory, number('memspeclimit') ?? 0),
    ...(disk > 0 && { DISK_GB: { total: disk } }),
  };
  return {
    root: { name, inventories, traits: [...new Set(traits)], aggregates: [] },
    gres: gresOf(name, entry),
  };
}

/** Counts the processors of CpuSpecList, which Slurm keeps for the system. */
function reservedOf(entry: Entry): number {
  const { cpuspeclist: list = '' } = entry.fields;
  return list === '' || list === '(null)' ? 0 : new Set(hostsOf(entry, `[${list}]`)).size;
}

/** Multiplies the levels of a node line without CPUs. With CPUs it is not used: it is wrong for hybrid processors. */
function processorsOf(
  name: string,
  number: (key: string) => number | undefined,
  { file, line }: Entry,
): number {
  const sockets = number('sockets') ?? (number('boards') ?? 1) * (number('socketsperboard') ?? 1);
  const total = sockets * (number('corespersocket') ?? 1) * (number('threadspercore') ?? 1);
  if (total > 0) return total;
  throw invalid(file, line, `${name} has no CPUs, and the product of its sockets, cores and threads is 0`);
}

const withReserved = (total: number, reserved: number): SourceInventory => ({
  total,
  ...(reserved > 0 && { reserved }),
});

const UNITS = ' KMGTP';

/** Reads a count such as 4 or 2K, which is 2048. Returns undefined for another text. */
function countOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,15})([KMGTP])?$/i.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * 1024 ** UNITS.indexOf(unit.toUpperCase());
}

/** Reads `gpu:a100:4(S:0-1),shard:8`. The count is 1 if there is none, and 0 with `no_consume`. */
function gresOf(name: string, { fields, file, line }: Entry): Gres[] {
  const text = (fields.gres ?? '').replaceAll(/\([^)]*\)/g, '');
  const found: Gres[] = [];
  for (const part of text.split(',')) {
    if (part === '' || part === 'N/A') continue;
    const pieces = part.split(':');
    const words = pieces.filter((each) => each !== 'no_consume');
    const last = words.at(-1) ?? '';
    const count = words.length > 1 ? countOf(last) : undefined;
    if (count === undefined && /^\d/.test(last))
      throw invalid(file, line, `Gres of ${name} has the count ${shown(last)}`);
    const [gres = '', type = ''] = count === undefined ? words : words.slice(0, -1);
    if (!/^\w[\w.-]*$/.test(gres)) throw invalid(file, line, `Gres of ${name} has no name in ${shown(part)}`);
    addGres(found, { name: gres, type, count: words.length < pieces.length ? 0 : (count ?? 1) });
  }
  return found;
}

function addGres(all: Gres[], added: Gres): void {
  const same = all.find(({ name, type }) => name === added.name && type === added.type);
  if (same) same.count += added.count;
  else all.push({ ...added });
}

/** Adds the resources of gres.conf to nodes whose node line states none. Slurm takes the counts of node lines. */
function addGresFiles(
  nodes: Map<string, { readonly root: SourceNode; readonly gres: readonly Gres[] }>,
  entries: readonly Entry[],
): void {
  const added = new Map<string, Gres[]>();
  for (const entry of entries) {
    const { name, nodename, type = '', file: device, count: text } = entry.fields;
    if (name === undefined) continue;
    const files = device === undefined ? 1 : hostsOf(entry, device).length;
    const count = text === undefined ? files : countOf(text);
    if (count === undefined) throw invalid(entry.file, entry.line, `${name} has the Count ${shown(text)}`);
    for (const host of nodename === undefined ? nodes.keys() : hostsOf(entry, nodename)) {
      const node = nodes.get(host);
      if (node === undefined || node.gres.length > 0) continue;
      const all = added.get(host) ?? [];
      added.set(host, all);
      addGres(all, { name, type, count });
    }
  }
  for (const [host, gres] of added) nodes.set(host, { root: nodes.get(host)!.root, gres });
}

/** Returns the provider of a resource; [] if jobs consume nothing of it, or if its count is larger than a total can be. */
function gresNodes(host: string, { name, type, count }: Gres, notes: string[]): SourceNode[] {
  const node = [host, name, type].filter((each) => each !== '').join('-');
  if (count > MAX_AMOUNT) notes.push(`${node} is omitted: its count is ${count}, above ${MAX_AMOUNT}`);
  if (count === 0 || count > MAX_AMOUNT) return [];
  const inventories = { [name === 'gpu' ? 'PGPU' : customName('GRES', name)]: { total: count } };
  return [{ name: node, inventories, ...(type !== '' && { traits: [customName(name, type)] }) }];
}

/** Adds each node to an aggregate for each switch or block above it. */
function addSwitches(nodes: Map<string, { readonly root: SourceNode }>, entries: readonly Entry[]): void {
  const switches = new Map<string, Entry>();
  for (const entry of entries) {
    const name = entry.fields.switchname ?? entry.fields.blockname;
    if (name === undefined) continue;
    if (switches.has(name)) throw invalid(entry.file, entry.line, `the switch ${name} is there twice`);
    switches.set(name, entry);
  }
  for (const [name, entry] of switches) {
    const below = new Set([entry]);
    // the iteration of a set also visits members that are added during the iteration
    for (const each of below) {
      for (const host of each.fields.nodes === undefined ? [] : hostsOf(each, each.fields.nodes)) {
        const aggregates = nodes.get(host)?.root.aggregates;
        if (aggregates !== undefined && !aggregates.includes(name)) aggregates.push(name);
      }
      for (const child of each.fields.switches === undefined ? [] : hostsOf(each, each.fields.switches)) {
        const lower = switches.get(child);
        if (lower === undefined) throw invalid(each.file, each.line, `there is no switch ${child}`);
        below.add(lower);
      }
    }
  }
}
