import type { ProviderFields } from '../../../model/provider.js';
import { addToGroup } from '../../../model/collections.js';
import { findProviders, treeMembers } from './providerRows.js';
import { lockRows, WriteConflict, type Transaction } from '../transaction.js';

/**
 * Locks the trees of providers until the end of the transaction: no other writer creates, moves or
 * deletes a provider in them. Throws WriteConflict if one of the providers was moved or deleted.
 *
 * Every change of the shape of a tree calls this first, and so writes the row of the root. This
 * prevents new children of a provider that moves or is deleted, and two moves that form a loop. The
 * generation of the root does not change.
 */
export async function lockTrees(tx: Transaction, providers: readonly ProviderFields[]): Promise<void> {
  await lockRows(tx, 'resource_providers', new Set(providers.map(({ rootId }) => rootId)));
  const ids = providers.map(({ id }) => id);
  checkPlaces(providers, [...(await findProviders(tx, [], ids)).values()]);
}

/** Locks whole trees. `members` must contain all their members. An added member is a conflict. */
export async function lockWholeTrees(tx: Transaction, members: readonly ProviderFields[]): Promise<void> {
  const rootIds = [...new Set(members.map(({ rootId }) => rootId))];
  if (rootIds.length === 0) return;
  await lockRows(tx, 'resource_providers', rootIds);
  const found = await treeMembers(tx, rootIds);
  checkPlaces(members, found);
  if (found.length !== members.length) throw new WriteConflict('a provider was created concurrently');
}

/** Throws WriteConflict unless all providers still have the root and the parent that were read. */
function checkPlaces(providers: readonly ProviderFields[], rows: readonly ProviderFields[]): void {
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const { id, rootId, parentId } of providers) {
    const row = found.get(id);
    if (row?.rootId !== rootId || row.parentId !== parentId) {
      throw new WriteConflict('a provider was moved or deleted concurrently');
    }
  }
}

/** Returns the ids of the children of each provider, by the id of the parent. */
function childrenById(
  members: readonly Pick<ProviderFields, 'id' | 'parentId'>[],
): Map<number | null, number[]> {
  const childrenOf = new Map<number | null, number[]>();
  for (const { id, parentId } of members) addToGroup(childrenOf, parentId, id);
  return childrenOf;
}

/** Returns a provider and all its descendants, in any number and depth (rule 48), by id. */
export async function subtreeOf(
  tx: Transaction,
  provider: ProviderFields,
): Promise<Map<number, ProviderFields>> {
  const members = await treeMembers(tx, [provider.rootId]);
  const childrenOf = childrenById(members);
  const subtree = new Set([provider.id]);
  // the iteration of a set also visits members that are added during the iteration
  for (const id of subtree) for (const child of childrenOf.get(id) ?? []) subtree.add(child);
  return new Map(members.filter(({ id }) => subtree.has(id)).map((row) => [row.id, row]));
}

/** Returns these providers and their descendants: depth first, by name, without repetition. */
export function depthFirst(
  tops: readonly ProviderFields[],
  members: readonly ProviderFields[],
): ProviderFields[] {
  const backwards = [...members].sort((a, b) => (a.name < b.name ? 1 : -1));
  const byId = new Map(members.map((row) => [row.id, row]));
  const childrenOf = childrenById(backwards);
  const walked = new Set<ProviderFields>();
  for (const top of tops) {
    const open: (ProviderFields | undefined)[] = [top];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      if (walked.has(row)) continue;
      walked.add(row);
      for (const id of childrenOf.get(row.id) ?? []) open.push(byId.get(id));
    }
  }
  return [...walked];
}
