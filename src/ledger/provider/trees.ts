import { treeMembers, type ProviderRow } from './providerRows.js';
import { touch } from '../lockRows.js';
import { LostRace, type Transaction } from '../transaction.js';

/**
 * Makes the trees of these providers stand still until the end of the transaction: nobody else creates, moves or
 * deletes a provider in them. If one of the providers has meanwhile got another parent or root, or is gone, the race is
 * lost.
 *
 * Whoever changes the shape of a tree calls this first, and so writes the row of the tree's root. A child created
 * while its parent moves to another tree, two moves that together make a loop, a child of a provider that is being
 * deleted: all of them meet in that row. The root's generation stays, as what it offers does not change.
 */
export async function holdTrees(
  tx: Transaction,
  providers: readonly ProviderRow[],
  now: Date,
): Promise<void> {
  await touch(tx, 'resource_providers', new Set(providers.map(({ rootId }) => rootId)), now);
  const rows = await tx.query<Pick<ProviderRow, 'id' | 'rootId' | 'parentId'>[]>(
    `SELECT id, root_provider_id AS rootId, parent_provider_id AS parentId FROM resource_providers WHERE id IN (?)`,
    [providers.map(({ id }) => id)],
  );
  for (const { id, rootId, parentId } of providers) {
    if (!rows.some((row) => row.id === id && row.rootId === rootId && row.parentId === parentId)) {
      throw new LostRace('a provider was moved or deleted by a rival');
    }
  }
}

/** Makes whole trees stand still, all members of which are given: also lost is the race against one who added a member. */
export async function holdWholeTrees(
  tx: Transaction,
  members: readonly ProviderRow[],
  now: Date,
): Promise<void> {
  const rootIds = [...new Set(members.map(({ rootId }) => rootId))];
  if (rootIds.length === 0) return;
  await touch(tx, 'resource_providers', rootIds, now);
  const found = new Map((await treeMembers(tx, rootIds)).map((row) => [row.id, row]));
  const isAsRead = ({ id, rootId, parentId }: ProviderRow): boolean =>
    found.get(id)?.rootId === rootId && found.get(id)?.parentId === parentId;
  if (found.size !== members.length || !members.every(isAsRead)) {
    throw new LostRace('a tree was changed by a rival');
  }
}

/** Everything below a provider, by the id of the parent, out of rows that have all of its descendants. */
export function childrenById(
  members: readonly Pick<ProviderRow, 'id' | 'parentId'>[],
): Map<number | null, number[]> {
  const childrenOf = new Map<number | null, number[]>();
  for (const { id, parentId } of members) {
    const siblings = childrenOf.get(parentId);
    if (siblings) siblings.push(id);
    else childrenOf.set(parentId, [id]);
  }
  return childrenOf;
}

/** A provider and all its descendants, of any number and depth (rule 48), by id. */
export async function subtreeOf(tx: Transaction, provider: ProviderRow): Promise<Map<number, ProviderRow>> {
  const members = await treeMembers(tx, [provider.rootId]);
  const childrenOf = childrenById(members);
  const subtree = new Set([provider.id]);
  // a set gives also what is added to it while it is walked
  for (const id of subtree) for (const child of childrenOf.get(id) ?? []) subtree.add(child);
  return new Map(members.filter(({ id }) => subtree.has(id)).map((row) => [row.id, row]));
}
