import type { NodeDevice } from './libvirt.js';
import { invalid, shown } from './source.js';

/** A device_spec of nova.conf. */
export interface PciSpec {
  readonly resourceClass: string | undefined;
  readonly traits: string | undefined;
  /** Whether the devices are for Neutron. Nova keeps such devices out of Placement. */
  readonly isForNeutron: boolean;
  readonly matches: (device: NodeDevice) => boolean;
}

type Json = { readonly [key: string]: unknown };

/** Reads the values of device_spec, or of its former name, each of them JSON in one or several lines. */
export function readPciSpecs(text: string, file: string): PciSpec[] {
  const specs: PciSpec[] = [];
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [, first] = /^\s*(?:device_spec|passthrough_whitelist)\s*=\s*(.*)$/.exec(line) ?? [];
    if (first === undefined) continue;
    let value = first;
    for (let next = at + 1; next < lines.length && /^\s+\S/.test(lines[next]); next++)
      value += `\n${lines[next]}`;
    let read: unknown;
    try {
      read = JSON.parse(value);
    } catch (error) {
      throw invalid(file, at + 1, `device_spec is no JSON: ${(error as Error).message}`);
    }
    for (const each of Array.isArray(read) ? (read as unknown[]) : [read])
      specs.push(specOf(each, file, at + 1));
  }
  return specs;
}

function specOf(value: unknown, file: string, line: number): PciSpec {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(file, line, `device_spec must be an object, not ${shown(value)}`);
  const spec = value as Json;
  const text = (key: string): string | undefined => {
    const given = spec[key];
    if (given === undefined || typeof given === 'string') return given;
    throw invalid(file, line, `${key} of device_spec must be a text, not ${shown(given)}`);
  };
  if (text('devname') !== undefined && spec.address !== undefined)
    throw invalid(file, line, 'device_spec has both devname and address');
  if (spec.devname !== undefined) throw invalid(file, line, 'devname is known only on the host: use address');
  const [vendor, product] = ['vendor_id', 'product_id'].map((key) => idOf(text(key) ?? '*', key, file, line));
  const address = spec.address ?? '*:*:*.*';
  const matchesAddress = addressMatch(address, file, line);
  const matchesPhysical = isSingleAddress(address) ? matchesAddress : () => false;
  return {
    resourceClass: text('resource_class'),
    traits: text('traits'),
    isForNeutron: Boolean(spec.physical_network),
    matches: (device) =>
      (vendor === '*' || vendor === device.vendor) &&
      (product === '*' || product === device.product) &&
      (matchesAddress(device.address) || (device.physical !== null && matchesPhysical(device.physical))),
  };
}

function idOf(text: string, key: string, file: string, line: number): string {
  if (text === '*') return text;
  const id = text.toLowerCase().replace(/^0x/, '');
  if (/^[0-9a-f]{1,4}$/.test(id)) return id.padStart(4, '0');
  throw invalid(
    file,
    line,
    `${key} of device_spec is ${shown(text)}: it must be four hexadecimal digits or *`,
  );
}

const PARTS = ['domain', 'bus', 'slot', 'function'] as const;

/** The largest values of the parts of an address. */
const LARGEST = [0xffff, 0xff, 0x1f, 0x7];

/**
 * Returns the parts of the text form: numbers, or null for any. A part that is blank or omitted is any: `0000:06:`, `:00.`
 * and `*` are addresses.
 */
function globParts(address: string): (number | null)[] | null {
  const [, rest, index] = /^([^.]*)(?:\.(.*))?$/s.exec(address) ?? [];
  const fields = (rest ?? '').split(':');
  if (rest === undefined || fields.length > 3) return null;
  const all = [...Array<string>(3 - fields.length).fill(''), ...fields, index ?? ''].map((part) =>
    part.trim(),
  );
  const parts = all.map((part) => (part === '' || part === '*' ? null : parseInt(part, 16)));
  const isValid = all.every(
    (part, at) => parts[at] === null || (/^[0-9a-f]{1,4}$/i.test(part) && Number(parts[at]) <= LARGEST[at]),
  );
  return isValid ? parts : null;
}

/** Returns whether the address names one device: then it also matches the virtual functions of this device. */
function isSingleAddress(address: unknown): boolean {
  const parts: unknown[] =
    typeof address === 'string'
      ? address.split(/[:.]/)
      : PARTS.map((part) => (address as Json | null)?.[part]);
  return (
    parts.length === PARTS.length &&
    parts.every((part) => typeof part === 'string' && /^[0-9a-f]+$/i.test(part.trim()))
  );
}

/**
 * Returns the comparison of an address. Parts of the text form are numbers or *. Parts of the mapping form are regular
 * expressions that match the beginning of the part.
 */
function addressMatch(address: unknown, file: string, line: number): (address: string) => boolean {
  const partsOf = (text: string): string[] => text.split(/[:.]/);
  if (typeof address === 'string') {
    const wanted = globParts(address);
    if (wanted === null)
      throw invalid(file, line, `the address ${shown(address)} of device_spec is malformed`);
    return (text) =>
      partsOf(text).every((part, at) => wanted[at] === null || wanted[at] === parseInt(part, 16));
  }
  if (typeof address !== 'object' || address === null)
    throw invalid(file, line, `the address ${shown(address)} of device_spec is malformed`);
  const patterns = PARTS.map((part) => {
    const pattern = (address as Json)[part] ?? '.*';
    if (
      typeof pattern !== 'string' ||
      pattern.length > 50 ||
      !/^[\w.*+?|[\]()^$-]*$/.test(pattern) ||
      /[*+?)]\s*[*+?]/.test(pattern)
    )
      throw invalid(file, line, `the ${part} ${shown(pattern)} of the address is no simple expression`);
    try {
      return new RegExp(`^(?:${pattern})`);
    } catch {
      throw invalid(file, line, `the ${part} ${shown(pattern)} of the address is no regular expression`);
    }
  });
  return (text) => partsOf(text).every((part, at) => patterns[at].test(part));
}

const STANDARD_CLASS = /^(PGPU|VGPU|FPGA|PCI_DEVICE|SRIOV_NET_VF)$/;

/** Returns the resource class. Nova looks up the name in upper case, and normalizes others to custom names. */
export function resourceClassOf({ resourceClass }: PciSpec, fallback: string): string {
  if (resourceClass === undefined) return fallback;
  const upper = resourceClass.toUpperCase();
  return STANDARD_CLASS.test(upper) ? upper : normalized(upper);
}

/** The traits that Nova adds to each device, and requires in its requests. */
const MANAGED = ['COMPUTE_MANAGED_PCI_DEVICE', 'OWNER_NOVA'];

/** Returns the traits. Nova looks up each name as it is written, so a standard trait in lower case becomes a custom one. */
export function traitsOf({ traits = '' }: PciSpec): string[] {
  const names = traits === '' ? [] : traits.split(',');
  return [
    ...new Set(
      names.map((name) =>
        /^(HW|COMPUTE|STORAGE|MISC|OWNER)_[A-Z0-9_]+$/.test(name) ? name : normalized(name),
      ),
    ),
    ...MANAGED,
  ];
}

/** Normalizes a name as Nova does: each character that is no letter, digit or _ becomes _. */
function normalized(name: string): string {
  const upper = name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
  return upper.startsWith('CUSTOM_') ? upper : `CUSTOM_${upper}`;
}
