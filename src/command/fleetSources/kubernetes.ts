import { addDevices, type Device } from './kubernetesDevices.js';
import {
  itemsOf,
  itemsOfDocuments,
  listAt,
  objectAt,
  quantitiesAt,
  textAt,
  type Item,
} from './kubernetesItems.js';
import { DEFAULT_MAPPING, readMapping, unitOf, type Mapping } from './kubernetesMapping.js';
import { inUnits, isAbove, sum, whole, type Quantity } from './quantity.js';
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
    nodes.set(name, new NodeTree(name, nodeRoot(name, item, mapping)));
  }
  const notes: string[] = [];
  const devices = addDevices(
    ofKind('ResourceSlice'),
    mapping,
    notes,
    nodes.keys(),
    ({ file, path }, name) => {
      const node = nodes.get(name);
      if (node !== undefined) return node;
      throw invalid(file, `${path}.spec.nodeName`, `there is no node ${shown(name)}`);
    },
  );
  if (withConsumers) {
    for (const pod of ofKind('Pod')) addPod(pod, nodes, mapping);
    for (const claim of ofKind('ResourceClaim')) addClaim(claim, devices);
  }
  return { trees: Array.from(nodes.values(), (node) => node.tree()), notes };
}

/** Reads only the devices of resource slices, from files of YAML or JSON. Each node is a host without amounts. */
export async function parseResourceSlices(texts: readonly SourceText[]): Promise<ParsedFleet> {
  const items = (await Promise.all(texts.map(itemsOfDocuments))).flat();
  const nodes = new Map<string, NodeTree>();
  const notes: string[] = [];
  const slices = items.filter(({ kind }) => kind === 'ResourceSlice');
  const hosts = slices.map((slice) => String(objectAt(slice, 'spec').nodeName));
  addDevices(slices, DEFAULT_MAPPING, notes, hosts, (_slice, name) => {
    const node = nodes.get(name) ?? new NodeTree(name, { name, children: [] });
    nodes.set(name, node);
    return node;
  });
  return { trees: Array.from(nodes.values(), (node) => node.tree()), notes };
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

/** Returns a node without its devices. */
function nodeRoot(name: string, item: Item, mapping: Mapping): HostNode {
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
  return {
    name,
    inventories,
    traits: [...new Set(traits)],
    aggregates: [...new Set(aggregates)],
    children: [],
  };
}

type HostNode = SourceNode & { children: SourceNode[] };

/** A node and its devices. */
class NodeTree {
  readonly consumers: SourceConsumer[] = [];
  private readonly numa = new Map<string, HostNode>();

  constructor(
    readonly name: string,
    private readonly root: HostNode,
  ) {}

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

/** Adds the effective requests of a pod that runs on a node, unless they are nothing. */
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
  if (Object.keys(resources).length === 0) return;
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
  const requestsIn = requestsDuringResize(pod);
  for (const container of listAt(pod, 'spec', 'containers')) add(total, requestsIn(container));
  const restartable = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of listAt(pod, 'spec', 'initContainers')) {
    const requests = requestsIn(container);
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

/**
 * Returns what counts for a container of a pod. While a pod is resized in place, this is the largest of what is wanted, what
 * the node has agreed to and what is in effect; without what is wanted if the node can never provide it.
 */
function requestsDuringResize(pod: Item): (container: Item) => Map<string, Quantity> {
  const isInfeasible =
    objectAt(pod, 'status').resize === 'Infeasible' ||
    listAt(pod, 'status', 'conditions').some(
      ({ object: { type, reason } }) => type === 'PodResizePending' && reason === 'Infeasible',
    );
  const statuses = ['containerStatuses', 'initContainerStatuses'].flatMap((key) =>
    listAt(pod, 'status', key),
  );
  return (container) => {
    const wanted = quantitiesAt(container, 'resources', 'requests');
    const status = statuses.find(({ object: { name } }) => name === container.object.name);
    if (status?.object.resources === undefined || status.object.resources === null) return wanted;
    const counted = isInfeasible ? new Map<string, Quantity>() : wanted;
    largest(counted, quantitiesAt(status, 'resources', 'requests'));
    largest(counted, quantitiesAt(status, 'allocatedResources'));
    return counted;
  };
}

function largest(to: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of amounts) if (isAbove(amount, to.get(name) ?? whole(0n))) to.set(name, amount);
}

/** Adds the devices of a claim, without those to which it has only administrative access: other claims have them. */
function addClaim(claim: Item, devices: ReadonlyMap<string, Device<NodeTree>>): void {
  const used = listAt(claim, 'status', 'allocation', 'devices', 'results').flatMap((result) => {
    if (result.object.adminAccess === true) return [];
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
