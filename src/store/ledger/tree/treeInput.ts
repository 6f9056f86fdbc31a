import type { ProviderFields } from '../../../model/provider.js';
import {
  firstDuplicate,
  InvalidInput,
  type ConsumerAllocationsInput,
  checkNewUuid,
  checkProviderName,
} from '../../../model/input.js';
import type { StatedInventory } from '../inventory/consumption.js';
import { type InventoryInput, checkInventories } from '../inventory/inventoryRows.js';
import { checkAggregates } from '../provider/aggregates.js';
import { findNameHolders, findProviders, treeMembers } from '../provider/providerRows.js';
import { checkTraits } from '../provider/traits.js';
import { type Transaction, WriteConflict } from '../transaction.js';

/** The desired state of a provider with its descendants. Omitted or null fields stay; [] clears. */
export interface DesiredProvider {
  /** Null means the provider with this name in the tree, or a new one with a generated uuid. */
  readonly uuid?: string | null;
  readonly name: string;
  /** Checked only if the provider differs from its stored state. */
  readonly generation?: number | null;
  readonly inventories?: readonly InventoryInput[] | null;
  readonly traits?: readonly string[] | null;
  readonly aggregates?: readonly string[] | null;
  readonly children?: readonly DesiredProvider[] | null;
}

export interface ApplyProviderTreeInput {
  readonly root: DesiredProvider;
  /** The desired state of consumers with their whole sets of allocations. Null: allocations must not change. */
  readonly allocations?: readonly ConsumerAllocationsInput[] | null;
  /** Validates everything and writes nothing. */
  readonly dryRun?: boolean | null;
}

/** A provider of the input. The root has no parent. */
export interface DesiredNode {
  readonly desired: DesiredProvider;
  readonly parent: DesiredNode | null;
  /** Its position among the children of its parent. */
  readonly position: number;
  /** The path of the root in the input. */
  readonly top: readonly string[];
}

/** Returns all providers of the input depth first, parents before children. Trees have any depth (rule 48). */
export function nodesOf(root: DesiredProvider, top: readonly string[] = ['root']): DesiredNode[] {
  const nodes: DesiredNode[] = [];
  const open: DesiredNode[] = [{ desired: root, parent: null, position: 0, top }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node);
    const children = node.desired.children ?? [];
    // pushes the children backwards, so that the first child is popped first
    for (let position = children.length - 1; position >= 0; position--) {
      open.push({ desired: children[position], parent: node, position, top });
    }
  }
  return nodes;
}

/** The path of a provider in the input, for rejections: ["root", "children", "0"]. */
export function pathOf(node: DesiredNode): string[] {
  const path: string[] = [];
  for (let at = node; at.parent !== null; at = at.parent) path.push(String(at.position), 'children');
  return [...node.top, ...path.reverse()];
}

/**
 * Rejects the first malformed, unknown or repeated value of the input. Each uuid and name may occur once in the tree;
 * the other rules are those of the single writes (decisions D7, D12).
 */
export function checkNodes(
  nodes: readonly DesiredNode[],
  known: { readonly classes: ReadonlyMap<string, number>; readonly traits: ReadonlyMap<string, number> },
): void {
  // the index of a node without a uuid serves as its unique key
  const keys = nodes.map(({ desired }, index) => desired.uuid ?? String(index));
  const repeatedUuid = firstDuplicate(keys);
  const repeatedName = firstDuplicate(nodes.map(({ desired }) => desired.name));
  for (const [index, node] of nodes.entries()) {
    const { uuid, name, inventories, traits, aggregates } = node.desired;
    try {
      if (uuid != null) checkNewUuid(uuid, ['uuid']);
      if (index === repeatedUuid) throw givenTwice('uuid', keys[index]);
      checkProviderName(name);
      if (index === repeatedName) throw givenTwice('name', name);
      if (inventories) checkInventories(inventories, ['inventories'], known.classes);
      if (traits) checkTraits(traits, ['traits'], known.traits);
      if (aggregates) checkAggregates(aggregates, ['aggregates']);
    } catch (error) {
      throw error instanceof InvalidInput ? error.within(pathOf(node)) : error;
    }
  }
}

/** Returns the inventories that an input states, with their paths. */
export function statedInTree(
  planned: readonly { readonly node: DesiredNode; readonly row: Pick<ProviderFields, 'id'> }[],
): StatedInventory[] {
  return planned.flatMap(({ node, row: { id: providerId } }) =>
    (node.desired.inventories ?? []).map(({ resourceClass, consumes = null }, at) => {
      return { providerId, resourceClass, consumes, path: [...pathOf(node), 'inventories', String(at)] };
    }),
  );
}

function givenTwice(field: 'uuid' | 'name', value: string): InvalidInput {
  return new InvalidInput([field], `the ${field} ${value} is given twice in this tree`);
}

/** The stored state of the trees of an input. */
export interface StoredTrees {
  /** The stored provider that matches the root of the input. Undefined if the tree is new. */
  readonly root: ProviderFields | undefined;
  /** All providers of this tree, and of the trees from which providers move here. */
  readonly members: readonly ProviderFields[];
}

/**
 * Finds the trees of an input: the tree of its root, by uuid or else by name, and the trees of all
 * other uuids. INVALID_INPUT if the root's uuid belongs to a provider with a parent.
 */
export async function readStoredTrees(tx: Transaction, nodes: readonly DesiredNode[]): Promise<StoredTrees> {
  const uuids = nodes.flatMap(({ desired }) => desired.uuid ?? []);
  const found = await findProviders(tx, uuids);
  const root = await findRoot(tx, nodes[0], found);
  const concerned = [...found.values(), ...(root ? [root] : [])];
  const members = await treeMembers(tx, [...new Set(concerned.map(({ rootId }) => rootId))]);
  const byId = new Map(members.map((row) => [row.id, row]));
  for (const { id, parentId } of concerned) {
    if (byId.get(id)?.parentId !== parentId)
      throw new WriteConflict('a provider was moved or deleted concurrently');
  }
  return { root: root && byId.get(root.id), members };
}

async function findRoot(
  tx: Transaction,
  { desired: { uuid, name } }: DesiredNode,
  found: ReadonlyMap<string, ProviderFields>,
): Promise<ProviderFields | undefined> {
  if (uuid != null) {
    const root = found.get(uuid);
    if (root === undefined || root.parentId === null) return root;
    throw new InvalidInput(['root', 'uuid'], `resource provider ${uuid} is no root`);
  }
  const holder = (await findNameHolders(tx, [name])).at(0);
  // excludes a provider that the input identifies by its uuid elsewhere
  const isRoot = holder?.name === name && holder.parentId === null && !found.has(holder.uuid);
  return isRoot ? holder : undefined;
}
