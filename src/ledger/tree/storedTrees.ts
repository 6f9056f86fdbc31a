import { InvalidInput } from '../../domain/invalidInput.js';
import { findNameHolders, findProviders, treeMembers, type ProviderRow } from '../provider/providerRows.js';
import type { DesiredNode } from './treeInput.js';
import { WriteConflict, type Transaction } from '../transaction.js';

/** What is stored of the trees that an input concerns. */
export interface StoredTrees {
  /** The stored provider that the input's root is; undefined: the input makes a new tree. */
  readonly root: ProviderRow | undefined;
  /** Every provider of that tree, and of the trees that others are moved in from. */
  readonly members: readonly ProviderRow[];
}

/**
 * Finds the trees that an input concerns: the one of its root, by uuid or else by name, and those of all other uuids that
 * it names. INVALID_INPUT where the uuid of the input's root is of a provider below another.
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
  found: ReadonlyMap<string, ProviderRow>,
): Promise<ProviderRow | undefined> {
  if (uuid != null) {
    const root = found.get(uuid);
    if (root === undefined || root.parentId === null) return root;
    throw new InvalidInput(['root', 'uuid'], `resource provider ${uuid} is no root`);
  }
  const holder = (await findNameHolders(tx, [name])).at(0);
  // one that the input names by its uuid at another place is that one, whatever it is called now
  const isRoot = holder?.name === name && holder.parentId === null && !found.has(holder.uuid);
  return isRoot ? holder : undefined;
}
