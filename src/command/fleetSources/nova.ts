import { parseAllDocuments } from 'yaml';
import { deviceOf, type NodeDevice } from './libvirt.js';
import {
  customName,
  hostOfFile,
  invalid,
  shown,
  type ParsedFleet,
  type SourceInventory,
  type SourceNode,
  type SourceOptions,
  type SourceText,
} from './source.js';
import { readPciSpecs, resourceClassOf, traitsOf, type PciSpec } from './pciSpec.js';
import { childrenOf, readXml } from './xml.js';

type Json = { readonly [key: string]: unknown };

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The compute node itself, in place of a uuid. Nova treats it alike in place of a name. */
const COMPUTE_NODE = '$COMPUTE_NODE';

/**
 * Reads provider.yaml files, the device_spec of nova.conf, and node devices of libvirt, which device_spec selects.
 * `host` names the compute node.
 */
export async function parseNova(texts: readonly SourceText[], { host }: SourceOptions): Promise<ParsedFleet> {
  const roots = new Map<string, SourceNode>();
  const specs: PciSpec[] = [];
  let specFile = '';
  const devices: NodeDevice[] = [];
  const compute = (file: string): SourceNode => {
    const name = host ?? (texts.length === 1 ? hostOfFile(file) : undefined);
    if (name === undefined)
      throw invalid(file, '', 'it concerns the compute node: give its name with --host');
    return addRoot(roots, name);
  };
  for (const { name: file, text } of texts) {
    if (/^\s*</.test(text)) {
      for (const element of await readXml(text, file))
        for (const each of element.name === 'devices' ? childrenOf(element, 'device') : [element])
          devices.push(...deviceOf(each, file));
    } else if (/^\s*\[\w+\]/m.test(text) && /^\s*(device_spec|passthrough_whitelist)\s*=/m.test(text))
      specs.push(...readPciSpecs(text, (specFile = file)));
    else addProviders(text, file, roots, () => compute(file));
  }
  if (specs.length > 0) addPciDevices(compute(specFile), specFile, specs, devices);
  return { trees: Array.from(roots.values(), (root) => ({ root })) };
}

function addRoot(roots: Map<string, SourceNode>, name: string): SourceNode {
  const root = roots.get(name) ?? { name };
  roots.set(name, root);
  return root;
}

function addProviders(
  text: string,
  file: string,
  roots: Map<string, SourceNode>,
  compute: () => SourceNode,
): void {
  const [document] = [...parseAllDocuments(text, { logLevel: 'error' })];
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw invalid(file, error.linePos?.[0].line ?? '', error.message.split('\n')[0]);
  const top: unknown = document?.toJS({ maxAliasCount: 100 });
  if (!isJson(top))
    throw invalid(file, '', 'it is no provider.yaml: it must have the fields meta and providers');
  const version = isJson(top.meta) ? top.meta.schema_version : undefined;
  if (typeof version !== 'string')
    throw invalid(file, 'meta.schema_version', `it is ${shown(version)}: it must be a text, such as '1.0'`);
  if (!/^1\.\d+$/.test(version))
    throw invalid(file, 'meta.schema_version', `there is no reader for version ${shown(version)}`);
  const providers = top.providers ?? [];
  if (!Array.isArray(providers)) throw invalid(file, 'providers', 'it must be a list');
  const seen = new Map<SourceNode, string>();
  for (const [at, provider] of (providers as unknown[]).entries()) {
    const path = `providers[${at}]`;
    if (!isJson(provider)) throw invalid(file, path, 'it must have the field identification');
    const identification = isJson(provider.identification) ? provider.identification : {};
    const { name, uuid } = identification;
    if ((typeof name === 'string') === (typeof uuid === 'string'))
      throw invalid(file, `${path}.identification`, 'it must have exactly one of name and uuid, as a text');
    if (typeof uuid === 'string' && uuid !== COMPUTE_NODE)
      throw invalid(
        file,
        `${path}.identification.uuid`,
        `Nova finds ${shown(uuid)} in its database; name the provider instead`,
      );
    const root = typeof name === 'string' && name !== COMPUTE_NODE ? addRoot(roots, name) : compute();
    const other = seen.get(root);
    if (other !== undefined) throw invalid(file, path, `it is the same provider as ${other}: ${root.name}`);
    seen.set(root, path);
    addInventories(root, provider, file, path);
    addTraits(root, provider, file, path);
  }
}

const FIELDS = {
  total: ['total', 1],
  reserved: ['reserved', 0],
  min_unit: ['minUnit', 1],
  max_unit: ['maxUnit', 1],
  step_size: ['stepSize', 1],
} as const;

function additional(provider: Json, part: 'inventories' | 'traits', file: string, path: string): unknown[] {
  const value = provider[part];
  if (value === undefined || value === null) return [];
  const list = isJson(value) ? (value.additional ?? []) : undefined;
  if (Array.isArray(list)) return list as unknown[];
  throw invalid(file, `${path}.${part}.additional`, 'it must be a list');
}

function addInventories(root: SourceNode, provider: Json, file: string, path: string): void {
  for (const [at, entry] of additional(provider, 'inventories', file, path).entries()) {
    const place = `${path}.inventories.additional[${at}]`;
    for (const [resourceClass, given] of Object.entries(isJson(entry) ? entry : { '': entry })) {
      const of = `${place}.${resourceClass}`;
      if (!/^CUSTOM_[A-Z0-9_]+$/.test(resourceClass) || resourceClass.length > 255)
        throw invalid(file, of, 'Nova adds only custom resource classes: CUSTOM_ and A-Z, 0-9 and _');
      if (!isJson(given)) throw invalid(file, of, 'it must have the field total');
      if (root.inventories?.[resourceClass]) throw invalid(file, of, `${root.name} has the class already`);
      root.inventories = { ...root.inventories, [resourceClass]: inventoryOf(given, file, of) };
    }
  }
}

/** Reads an inventory. Nova admits every integer; Placement and this program do not. */
function inventoryOf(given: Json, file: string, path: string): SourceInventory {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(FIELDS, key) && key !== 'allocation_ratio');
  if (unknown !== undefined)
    throw invalid(file, `${path}.${unknown}`, 'there is no such field of an inventory');
  const amounts: Record<string, number> = {};
  for (const [key, [field, least]] of Object.entries(FIELDS)) {
    const value = given[key];
    if (value === undefined && key !== 'total') continue;
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > 2 ** 31 - 1)
      throw invalid(
        file,
        `${path}.${key}`,
        `it is ${shown(value)}: it must be a whole number from ${least} to ${2 ** 31 - 1}`,
      );
    amounts[field] = value as number;
  }
  const { allocation_ratio: ratio } = given;
  if (ratio !== undefined && !(typeof ratio === 'number' && ratio > 0 && ratio <= 3.4e38))
    throw invalid(file, `${path}.allocation_ratio`, `it is ${shown(ratio)}: it must be a number above 0`);
  if ((amounts.reserved ?? 0) > amounts.total)
    throw invalid(file, `${path}.reserved`, 'it is more than total');
  return { ...(amounts as { total: number }), ...(ratio !== undefined && { allocationRatio: ratio }) };
}

function addTraits(root: SourceNode, provider: Json, file: string, path: string): void {
  for (const [at, trait] of additional(provider, 'traits', file, path).entries()) {
    if (typeof trait !== 'string' || !/^CUSTOM_[A-Z0-9_]+$/.test(trait) || trait.length > 255)
      throw invalid(
        file,
        `${path}.traits.additional[${at}]`,
        `Nova adds only custom traits, not ${shown(trait)}`,
      );
    if (!root.traits?.includes(trait)) root.traits = [...(root.traits ?? []), trait];
  }
}

/**
 * Adds a provider for each physical device that the first matching specification selects, as Nova names it. Like Nova,
 * rejects a device that is selected beside its virtual functions, and virtual functions of one device that differ.
 */
function addPciDevices(
  root: SourceNode,
  file: string,
  specs: readonly PciSpec[],
  devices: readonly NodeDevice[],
): void {
  const nodes = new Map<string, { readonly node: SourceNode; readonly isPhysical: boolean }>();
  for (const device of devices) {
    const spec = specs.find((each) => each.matches(device));
    if (spec === undefined || spec.isForNeutron) continue;
    const name = `${root.name}_${device.physical ?? device.address}`;
    const isPhysical = device.physical === null;
    const resourceClass = resourceClassOf(spec, customName('PCI', device.vendor, device.product));
    const before = nodes.get(name);
    const total = (before?.node.inventories?.[resourceClass]?.total ?? 0) + 1;
    const node = { name, inventories: { [resourceClass]: { total } }, traits: traitsOf(spec) };
    if (before !== undefined && (isPhysical || before.isPhysical))
      throw invalid(file, '', `device_spec selects ${name} and its virtual functions`);
    if (before !== undefined && (total === 1 || node.traits.join() !== before.node.traits?.join()))
      throw invalid(file, '', `the virtual functions of ${name} have different classes or traits`);
    nodes.set(name, { node, isPhysical });
  }
  const children = Array.from(nodes.values(), ({ node }) => node);
  if (children.length > 0) root.children = [...(root.children ?? []), ...children];
}
