import { pciKind, pciNode } from './pci.js';
import {
  archTraits,
  customName,
  hostOfFile,
  invalid,
  shown,
  wholeNumber,
  type ParsedFleet,
  type SourceInventory,
  type SourceNode,
  type SourceOptions,
  type SourceText,
} from './source.js';
import { child, childrenOf, readXml, type Element } from './xml.js';

/** A PCI device of `virsh nodedev-dumpxml`. */
export interface NodeDevice {
  readonly element: Element;
  readonly file: string;
  readonly address: string;
  /** The class code; -1 if the file does not state it. */
  readonly classCode: number;
  readonly vendor: string;
  readonly product: string;
  readonly numa: string | null;
  /** The addresses of the virtual functions, and of the physical function. */
  readonly functions: readonly string[];
  readonly physical: string | null;
}

interface HostFiles {
  capabilities: { readonly file: string; readonly element: Element } | null;
  readonly devices: NodeDevice[];
  /** The parents and types of the virtual GPUs that exist, by their names: a file may repeat a device. */
  readonly virtual: Map<string, string>;
}

/** Reads `virsh capabilities` and `virsh nodedev-dumpxml`, grouped by the names of their files. */
export async function parseLibvirt(
  texts: readonly SourceText[],
  options: SourceOptions,
): Promise<ParsedFleet> {
  const hosts = new Map<string, HostFiles>();
  const notes: string[] = [];
  for (const { name: file, text } of texts) {
    const elements = await readXml(text, file);
    const host = options.host ?? hostOfFile(file);
    const files = hosts.get(host) ?? { capabilities: null, devices: [], virtual: new Map() };
    hosts.set(host, files);
    for (const element of elements) {
      if (element.name === 'device') addDevice(files, element, file);
      else if (element.name === 'devices') {
        for (const each of childrenOf(element, 'device')) addDevice(files, each, file);
      } else if (element.name !== 'capabilities')
        throw invalid(
          file,
          element.line,
          `<${element.name}> is neither <capabilities> nor <device> of libvirt`,
        );
      else if (files.capabilities !== null)
        throw invalid(
          file,
          element.line,
          `the host ${host} has capabilities twice: name each file after its host`,
        );
      else files.capabilities = { file, element };
    }
  }
  const trees = Array.from(hosts, ([name, files]) => ({ root: hostTree(name, files, options, notes) }));
  return { trees, notes };
}

/** Adds a PCI device, or a virtual GPU that exists. Ignores other devices. */
function addDevice({ devices, virtual }: HostFiles, element: Element, file: string): void {
  devices.push(...deviceOf(element, file));
  const mdev = childrenOf(element, 'capability').find(({ attributes }) => attributes.type === 'mdev');
  if (mdev === undefined) return;
  const [name = '', parent = ''] = ['name', 'parent'].map((each) => child(element, each)?.text.trim());
  virtual.set(name, `${parent} ${child(mdev, 'type')?.attributes.id}`);
}

const UNITS: Readonly<Record<string, bigint>> = {
  b: 1n,
  bytes: 1n,
  KB: 1000n,
  k: 1024n,
  KiB: 1024n,
  MB: 1000n ** 2n,
  M: 1024n ** 2n,
  MiB: 1024n ** 2n,
  GB: 1000n ** 3n,
  G: 1024n ** 3n,
  GiB: 1024n ** 3n,
  TB: 1000n ** 4n,
  T: 1024n ** 4n,
  TiB: 1024n ** 4n,
};

function bytesOf(element: Element, file: string, amount: string, fallback = 'KiB'): bigint {
  const unit = UNITS[element.attributes.unit ?? fallback];
  if (unit !== undefined && /^\d{1,19}$/.test(amount)) return BigInt(amount) * unit;
  throw invalid(file, element.line, `${shown(amount)} ${element.attributes.unit ?? fallback} is no size`);
}

function hostTree(
  name: string,
  { capabilities, devices, virtual }: HostFiles,
  options: SourceOptions,
  notes: string[],
): SourceNode {
  if (capabilities === null)
    throw invalid(devices[0]?.file ?? name, '', `the host ${name} has no <capabilities>`);
  const { file, element } = capabilities;
  const host = child(element, 'host');
  if (host === undefined) throw invalid(file, element.line, 'the capabilities have no <host>');
  const cells = childrenOf(child(host, 'topology', 'cells'), 'cell');
  const arch = child(host, 'cpu', 'arch')?.text.trim();
  const traits = archTraits(arch);
  if (cells.length === 0) throw invalid(file, host.line, 'the host has no NUMA cell (<topology><cells>)');
  const nodes = new Map<string, SourceNode & { children: SourceNode[] }>();
  for (const cell of cells) {
    const { id } = cell.attributes;
    if (id === undefined || nodes.has(id))
      throw invalid(file, cell.line, `the cell ${shown(id)} is there twice or has no id`);
    nodes.set(id, cellNode(`${name}-numa${id}`, cell, file));
  }
  const others: SourceNode[] = [];
  for (const device of devices.filter(({ physical }) => physical === null)) {
    const node = deviceNode(name, device, [...virtual.values()], options, notes);
    if (node !== null) (nodes.get(device.numa ?? '')?.children ?? others).push(node);
  }
  return { name, traits, children: [...nodes.values(), ...others] };
}

function cellNode(name: string, cell: Element, file: string): SourceNode & { children: SourceNode[] } {
  const memory = child(cell, 'memory');
  const bytes = memory === undefined ? 0n : bytesOf(memory, file, memory.text.trim());
  const cpus = childrenOf(child(cell, 'cpus'), 'cpu').length;
  const inventories: Record<string, SourceInventory> = {};
  if (cpus > 0) inventories.VCPU = { total: cpus };
  const pages = childrenOf(cell, 'pages').map((element) => ({
    size: bytesOf(element, file, element.attributes.size ?? ''),
    count: wholeNumber(element.text, file, element.line, 'the number of pages', {
      most: Number.MAX_SAFE_INTEGER,
    }),
  }));
  const smallest = pages.reduce((least, { size }) => (size < least ? size : least), pages[0]?.size ?? 0n);
  const large = pages.filter(({ size, count }) => size > smallest && count > 0);
  const reserved = large.reduce((sum, { size, count }) => sum + size * BigInt(count), 0n);
  if (reserved > bytes) throw invalid(file, cell.line, `the pages of ${name} are larger than its memory`);
  const total = Number(bytes >> 20n);
  if (total > 0)
    inventories.MEMORY_MB = {
      total,
      ...(reserved > 0n && { reserved: Math.min(total, Number((reserved + 1048575n) >> 20n)) }),
    };
  for (const { size, count } of large)
    inventories[`CUSTOM_MEMORY_PAGES_${size >> 10n}KIB`] = { total: count };
  return {
    name,
    inventories,
    traits: ['HW_NUMA_ROOT', ...(cpus === 0 ? ['CUSTOM_MEMORY_ONLY'] : [])],
    children: [],
  };
}

/** Reads a PCI device. Returns [] for other devices. */
export function deviceOf(element: Element, file: string): NodeDevice[] {
  const pci = childrenOf(element, 'capability').find(({ attributes }) => attributes.type === 'pci');
  if (pci === undefined) return [];
  const number = (name: string): number => {
    const text = child(pci, name)?.text.trim() ?? '';
    const value = /^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(text) ? Number(text) : NaN;
    if (Number.isNaN(value)) throw invalid(file, pci.line, `the PCI device has the ${name} ${shown(text)}`);
    return value;
  };
  const classText = child(pci, 'class')?.text.trim();
  const functionsOf = (type: string): string[] =>
    childrenOf(pci, 'capability')
      .filter(({ attributes }) => attributes.type === type)
      .flatMap((each) => childrenOf(each, 'address').map(({ attributes }) => addressText(attributes)));
  const idOf = (name: string): string =>
    (child(pci, name)?.attributes.id ?? '').replace(/^0x/, '').toLowerCase();
  const [address, classCode] = [
    [
      hex(number('domain'), 4),
      hex(number('bus'), 2),
      `${hex(number('slot'), 2)}.${hex(number('function'), 1)}`,
    ].join(':'),
    classText === undefined ? -1 : parseInt(classText, 16) >> 8,
  ];
  return [
    {
      element: pci,
      file,
      address,
      classCode: Number.isNaN(classCode) ? -1 : classCode,
      vendor: idOf('vendor'),
      product: idOf('product'),
      numa: child(pci, 'numa')?.attributes.node ?? null,
      functions: functionsOf('virt_functions'),
      physical: functionsOf('phys_function')[0] ?? null,
    },
  ];
}

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

function addressText({
  domain = '',
  bus = '',
  slot = '',
  function: index = '',
}: Element['attributes']): string {
  return `${hex(Number(domain), 4)}:${hex(Number(bus), 2)}:${hex(Number(slot), 2)}.${hex(Number(index), 1)}`;
}

function deviceNode(
  host: string,
  device: NodeDevice,
  virtual: readonly string[],
  { vgpuType }: SourceOptions,
  notes: string[],
): SourceNode | null {
  const kind = pciKind(device.classCode, device.vendor);
  if (kind === null) return null;
  const node = pciNode(host, { ...device, kind });
  const types = childrenOf(device.element, 'capability')
    .filter(({ attributes }) => attributes.type === 'mdev_types')
    .flatMap((each) => childrenOf(each, 'type'));
  const chosen =
    vgpuType === undefined && types.length === 1
      ? types[0]
      : types.find(({ attributes }) => attributes.id === vgpuType);
  if (chosen !== undefined) {
    const text = child(chosen, 'availableInstances')?.text ?? '';
    const left = wholeNumber(text, device.file, chosen.line, 'availableInstances');
    const key = `pci_${device.address.replaceAll(/[:.]/g, '_')} ${chosen.attributes.id}`;
    const total = left + virtual.filter((each) => each === key).length;
    if (total === 0) return null;
    return {
      ...node,
      inventories: { VGPU: { total, maxUnit: 1 } },
      traits: [...node.traits, customName('VGPU', chosen.attributes.id ?? '')],
    };
  }
  if (types.length > 1) {
    const ids = types.map(({ attributes }) => attributes.id).join(', ');
    notes.push(`${node.name} is a whole GPU: --vgpu-type divides it (${ids})`);
  }
  if (kind === 'NIC' && device.functions.length > 0)
    return { ...node, inventories: { SRIOV_NET_VF: { total: device.functions.length } } };
  return node;
}
