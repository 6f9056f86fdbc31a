import { expandHosts } from './hostList.js';
import {
  archTraits,
  customName,
  invalid,
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
    const { nodename, name, state = '' } = entry.fields;
    if (nodename === undefined || name !== undefined) continue;
    if (nodename.toUpperCase() === 'DEFAULT') {
      defaults = { ...defaults, ...entry.fields };
      continue;
    }
    if (/^(FUTURE|CLOUD)\b/i.test(state)) continue;
    for (const host of hostsOf(entry, nodename)) {
      if (nodes.has(host)) throw invalid(entry.file, entry.line, `the node ${host} is there twice`);
      nodes.set(host, nodeOf(host, { ...entry, fields: { ...defaults, ...entry.fields } }));
    }
  }
  addGresFiles(nodes, entries);
  for (const { root, gres } of nodes.values()) {
    const children = gres.filter(({ count }) => count > 0).map((each) => gresNode(root.name, each));
    if (children.length > 0) root.children = children;
  }
  addSwitches(nodes, entries);
  return { trees: Array.from(nodes.values(), ({ root }) => ({ root })) };
}

const KEY = /(?:^|\s)([A-Za-z][A-Za-z0-9_]*)=/g;

/** Splits a file into entries: an indented line continues the entry before it, as does a line after a backslash. */
function entriesOf({ name: file, text }: SourceText): Entry[] {
  const entries: { line: number; text: string }[] = [];
  let isContinued = false;
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.replace(/(^|\s)#.*$/, '').trimEnd();
    if (line.trim() === '') {
      isContinued = false;
      continue;
    }
    const last = entries.at(-1);
    const content = line.replace(/\\$/, '').trim();
    const isDetail = /^\s/.test(line) && last !== undefined && /^NodeName=/i.test(last.text);
    if (last !== undefined && (isContinued || isDetail)) last.text += ` ${content}`;
    else entries.push({ line: at + 1, text: content });
    isContinued = line.endsWith('\\');
  }
  const known = entries.filter(({ text: each }) => /^(NodeName|Name|SwitchName|BlockName)=/i.test(each));
  if (known.length === 0 && entries.length > 0) {
    const [{ line, text: first }] = entries;
    const isOther = /^\w+\s*=/.test(first) || /^Include\b/i.test(first);
    if (!isOther) throw invalid(file, line, `${shown(first)} is no line of Slurm`);
  }
  return known.map(({ line, text: each }) => ({ file, line, fields: fieldsOf(each) }));
}

/** Reads `Key=value` pairs. A value may have spaces, as OS and Reason do. */
function fieldsOf(text: string): Record<string, string> {
  const keys = [...text.matchAll(KEY)];
  return Object.fromEntries(
    keys.map((key, at) => {
      const start = key.index + key[0].length;
      return [key[1].toLowerCase(), text.slice(start, keys[at + 1]?.index ?? text.length).trim()];
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
  const total = number('cputot', 1) ?? number('cpus', 1) ?? processorsOf(name, number, entry);
  const memory = number('realmemory', 1) ?? 1;
  const disk = Math.floor((number('tmpdisk') ?? 0) / 1024);
  const cores = number('corespeccount') ?? 0;
  const reservedCpus = cores * (number('threadspercore') || 1);
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

const FACTORS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Reads `gpu:a100:4(S:0-1),shard:8`. A count of 2K is 2048, and without a count it is 1. */
function gresOf(name: string, { fields, file, line }: Entry): Gres[] {
  const text = (fields.gres ?? '').replaceAll(/\([^)]*\)/g, '');
  const found: Gres[] = [];
  for (const part of text.split(',')) {
    if (part === '' || part === 'N/A') continue;
    const pieces = part.split(':').filter((each) => each !== 'no_consume');
    const [, digits, unit = ''] = /^(\d{1,10})([KMG])?$/i.exec(pieces.at(-1)!) ?? [];
    if (digits === undefined && /^\d/.test(pieces.at(-1)!))
      throw invalid(file, line, `Gres of ${name} has the count ${shown(pieces.at(-1))}`);
    const isCounted = digits !== undefined && pieces.length > 1;
    const [gres, type = ''] = isCounted ? pieces.slice(0, -1) : pieces;
    if (!/^\w[\w.-]*$/.test(gres)) throw invalid(file, line, `Gres of ${name} has no name in ${shown(part)}`);
    const total = isCounted ? Number(digits) * FACTORS[unit.toUpperCase()] : 1;
    wholeNumber(String(total), file, line, `the count of ${part} of ${name}`);
    const same = found.find((each) => each.name === gres && each.type === type);
    if (same) same.count += total;
    else found.push({ name: gres, type, count: total });
  }
  return found;
}

/** Adds the resources of gres.conf to nodes whose node line states none. Slurm takes the counts of node lines. */
function addGresFiles(
  nodes: Map<string, { readonly root: SourceNode; readonly gres: readonly Gres[] }>,
  entries: readonly Entry[],
): void {
  const added = new Map<string, Gres[]>();
  for (const entry of entries) {
    const { name, nodename, type = '', file: device, count } = entry.fields;
    if (name === undefined) continue;
    const { file, line } = entry;
    const files = device === undefined ? 1 : hostsOf(entry, device).length;
    const total =
      count === undefined ? files : gresOf('', { file, line, fields: { gres: `${name}:${count}` } })[0].count;
    for (const host of nodename === undefined ? nodes.keys() : hostsOf(entry, nodename)) {
      const node = nodes.get(host);
      if (node === undefined || node.gres.length > 0) continue;
      const all = added.get(host) ?? [];
      added.set(host, all);
      const same = all.find((each) => each.name === name && each.type === type);
      if (same) same.count += total;
      else all.push({ name, type, count: total });
    }
  }
  for (const [host, gres] of added) nodes.set(host, { root: nodes.get(host)!.root, gres });
}

function gresNode(host: string, { name, type, count }: Gres): SourceNode {
  return {
    name: [host, name, type].filter((each) => each !== '').join('-'),
    inventories: { [name === 'gpu' ? 'PGPU' : customName('GRES', name)]: { total: count } },
    ...(type !== '' && { traits: [customName(name, type)] }),
  };
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
