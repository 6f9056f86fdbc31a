import type { NotNull } from 'kysely';
import type { UpsertResult } from 'mariadb';
import {
  caseOf,
  columns,
  deletionFrom,
  insertion,
  list,
  read,
  statement,
  tables,
  updateOf,
} from '../../sql/statements.js';
import type { ProviderFields } from '../../../model/provider.js';
import { kindSet } from '../../../model/recordedChanges.js';
import { COMPARED_AT_ONCE, batches } from '../rows.js';
import { isStorable } from '../../sql/storable.js';
import { DuplicateName, NotFound } from '../../../model/rejections.js';
import { checkProviderName, unstorableName } from '../../../model/names.js';
import type { Transaction } from '../transaction.js';

/** A row of resource_providers as a transaction has read it. */
export type ProviderRow = ProviderFields;

const PROVIDERS = tables
  .selectFrom('resource_providers')
  .select([
    'id',
    'uuid',
    'name',
    'generation',
    'root_provider_id as rootId',
    'parent_provider_id as parentId',
  ])
  .$narrowType<{ name: NotNull; generation: NotNull; rootId: NotNull }>();
const WITH_UUIDS = statement(PROVIDERS.where('uuid', 'in', list<string>()));
const WITH_UUIDS_OR_IDS = statement(
  PROVIDERS.where((where) =>
    where.or([where('uuid', 'in', list<string>()), where('id', 'in', list<number>())]),
  ),
);
const WITH_ROOTS = statement(PROVIDERS.where('root_provider_id', 'in', list<number>()));
const WITH_NAMES = statement(PROVIDERS.where('name', 'in', list<string>()));

/** Returns the providers with these uuids or ids, by uuid. Omits unknown providers. */
export async function findProviders(
  tx: Transaction,
  uuids: readonly string[],
  ids: readonly number[] = [],
): Promise<Map<string, ProviderRow>> {
  if (uuids.length + ids.length === 0) return new Map();
  const rows =
    ids.length === 0
      ? await read(tx, WITH_UUIDS, [uuids])
      : await read(tx, WITH_UUIDS_OR_IDS, [uuids.length > 0 ? uuids : [''], ids]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Returns the provider from `found`. NOT_FOUND if it is missing. */
export function required(found: ReadonlyMap<string, ProviderRow>, uuid: string): ProviderRow {
  const provider = found.get(uuid);
  if (provider === undefined) throw new NotFound('RESOURCE_PROVIDER', uuid);
  return provider;
}

/** Returns all providers of the trees with these roots. */
export async function treeMembers(tx: Transaction, rootIds: readonly number[]): Promise<ProviderRow[]> {
  return rootIds.length === 0 ? [] : read(tx, WITH_ROOTS, [rootIds]);
}

/** Finds the providers that have one of these names by the collation of the database, which may ignore case. */
export async function findNameHolders(tx: Transaction, names: readonly string[]): Promise<ProviderRow[]> {
  const holders: ProviderRow[] = [];
  for (const batch of batches(names)) holders.push(...(await read(tx, WITH_NAMES, [batch])));
  return holders;
}

/** Rejects a name that is malformed or that the table cannot store (INVALID_INPUT). */
export async function checkNewName(tx: Transaction, name: string): Promise<void> {
  checkProviderName(name);
  if (!(await isStorable(tx, 'resource_providers', name))) throw unstorableName(['name'], name);
}

/** Rejects a name that another provider has. */
export async function checkNameFree(tx: Transaction, name: string, provider?: ProviderRow): Promise<void> {
  const holder = (await findNameHolders(tx, [name])).at(0);
  if (holder && holder.id !== provider?.id) throw new DuplicateName(name, holder);
}

/** A provider to insert. If its root and parent are null, `setParents` sets them later. */
interface NewProvider extends Pick<ProviderRow, 'uuid' | 'name' | 'parentId'> {
  readonly rootId: number | null;
}

const ROW = ['uuid', 'name', 'generation', 'root_provider_id', 'parent_provider_id', 'created_at'] as const;
const INSERT = insertion('resource_providers', ROW);

/** Inserts providers at generation 0 (rule 38) and returns their ids by uuid. */
export async function insertProviders(
  tx: Transaction,
  providers: readonly NewProvider[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const batch of batches(providers)) {
    const rows = batch.map(
      ({ uuid, name, rootId, parentId }) => [uuid, name, 0, rootId, parentId, tx.now] as const,
    );
    const { insertId } = await tx.query<UpsertResult>(...INSERT(rows));
    if (batch.length === 1) {
      ids.set(batch[0].uuid, Number(insertId));
      continue;
    }
    // the ids of one statement need not be consecutive
    const uuids = batch.map(({ uuid }) => uuid);
    for (const { uuid, id } of (await findProviders(tx, uuids)).values()) ids.set(uuid, id);
  }
  tx.recorded.addProviders(ids.values(), kindSet('CREATED'));
  return ids;
}

const p = columns('resource_providers');
const UPDATE = updateOf('resource_providers');
const LISTED = `WHERE ${p.id} IN (?) ORDER BY ${p.id}`;

/** Moves providers under their parents in the tree of this root. */
export async function setParents(
  tx: Transaction,
  links: readonly Pick<ProviderRow, 'id' | 'parentId'>[],
  rootId: number,
): Promise<void> {
  for (const { id } of links) tx.recorded.addProviders([id], kindSet('MOVED'));
  for (const batch of batches(links, COMPARED_AT_ONCE)) {
    await tx.query(
      `${UPDATE} SET ${p.root_provider_id} = ?, ${p.parent_provider_id} = ${caseOf(p.id, batch.length)} ${LISTED}`,
      [rootId, ...batch.flatMap(({ id, parentId }) => [id, parentId]), batch.map(({ id }) => id)],
    );
  }
}

/**
 * Sets the root of the descendants of a moved provider (rule 43). Their generation does not change,
 * because the root is derived data. The caller records them as leaving.
 */
export async function setRoot(tx: Transaction, ids: readonly number[], rootId: number): Promise<void> {
  const sql = `${UPDATE} SET ${p.root_provider_id} = ?, ${p.updated_at} = ? ${LISTED}`;
  for (const batch of batches(ids)) await tx.query(sql, [rootId, tx.now, batch]);
}

export async function renameProviders(
  tx: Transaction,
  renamed: readonly Pick<ProviderRow, 'id' | 'name'>[],
): Promise<void> {
  for (const batch of batches(renamed, COMPARED_AT_ONCE)) {
    await tx.query(`${UPDATE} SET ${p.name} = ${caseOf(p.id, batch.length)} ${LISTED}`, [
      ...batch.flatMap(({ id, name }) => [id, name]),
      batch.map(({ id }) => id),
    ]);
  }
}

/**
 * Clears the names of providers before they are renamed or deleted, so that other providers can
 * take these names, even in a cycle.
 */
export async function clearNames(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (const batch of batches(ids)) await tx.query(`${UPDATE} SET ${p.name} = NULL ${LISTED}`, [batch]);
}

const WITH_UPDATED = ['inventories', 'resource_provider_traits', 'resource_provider_aggregates'] as const;
// a root refers to itself and a child to its parent: the foreign keys would prevent the deletion
const UNLINK = `${UPDATE} SET ${p.root_provider_id} = NULL, ${p.parent_provider_id} = NULL ${LISTED}`;

/** Removes providers with their inventories and their links to traits and aggregates; the aggregates stay (rule 47). */
export async function removeProviders(tx: Transaction, providers: readonly ProviderRow[]): Promise<void> {
  if (providers.length === 0) return;
  tx.recorded.addLeaving(providers, kindSet('DELETED'));
  const ids = [...batches(providers.map(({ id }) => id).sort((a, b) => a - b))];
  const run = async (sql: string): Promise<void> => {
    for (const batch of ids) await tx.query(sql, [batch]);
  };
  for (const table of WITH_UPDATED)
    await run(`${deletionFrom(table)} WHERE ${columns(table).resource_provider_id} IN (?)`);
  await run(UNLINK);
  await run(`${deletionFrom('resource_providers')} ${LISTED}`);
}
