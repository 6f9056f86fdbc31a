import { type UpsertResult } from 'mariadb';
import { batches, COMPARED_AT_ONCE } from '../batches.js';
import { findProviders, type ProviderRow } from './providerRows.js';
import { type Transaction } from '../transaction.js';

/** A provider to insert. Null for both: its place is given later. */
export interface NewProvider {
  readonly uuid: string;
  readonly name: string;
  readonly rootId: number | null;
  readonly parentId: number | null;
}

/** Inserts providers at generation 0 (rule 38) and gives their ids by uuid. */
export async function insertProviders(
  tx: Transaction,
  providers: readonly NewProvider[],
  now: Date,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const batch of batches(providers)) {
    const { insertId } = await tx.query<UpsertResult>(
      `INSERT INTO resource_providers (uuid, name, generation, root_provider_id, parent_provider_id, created_at)
       VALUES ${batch.map(() => '(?)').join(', ')}`,
      batch.map(({ uuid, name, rootId, parentId }) => [uuid, name, 0, rootId, parentId, now]),
    );
    if (batch.length === 1) {
      ids.set(batch[0].uuid, Number(insertId));
      continue;
    }
    // the ids of one statement need not follow one another
    const uuids = batch.map(({ uuid }) => uuid);
    for (const { uuid, id } of (await findProviders(tx, uuids)).values()) ids.set(uuid, id);
  }
  tx.announce(ids.values());
  return ids;
}

/** A provider's place in a tree; the parent is null for the root. */
export interface Place {
  readonly id: number;
  readonly parentId: number | null;
}

/** Puts providers under their parents in the tree of this root. */
export async function placeProviders(
  tx: Transaction,
  places: readonly Place[],
  rootId: number,
): Promise<void> {
  tx.announce(places.map(({ id }) => id));
  for (const batch of batches(places, COMPARED_AT_ONCE)) {
    await tx.query(
      `UPDATE resource_providers SET root_provider_id = ?, parent_provider_id = ${byId(batch)}
       WHERE id IN (?) ORDER BY id`,
      [rootId, ...batch.flatMap(({ id, parentId }) => [id, parentId]), batch.map(({ id }) => id)],
    );
  }
}

/**
 * Gives providers that moved along with one above them the root of their new tree (rule 43), but not a new generation:
 * their root is derived, and what they offer is the same as before. Announce them as leaving.
 */
export async function rerootProviders(
  tx: Transaction,
  ids: readonly number[],
  rootId: number,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    'UPDATE resource_providers SET root_provider_id = ?, updated_at = ? WHERE id IN (?) ORDER BY id',
    [rootId, now, ids],
  );
}

interface Naming {
  readonly id: number;
  readonly name: string;
}

export async function renameProviders(tx: Transaction, names: readonly Naming[]): Promise<void> {
  for (const batch of batches(names, COMPARED_AT_ONCE)) {
    await tx.query(`UPDATE resource_providers SET name = ${byId(batch)} WHERE id IN (?) ORDER BY id`, [
      ...batch.flatMap(({ id, name }) => [id, name]),
      batch.map(({ id }) => id),
    ]);
  }
}

/** Takes the names of providers that are about to be renamed or removed, so that others can have them, also in a ring. */
export async function freeNames(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query('UPDATE resource_providers SET name = NULL WHERE id IN (?) ORDER BY id', [ids]);
}

function byId(rows: readonly unknown[]): string {
  return `CASE id ${rows.map(() => 'WHEN ? THEN ?').join(' ')} END`;
}

/** Removes providers with their inventories and their links to traits and aggregates; the aggregates stay (rule 47). */
export async function removeProviders(tx: Transaction, providers: readonly ProviderRow[]): Promise<void> {
  if (providers.length === 0) return;
  const ids = providers.map(({ id }) => id);
  tx.announceLeaving(providers);
  for (const table of ['inventories', 'resource_provider_traits', 'resource_provider_aggregates']) {
    await tx.query(`DELETE FROM ${table} WHERE resource_provider_id IN (?)`, [ids]);
  }
  // a root refers to itself and a child to its parent, and the foreign keys would hold on to them
  await tx.query(
    'UPDATE resource_providers SET root_provider_id = NULL, parent_provider_id = NULL WHERE id IN (?) ORDER BY id',
    [ids],
  );
  await tx.query('DELETE FROM resource_providers WHERE id IN (?) ORDER BY id', [ids]);
}
