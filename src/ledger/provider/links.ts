import { batches, COMPARED_AT_ONCE } from '../batches.js';
import type { ProviderRow } from './providerRows.js';
import type { Transaction } from '../transaction.js';

/** The tables that tie providers to traits and to aggregates, with the column of what they are tied to. */
const TARGET = {
  resource_provider_traits: 'trait_id',
  resource_provider_aggregates: 'aggregate_id',
} as const;
type LinkTable = keyof typeof TARGET;

/** A provider, and a trait that it has or an aggregate that it is in. */
export interface Link {
  readonly providerId: number;
  readonly targetId: number;
}

/** What has to be written to get from stored links to wanted ones. */
export interface LinkChange {
  readonly removed: readonly Link[];
  readonly added: readonly Link[];
}

/** All links of these providers. */
export async function storedLinks(
  tx: Transaction,
  table: LinkTable,
  providers: readonly Pick<ProviderRow, 'id'>[],
): Promise<Link[]> {
  if (providers.length === 0) return [];
  return tx.query<Link[]>(
    `SELECT resource_provider_id AS providerId, ${TARGET[table]} AS targetId FROM ${table}
     WHERE resource_provider_id IN (?)`,
    [providers.map(({ id }) => id)],
  );
}

/** Compares the links that providers have with the ones that they shall have. */
export function linkChange(stored: readonly Link[], wanted: readonly Link[]): LinkChange {
  const storedKeys = new Set(stored.map(keyOf));
  const wantedKeys = new Set(wanted.map(keyOf));
  return {
    removed: stored.filter((link) => !wantedKeys.has(keyOf(link))),
    added: wanted.filter((link) => !storedKeys.has(keyOf(link))),
  };
}

function keyOf({ providerId, targetId }: Link): string {
  return `${providerId}:${targetId}`;
}

/** Writes a change in a bounded number of statements, but for batches. */
export async function writeLinks(
  tx: Transaction,
  table: LinkTable,
  { removed, added }: LinkChange,
  now: Date,
): Promise<void> {
  for (const links of batches(removed, COMPARED_AT_ONCE)) {
    const isOne = links.map(() => `resource_provider_id = ? AND ${TARGET[table]} = ?`).join(' OR ');
    await tx.query(
      `DELETE FROM ${table} WHERE ${isOne}`,
      links.flatMap(({ providerId, targetId }) => [providerId, targetId]),
    );
  }
  for (const links of batches(added)) {
    await tx.query(
      `INSERT INTO ${table} (resource_provider_id, ${TARGET[table]}, created_at)
       VALUES ${links.map(() => '(?)').join(', ')}`,
      links.map(({ providerId, targetId }) => [providerId, targetId, now]),
    );
  }
}
