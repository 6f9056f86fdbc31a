import { sql } from 'kysely';
import { type UpsertResult } from 'mariadb';
import {
  caseOf,
  columns,
  insertion,
  list,
  statement,
  tables,
  value,
  write,
} from '../../database/statements.js';
import { kindSet } from '../../feed/kinds.js';
import { batches, COMPARED_AT_ONCE } from '../batches.js';
import { findProviders, type ProviderRow } from './providerRows.js';
import { type Transaction } from '../transaction.js';

/** A provider to insert. Null for both: its root and parent are set later. */
export interface NewProvider {
  readonly uuid: string;
  readonly name: string;
  readonly rootId: number | null;
  readonly parentId: number | null;
}

const ROW = ['uuid', 'name', 'generation', 'root_provider_id', 'parent_provider_id', 'created_at'] as const;
const INSERT = insertion('resource_providers', ROW);

/** Inserts providers at generation 0 (rule 38) and gives their ids by uuid. */
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
    // the ids of one statement need not follow one another
    const uuids = batch.map(({ uuid }) => uuid);
    for (const { uuid, id } of (await findProviders(tx, uuids)).values()) ids.set(uuid, id);
  }
  tx.recorded.addProviders(ids.values(), kindSet('CREATED'));
  return ids;
}

const p = columns('resource_providers');

/** Puts providers under their parents in the tree of this root. */
export async function setParents(
  tx: Transaction,
  links: readonly Pick<ProviderRow, 'id' | 'parentId'>[],
  rootId: number,
): Promise<void> {
  tx.recorded.addProviders(
    links.map(({ id }) => id),
    kindSet('MOVED'),
  );
  for (const batch of batches(links, COMPARED_AT_ONCE)) {
    await tx.query(
      `UPDATE resource_providers
          SET ${p.root_provider_id} = ?, ${p.parent_provider_id} = ${caseOf(p.id, batch.length)}
        WHERE ${p.id} IN (?) ORDER BY ${p.id}`,
      [rootId, ...batch.flatMap(({ id, parentId }) => [id, parentId]), batch.map(({ id }) => id)],
    );
  }
}

const PROVIDERS = tables.updateTable('resource_providers').where('id', 'in', list<number>()).orderBy('id');
const SET_ROOT = statement(PROVIDERS.set({ root_provider_id: value<number>(), updated_at: value<Date>() }));

/**
 * Gives providers that moved along with one above them the root of their new tree (rule 43), but not a new generation:
 * their root is derived, and what they offer is the same as before. Record them as leaving.
 */
export async function setRoot(tx: Transaction, ids: readonly number[], rootId: number): Promise<void> {
  if (ids.length > 0) await write(tx, SET_ROOT, [rootId, tx.now, ids]);
}

export async function renameProviders(
  tx: Transaction,
  renamed: readonly Pick<ProviderRow, 'id' | 'name'>[],
): Promise<void> {
  for (const batch of batches(renamed, COMPARED_AT_ONCE)) {
    await tx.query(
      `UPDATE resource_providers SET ${p.name} = ${caseOf(p.id, batch.length)} WHERE ${p.id} IN (?) ORDER BY ${p.id}`,
      [...batch.flatMap(({ id, name }) => [id, name]), batch.map(({ id }) => id)],
    );
  }
}

const CLEAR_NAMES = statement(PROVIDERS.set({ name: sql`NULL` }));

/** Takes the names of providers that are about to be renamed or removed, so that others can have them, also in a ring. */
export async function clearNames(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await write(tx, CLEAR_NAMES, [ids]);
}

const WITH_PROVIDERS = ['inventories', 'resource_provider_traits', 'resource_provider_aggregates'] as const;
// a root refers to itself and a child to its parent, and the foreign keys would keep them from being deleted
const UNLINK = statement(PROVIDERS.set({ root_provider_id: sql`NULL`, parent_provider_id: sql`NULL` }));

/** Removes providers with their inventories and their links to traits and aggregates; the aggregates stay (rule 47). */
export async function removeProviders(tx: Transaction, providers: readonly ProviderRow[]): Promise<void> {
  if (providers.length === 0) return;
  tx.recorded.addLeaving(providers, kindSet('DELETED'));
  const ids = providers.map(({ id }) => id);
  for (const table of WITH_PROVIDERS) {
    await tx.query(`DELETE FROM ${table} WHERE ${columns(table).resource_provider_id} IN (?)`, [ids]);
  }
  await write(tx, UNLINK, [ids]);
  await tx.query(`DELETE FROM resource_providers WHERE ${p.id} IN (?) ORDER BY ${p.id}`, [ids]);
}
