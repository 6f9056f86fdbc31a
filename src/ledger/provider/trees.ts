import { list, read, statement, tables } from '../../database/statements.js';
import { type ProviderRow, treeMembers } from './providerRows.js';
import { lockRows } from '../rows.js';
import { WriteConflict, type Transaction } from '../transaction.js';

const LINKS = statement(
  tables
    .selectFrom('resource_providers')
    .select(['id', 'root_provider_id as rootId', 'parent_provider_id as parentId'])
    .where('id', 'in', list<number>()),
);

/**
 * Locks the trees of providers until the end of the transaction: nobody else creates, moves or deletes a provider in
 * them. It is a conflict if one of the providers was moved or deleted meanwhile.
 *
 * Every change of the shape of a tree calls this first and so writes the row of the root: the creation of a child
 * while its parent moves, two moves that together make a loop, a child of a provider that is being deleted. The
 * generation of the root stays.
 */
export async function lockTrees(tx: Transaction, providers: readonly ProviderRow[]): Promise<void> {
  await lockRows(tx, 'resource_providers', new Set(providers.map(({ rootId }) => rootId)));
  checkPlaces(providers, await read(tx, LINKS, [providers.map(({ id }) => id)]));
}

/** Locks whole trees, all members of which are given. An added member is a conflict, too. */
export async function lockWholeTrees(tx: Transaction, members: readonly ProviderRow[]): Promise<void> {
  const rootIds = [...new Set(members.map(({ rootId }) => rootId))];
  if (rootIds.length === 0) return;
  await lockRows(tx, 'resource_providers', rootIds);
  const found = await treeMembers(tx, rootIds);
  checkPlaces(members, found);
  if (found.length !== members.length) throw new WriteConflict('a provider was created concurrently');
}

type TreeRow = Readonly<Record<'id' | 'rootId' | 'parentId', number | null>>;

/** A conflict, unless all of these have the root and the parent that were read before. */
function checkPlaces(providers: readonly ProviderRow[], rows: readonly TreeRow[]): void {
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const { id, rootId, parentId } of providers) {
    const row = found.get(id);
    if (row?.rootId !== rootId || row.parentId !== parentId) {
      throw new WriteConflict('a provider was moved or deleted concurrently');
    }
  }
}

/** The ids of the children of each provider, by the id of the parent. */
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
  // iterating a set also visits what is added to it meanwhile
  for (const id of subtree) for (const child of childrenOf.get(id) ?? []) subtree.add(child);
  return new Map(members.filter(({ id }) => subtree.has(id)).map((row) => [row.id, row]));
}
