import { pciKind, pciNode } from './pci.js';
import {
  customName,
  hostOfFile,
  invalid,
  shown,
  type ParsedFleet,
  type SourceNode,
  type SourceOptions,
  type SourceText,
} from './source.js';
import { childrenOf, readXml, type Element } from './xml.js';

/** A set of processors or of NUMA nodes as bits. */
type Bits = bigint;

interface NumaNode {
  readonly element: Element;
  readonly index: string;
  readonly cpus: Bits;
  /** The processors that are counted at this node. */
  own: Bits;
  readonly package: Element | null;
  readonly node: SourceNode & { children: SourceNode[]; traits: string[] };
}

/** Reads topologies as `lstopo --of xml` prints them, one for each host. */
export async function parseHwloc(
  texts: readonly SourceText[],
  { host }: SourceOptions,
): Promise<ParsedFleet> {
  const trees = [];
  for (const { name: file, text } of texts) {
    const [topology, second] = (await readXml(text, file)).filter(({ name }) => name === 'topology');
    if (topology === undefined)
      throw invalid(file, '', 'it is no XML of lstopo: there is no element topology');
    if (second !== undefined)
      throw invalid(file, second.line, 'there is a second topology: use a file for each host');
    const [machine] = childrenOf(topology, 'object');
    if (machine?.attributes.type !== 'Machine')
      throw invalid(file, topology.line, 'the topology has no Machine');
    const stated = infoOf(machine, 'HostName') ?? infoOf(topology, 'HostName');
    const name = (texts.length === 1 ? host : undefined) ?? stated ?? hostOfFile(file);
    trees.push({ root: new HwlocHost(name, file, topology, machine).root() });
  }
  return { trees };
}

class HwlocHost {
  private readonly numa: NumaNode[] = [];
  private readonly packages: Element[] = [];
  private readonly devices: SourceNode[] = [];
  private processors: Bits = 0n;
  /** The processors without a NUMA node, as after a restriction of the memory. */
  private left: Bits = 0n;

  constructor(
    private readonly name: string,
    private readonly file: string,
    private readonly topology: Element,
    private readonly machine: Element,
  ) {}

  root(): SourceNode {
    this.collect(this.machine, null);
    const allowed = this.machine.attributes.allowed_cpuset;
    if (allowed !== undefined) this.processors &= this.bits(this.machine, 'allowed_cpuset');
    if (this.processors === 0n)
      throw invalid(this.file, this.machine.line, 'the machine has no processor (PU)');
    this.assignProcessors();
    for (const each of this.numa) this.fill(each);
    const placed = this.attachedNodes();
    const withPackages = this.packages.length > 1;
    const packages = withPackages
      ? this.packages.map((element, at) => ({
          name: `${this.name}-package${element.attributes.os_index ?? at}`,
          traits: ['CUSTOM_PACKAGE'],
          children: placed.filter((each) => this.packageOf(each) === element).map(({ node }) => node),
        }))
      : [];
    const others = placed
      .filter((each) => !withPackages || this.packageOf(each) === undefined)
      .map(({ node }) => node);
    this.collectDevices(this.machine, this.machine);
    const children = [...packages.filter((each) => each.children.length > 0), ...others, ...this.devices];
    const rest = this.left === 0n ? {} : { inventories: { VCPU: { total: count(this.left) } } };
    return { name: this.name, ...rest, ...(children.length > 0 && { children }) };
  }

  /** Collects packages, processors and NUMA nodes, at any depth. */
  private collect(element: Element, inPackage: Element | null): void {
    const { type } = element.attributes;
    const isPackage = type === 'Package' || type === 'Socket';
    if (isPackage) this.packages.push(element);
    if (type === 'PU') this.processors |= this.bits(element, 'cpuset');
    if (type === 'NUMANode') {
      const index = element.attributes.os_index ?? String(this.numa.length);
      const node = { name: `${this.name}-numa${index}`, traits: ['HW_NUMA_ROOT'], children: [] };
      this.numa.push({
        element,
        index,
        cpus: this.bits(element, 'cpuset'),
        own: 0n,
        package: inPackage,
        node,
      });
    }
    for (const each of childrenOf(element, 'object')) this.collect(each, isPackage ? element : inPackage);
  }

  /** Returns the package that contains a node, or else that has its processors. */
  private packageOf({ package: above, cpus }: NumaNode): Element | undefined {
    if (above !== null || cpus === 0n) return above ?? undefined;
    return this.packages.find((each) => (cpus & ~this.bits(each, 'cpuset')) === 0n);
  }

  /** Counts each processor at the smallest NUMA node that contains it; the first of equal ones has it. */
  private assignProcessors(): void {
    let open = this.processors;
    const bySize = [...this.numa].sort(
      (a, b) => count(a.cpus) - count(b.cpus) || Number(a.index) - Number(b.index),
    );
    for (const each of bySize) {
      each.own = each.cpus & open;
      open &= ~each.own;
    }
    this.left = open;
  }

  private fill({ element, own, node }: NumaNode): void {
    const memory = element.attributes.local_memory ?? '0';
    if (!/^\d{1,20}$/.test(memory))
      throw invalid(
        this.file,
        element.line,
        `local_memory is ${shown(memory)}: it must be a number of bytes`,
      );
    const megabytes = Number(BigInt(memory) >> 20n);
    const kinds = this.kindsOf(own);
    node.inventories = {
      ...(own !== 0n && kinds.length < 2 && { VCPU: { total: count(own) } }),
      ...(megabytes > 0 && { MEMORY_MB: { total: megabytes } }),
    };
    if (own === 0n) node.traits.push('CUSTOM_MEMORY_ONLY');
    const { subtype } = element.attributes;
    const tier = subtype ?? infoOf(element, 'MemoryTier');
    if (tier !== undefined && tier !== '') node.traits.push(customName('MEMORY', tier));
    if (kinds.length < 2) node.traits.push(...kinds.flatMap(({ traits }) => traits));
    else
      node.children.push(
        ...kinds.map(({ at, cpus, traits }) => ({
          name: `${node.name}-kind${at}`,
          inventories: { VCPU: { total: count(cpus) } },
          traits,
        })),
      );
  }

  /** Returns the kinds of some processors, if the host has several. */
  private kindsOf(cpus: Bits): { at: number; cpus: Bits; traits: string[] }[] {
    const kinds = childrenOf(this.topology, 'cpukind');
    if (kinds.length < 2) return [];
    const ranks = rankKinds(kinds);
    return kinds.flatMap((kind, at) => {
      const own = this.bits(kind, 'cpuset') & cpus;
      if (own === 0n) return [];
      const core = infoOf(kind, 'CoreType');
      const rank = ranks?.[at];
      const traits = [
        ...(core === undefined ? [] : [customName('CPU', core)]),
        ...(rank === undefined ? [] : [`CUSTOM_CPU_EFFICIENCY_${rank}`]),
      ];
      return [{ at, cpus: own, traits }];
    });
  }

  /** Puts memory without processors of its own below the node with the same processors. Returns the other nodes. */
  private attachedNodes(): NumaNode[] {
    return this.numa.filter((each) => {
      const holder =
        each.own === 0n && each.cpus !== 0n
          ? this.numa.find((other) => other.own !== 0n && other.cpus === each.cpus)
          : undefined;
      holder?.node.children.push(each.node);
      return holder === undefined;
    });
  }

  /** Adds each PCI device to the NUMA node of the nearest object with processors above it. */
  private collectDevices(element: Element, place: Element): void {
    for (const each of childrenOf(element, 'object')) {
      const isPlace = each.attributes.cpuset !== undefined;
      if (each.attributes.type === 'PCIDev') this.addDevice(each, place);
      this.collectDevices(each, isPlace ? each : place);
    }
  }

  private addDevice(element: Element, place: Element): void {
    const { pci_busid: address, pci_type: type = '' } = element.attributes;
    const [, code, vendor = '', product = ''] =
      /^([0-9a-f]{4})(?: \[([0-9a-f]{4}):([0-9a-f]{4})\])?/i.exec(type) ?? [];
    if (address === undefined || code === undefined) return;
    const kind = pciKind(parseInt(code, 16), vendor);
    if (kind === null) return;
    const device = pciNode(this.name, { address, kind, vendor, product });
    for (const os of childrenOf(element, 'object')) {
      const subtype = os.attributes.subtype ?? infoOf(os, 'CoProcType');
      if (os.attributes.type !== 'OSDev' || subtype === undefined) continue;
      const trait = customName('OSDEV', subtype);
      if (!device.traits.includes(trait)) device.traits.push(trait);
    }
    const cpus = this.bits(place, 'cpuset');
    const near =
      cpus === 0n ? undefined : this.numa.find(({ own, cpus: all }) => own !== 0n && (cpus & ~all) === 0n);
    (near?.node.children ?? this.devices).push(device);
  }

  /** Reads a set such as 0x0000000f or 0xf,0xffffffff. A missing attribute is the empty set. */
  private bits({ attributes, line }: Element, attribute: string): Bits {
    const text = attributes[attribute] ?? '0x0';
    const words = text.split(',');
    if (words.length > 4_096) throw invalid(this.file, line, `${attribute} has more than 4096 words`);
    let bits = 0n;
    for (const [at, word] of words.entries()) {
      if (at === 0 && word === '0xf...f') {
        bits = -1n;
        continue;
      }
      if (word !== '' && !/^(0x)?[0-9a-f]{1,8}$/i.test(word))
        throw invalid(this.file, line, `${attribute} is ${shown(text)}: it must be a set such as 0x0000000f`);
      bits = (bits << 32n) | (word === '' ? 0n : BigInt(word.startsWith('0x') ? word : `0x${word}`));
    }
    return bits;
  }
}

/** Counts the members of a set. Of an endless one, none are counted. */
function count(bits: Bits): number {
  if (bits <= 0n) return 0;
  return bits.toString(2).replaceAll('0', '').length;
}

function infoOf(element: Element, name: string): string | undefined {
  return childrenOf(element, 'info').find(({ attributes }) => attributes.name === name)?.attributes.value;
}

/**
 * Ranks kinds of processors as hwloc does: by the stated efficiency, or else by the base frequencies, or else by the
 * maximum ones. Returns null if two kinds have the same value.
 */
function rankKinds(kinds: readonly Element[]): number[] | null {
  const values =
    valuesOf(kinds, ({ attributes }) => attributes.forced_efficiency) ??
    valuesOf(kinds, (kind) => infoOf(kind, 'FrequencyBaseMHz')) ??
    valuesOf(kinds, (kind) => infoOf(kind, 'FrequencyMaxMHz'));
  if (values === null || new Set(values).size < values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => sorted.indexOf(value));
}

function valuesOf(kinds: readonly Element[], read: (kind: Element) => string | undefined): number[] | null {
  const values = kinds.map((kind) => Number(read(kind) ?? NaN));
  return values.every((value) => value >= 0) ? values : null;
}
