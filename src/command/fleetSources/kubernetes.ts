import {
  DEFAULT_MAPPING,
  isJson,
  readMapping,
  unitOf,
  type Json,
  type Mapping,
} from './kubernetesMapping.js';
import { inUnits, isAbove, readQuantity, sum, whole, type Quantity } from './quantity.js';
import {
  archTraits,
  customName,
  invalid,
  shown,
  type ParsedFleet,
  type SourceConsumer,
  type SourceInventory,
  type SourceNode,
  type SourceOptions,
  type SourceText,
  type SourceTree,
} from './source.js';

/** An object of a file, and its path in it. */
interface Item {
  readonly object: Json;
  readonly kind: string;
  readonly file: string;
  readonly path: string;
}

/** Reads `kubectl get nodes,pods,resourceslices,resourceclaims -o json`. Reads the JSON itself: clients drop fields. */
export function parseKubernetes(
  texts: readonly SourceText[],
  { mapping: mappingFile, withConsumers = false }: SourceOptions,
): ParsedFleet {
  const mapping = mappingFile === undefined ? DEFAULT_MAPPING : readMapping(mappingFile);
  const items = texts.flatMap(itemsOf);
  const ofKind = (kind: string): Item[] => items.filter((item) => item.kind === kind);
  const nodes = new Map<string, NodeTree>();
  for (const item of ofKind('Node')) {
    const name = textAt(item, 'metadata', 'name');
    if (nodes.has(name)) throw invalid(item.file, item.path, `the node ${name} is there twice`);
    nodes.set(name, new NodeTree(name, item, mapping));
  }
  const notes: string[] = [];
  const devices = addDevices(ofKind('ResourceSlice'), nodes, mapping, notes);
  if (withConsumers) {
    for (const pod of ofKind('Pod')) addPod(pod, nodes, mapping);
    for (const claim of ofKind('ResourceClaim')) addClaim(claim, devices);
  }
  return { trees: Array.from(nodes.values(), (node) => node.tree()), notes };
}

function itemsOf({ name: file, text }: SourceText): Item[] {
  let top: unknown;
  try {
    top = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalid(file, '', `it is no JSON: ${(error as Error).message}`);
  }
  const item = (value: unknown, path: string, kind?: string): Item => {
    if (!isJson(value)) throw invalid(file, path, 'it is no object of Kubernetes');
    return { object: value, kind: typeof value.kind === 'string' ? value.kind : (kind ?? ''), file, path };
  };
  const root = item(top, '');
  if (!root.kind.endsWith('List')) {
    if (root.kind === '') throw invalid(file, '', 'it is no object of Kubernetes: it has no kind');
    return [root];
  }
  if (!Array.isArray(root.object.items)) throw invalid(file, 'items', 'it must be a list');
  return root.object.items.map((each, at) => item(each, `items[${at}]`, root.kind.slice(0, -4)));
}

/** Returns the object at a path; an empty one if it is missing. */
function objectAt({ object, file, path }: Item, ...keys: readonly string[]): Json {
  let value: unknown = object;
  for (const key of keys) value = (isJson(value) && Object.hasOwn(value, key) ? value[key] : undefined) ?? {};
  if (isJson(value)) return value;
  throw invalid(file, [path, ...keys].filter(Boolean).join('.'), 'it must be an object');
}

function listAt(item: Item, ...keys: readonly string[]): Item[] {
  const last = keys.at(-1)!;
  const value = objectAt(item, ...keys.slice(0, -1))[last] ?? [];
  const path = [item.path, ...keys].filter(Boolean).join('.');
  if (!Array.isArray(value)) throw invalid(item.file, path, 'it must be a list');
  return value.map((each: unknown, at): Item => {
    if (!isJson(each)) throw invalid(item.file, `${path}[${at}]`, 'it must be an object');
    return { ...item, object: each, path: `${path}[${at}]` };
  });
}

function textAt(item: Item, ...keys: readonly string[]): string {
  const value = objectAt(item, ...keys.slice(0, -1))[keys.at(-1)!];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(
    item.file,
    [item.path, ...keys].filter(Boolean).join('.'),
    `it is ${shown(value)}: it must be a text`,
  );
}

/** Reads the quantities of an object by resource. */
function quantitiesAt(item: Item, ...keys: readonly string[]): Map<string, Quantity> {
  return new Map(
    Object.entries(objectAt(item, ...keys)).map(([resource, value]) => {
      const quantity = readQuantity(
        typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '',
      );
      if (quantity !== null && quantity.numerator >= 0n) return [resource, quantity];
      const path = [item.path, ...keys, resource].filter(Boolean).join('.');
      throw invalid(
        item.file,
        path,
        `${shown(value)} is no quantity of Kubernetes from 0, such as 1500m or 1.5Gi`,
      );
    }),
  );
}

/** Converts quantities to amounts by resource class. Totals round down and requests up, so that no more is allocated. */
function amountsOf(
  quantities: ReadonlyMap<string, Quantity>,
  mapping: Mapping,
  round: 'down' | 'up',
  { file, path }: Item,
): Record<string, number> {
  const amounts: Record<string, number> = {};
  for (const [resource, quantity] of quantities) {
    const unit = unitOf(resource, mapping);
    if (unit === null) continue;
    const amount = inUnits(quantity, unit.unit, round);
    if (amount > 2n ** 31n - 1n)
      throw invalid(file, path, `${resource} is too large: ${amount} ${unit.resourceClass}`);
    if (amount > 0n) amounts[unit.resourceClass] = (amounts[unit.resourceClass] ?? 0) + Number(amount);
  }
  return amounts;
}

/** A node and its devices. */
class NodeTree {
  readonly consumers: SourceConsumer[] = [];
  private readonly root: SourceNode & { children: SourceNode[] };
  private readonly numa = new Map<string, SourceNode & { children: SourceNode[] }>();

  constructor(
    readonly name: string,
    item: Item,
    mapping: Mapping,
  ) {
    const totals = amountsOf(quantitiesAt(item, 'status', 'allocatable'), mapping, 'down', item);
    if (Object.keys(totals).length === 0)
      throw invalid(
        item.file,
        `${item.path}.status.allocatable`,
        `the node ${name} has no allocatable resource`,
      );
    const inventories = Object.fromEntries(
      Object.entries(totals).map(([each, total]): [string, SourceInventory] => [each, { total }]),
    );
    const labels = Object.entries(objectAt(item, 'metadata', 'labels'));
    const arch = labels.find(([label]) => label === 'kubernetes.io/arch')?.[1];
    const traits = labels.flatMap(([label, value]) =>
      mapping.labels.get(label) === 'trait' ? customName(label.replace(/^.*\//, ''), String(value)) : [],
    );
    traits.push(...archTraits(arch));
    if (objectAt(item, 'spec').unschedulable === true) traits.push('COMPUTE_STATUS_DISABLED');
    const aggregates = labels.flatMap(([label, value]) =>
      mapping.labels.get(label) === 'aggregate' && value !== '' ? String(value) : [],
    );
    this.root = {
      name,
      inventories,
      traits: [...new Set(traits)],
      aggregates: [...new Set(aggregates)],
      children: [],
    };
  }

  addDevice(device: SourceNode, numa: string | null): void {
    if (numa === null) return void this.root.children.push(device);
    const name = `${this.name}-numa${numa}`;
    const node = this.numa.get(numa) ?? { name, traits: ['HW_NUMA_ROOT'], children: [] };
    if (!this.numa.has(numa)) this.root.children.push(node);
    this.numa.set(numa, node);
    node.children.push(device);
  }

  tree(): SourceTree {
    const { consumers } = this;
    return { root: this.root, ...(consumers.length > 0 && { allocations: consumers }) };
  }
}

interface Device {
  readonly name: string;
  readonly resourceClass: string;
  readonly node: NodeTree;
}

/** Adds the devices of the newest generation of each pool. Returns them by driver, pool and name. */
function addDevices(
  slices: readonly Item[],
  nodes: ReadonlyMap<string, NodeTree>,
  mapping: Mapping,
  notes: string[],
): Map<string, Device> {
  const newest = new Map<string, number>();
  const keyOf = (slice: Item): string =>
    `${textAt(slice, 'spec', 'driver')}/${textAt(slice, 'spec', 'pool', 'name')}`;
  const generationOf = (slice: Item): number => Number(objectAt(slice, 'spec', 'pool').generation ?? 0);
  for (const slice of slices)
    newest.set(keyOf(slice), Math.max(newest.get(keyOf(slice)) ?? 0, generationOf(slice)));
  const devices = new Map<string, Device>();
  let shared = 0;
  for (const slice of slices.filter((each) => generationOf(each) === newest.get(keyOf(each)))) {
    const { nodeName } = objectAt(slice, 'spec');
    if (typeof nodeName !== 'string') {
      notes.push(`the slice ${slice.path} belongs to no single node and is omitted`);
      continue;
    }
    const node = nodes.get(nodeName);
    if (node === undefined)
      throw invalid(slice.file, `${slice.path}.spec.nodeName`, `there is no node ${shown(nodeName)}`);
    for (const item of listAt(slice, 'spec', 'devices')) {
      // version v1beta1 has the fields of a device in `basic`
      const basic = isJson(item.object.basic)
        ? { ...item, object: item.object.basic, path: `${item.path}.basic` }
        : item;
      if (listAt(basic, 'consumesCounters').length > 0) {
        shared++;
        continue;
      }
      const key = `${keyOf(slice)}/${textAt(item, 'name')}`;
      if (devices.has(key)) throw invalid(item.file, item.path, `the device ${key} is there twice`);
      const resourceClass = customName(textAt(slice, 'spec', 'driver'));
      const name = `${nodeName}-${textAt(item, 'name')}`;
      const { traits, numa } = attributesOf(basic, mapping);
      node.addDevice(
        { name, inventories: { [resourceClass]: { total: 1 } }, ...(traits.length > 0 && { traits }) },
        numa,
      );
      devices.set(key, { name, resourceClass, node });
    }
  }
  if (shared > 0) notes.push(`${shared} devices share counters with others and are omitted`);
  return devices;
}

/** Reads the attributes of a device: each is an object with one of the fields int, string, bool and version. */
function attributesOf(
  item: Item,
  mapping: Mapping,
): { readonly traits: string[]; readonly numa: string | null } {
  const traits: string[] = [];
  let numa: string | null = null;
  for (const [qualified, value] of Object.entries(objectAt(item, 'attributes'))) {
    const name = qualified.replace(/^.*\//, '');
    if (!isJson(value))
      throw invalid(item.file, `${item.path}.attributes.${qualified}`, 'it must be an object');
    if (/^numa(Node)?$/i.test(name) && Number.isInteger(value.int) && (value.int as number) >= 0)
      numa = String(value.int);
    const text = value.string ?? value.version;
    const isTrait = mapping.attributes.has(name) || mapping.attributes.has(qualified);
    if (isTrait && typeof text === 'string') traits.push(customName(text));
  }
  return { traits: [...new Set(traits)], numa };
}

/** Adds the effective requests of a pod that runs on a node. */
function addPod(pod: Item, nodes: ReadonlyMap<string, NodeTree>, mapping: Mapping): void {
  const { nodeName } = objectAt(pod, 'spec');
  const { phase } = objectAt(pod, 'status');
  if (typeof nodeName !== 'string' || phase === 'Succeeded' || phase === 'Failed') return;
  const node = nodes.get(nodeName);
  if (node === undefined)
    throw invalid(pod.file, `${pod.path}.spec.nodeName`, `there is no node ${shown(nodeName)}`);
  const resources = amountsOf(requestsOf(pod), mapping, 'up', pod);
  const { resourceClass } = unitOf('pods', mapping) ?? {};
  if (resourceClass !== undefined) resources[resourceClass] = 1;
  const user = objectAt(pod, 'spec').serviceAccountName;
  node.consumers.push({
    consumer: textAt(pod, 'metadata', 'uid'),
    type: 'POD',
    projectId: textAt(pod, 'metadata', 'namespace'),
    userId: typeof user === 'string' && user !== '' ? user : 'default',
    allocations: { providers: [{ resourceProvider: { name: nodeName }, resources }] },
  });
}

/**
 * Returns what the scheduler of Kubernetes counts for a pod: the sum of its containers and restartable init containers,
 * or the largest init container with the restartable ones before it; then the overhead. Requests of the pod replace both.
 */
function requestsOf(pod: Item): Map<string, Quantity> {
  const total = new Map<string, Quantity>();
  const add = (to: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void => {
    for (const [name, amount] of amounts) to.set(name, sum(to.get(name) ?? whole(0n), amount));
  };
  const largest = (to: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void => {
    for (const [name, amount] of amounts)
      if (isAbove(amount, to.get(name) ?? whole(0n))) to.set(name, amount);
  };
  for (const container of listAt(pod, 'spec', 'containers'))
    add(total, quantitiesAt(container, 'resources', 'requests'));
  const restartable = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of listAt(pod, 'spec', 'initContainers')) {
    const requests = quantitiesAt(container, 'resources', 'requests');
    const during = new Map(restartable);
    add(during, requests);
    largest(starting, during);
    if (container.object.restartPolicy === 'Always') add(restartable, requests);
  }
  add(total, restartable);
  largest(total, starting);
  for (const [name, amount] of quantitiesAt(pod, 'spec', 'resources', 'requests')) total.set(name, amount);
  add(total, quantitiesAt(pod, 'spec', 'overhead'));
  return total;
}

function addClaim(claim: Item, devices: ReadonlyMap<string, Device>): void {
  const used = listAt(claim, 'status', 'allocation', 'devices', 'results').flatMap((result) => {
    const key = ['driver', 'pool', 'device'].map((field) => textAt(result, field)).join('/');
    return devices.get(key) ?? [];
  });
  if (used.length === 0) return;
  used[0].node.consumers.push({
    consumer: textAt(claim, 'metadata', 'uid'),
    type: 'RESOURCE_CLAIM',
    projectId: textAt(claim, 'metadata', 'namespace'),
    userId: 'default',
    allocations: {
      providers: used.map(({ name, resourceClass }) => ({
        resourceProvider: { name },
        resources: { [resourceClass]: 1 },
      })),
    },
  });
}
