import { InvalidInput } from '../../domain/invalidInput.js';
import { findNameHolder, findProviders, treeMembers, type ProviderRow } from '../provider/providerRows.js';
import type { Wish } from './input.js';
import { LostRace, type Transaction } from '../transaction.js';

/** What is stored of the trees that an input is about. */
export interface StoredTrees {
  /** The provider that the input's root is; undefined: the input makes a new tree. */
  readonly root: ProviderRow | undefined;
  /** Every provider of that tree, and of the trees that others are moved in from. */
  readonly members: readonly ProviderRow[];
}

/**
 * Finds the trees that an input is about: the one of its root, by uuid or else by name, and those of all other uuids that
 * it names. INVALID_INPUT where the uuid of the input's root is of a provider below another.
 */
export async function readStoredTrees(tx: Transaction, wishes: readonly Wish[]): Promise<StoredTrees> {
  const found = await findProviders(
    tx,
    wishes.flatMap(({ desired }) => desired.uuid ?? []),
  );
  const root = await findRoot(tx, wishes[0], found);
  const concerned = [...found.values(), ...(root ? [root] : [])];
  const members = await treeMembers(tx, [...new Set(concerned.map(({ rootId }) => rootId))]);
  const byId = new Map(members.map((row) => [row.id, row]));
  for (const { id, parentId } of concerned) {
    if (byId.get(id)?.parentId !== parentId) throw new LostRace('a provider was moved or deleted by a rival');
  }
  return { root: root && byId.get(root.id), members };
}

async function findRoot(
  tx: Transaction,
  { desired: { uuid, name } }: Wish,
  found: ReadonlyMap<string, ProviderRow>,
): Promise<ProviderRow | undefined> {
  if (uuid != null) {
    const root = found.get(uuid);
    if (root === undefined || root.parentId === null) return root;
    throw new InvalidInput(['root', 'uuid'], `resource provider ${uuid} is no root`);
  }
  const holder = await findNameHolder(tx, name);
  // one that the input names by its uuid at another place is that one, whatever it is called now
  const isRoot = holder?.name === name && holder.parentId === null && !found.has(holder.uuid);
  return isRoot ? holder : undefined;
}
