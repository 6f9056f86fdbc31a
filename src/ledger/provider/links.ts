import { columns, insertion, matching, read, select } from '../../database/statements.js';
import { batches, changeOf, COMPARED_AT_ONCE } from '../rows.js';
import type { ProviderRow } from './providerRows.js';
import type { Transaction } from '../transaction.js';

/** The tables that tie providers to traits and to aggregates, with the column of what they are tied to. */
const TABLES = {
  resource_provider_traits: {
    target: columns('resource_provider_traits').trait_id,
    insert: insertion('resource_provider_traits', ['resource_provider_id', 'trait_id', 'created_at']),
  },
  resource_provider_aggregates: {
    target: columns('resource_provider_aggregates').aggregate_id,
    insert: insertion('resource_provider_aggregates', ['resource_provider_id', 'aggregate_id', 'created_at']),
  },
};
export type LinkTable = keyof typeof TABLES;

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
  const list = { providerId: columns(table).resource_provider_id, targetId: TABLES[table].target };
  const query = select(list, `FROM ${table} WHERE ${list.providerId} IN (?)`);
  return read(tx, query, [providers.map(({ id }) => id)]);
}

/** Compares the links of providers with the wanted ones. */
export function linkChange(stored: readonly Link[], wanted: readonly Link[]): LinkChange {
  return changeOf(stored, wanted, keyOf);
}

/** Adds links to those of a provider. */
export function linkAddition(stored: readonly Link[], given: readonly Link[]): LinkChange {
  return { removed: [], added: linkChange(stored, given).added };
}

/** Removes links from those of a provider. */
export function linkRemoval(stored: readonly Link[], given: readonly Link[]): LinkChange {
  const givenKeys = new Set(given.map(keyOf));
  return { removed: stored.filter((link) => givenKeys.has(keyOf(link))), added: [] };
}

function keyOf({ providerId, targetId }: Link): string {
  return `${providerId}:${targetId}`;
}

/** Writes a change in a bounded number of statements, but for batches. */
export async function writeLinks(
  tx: Transaction,
  table: LinkTable,
  { removed, added }: LinkChange,
): Promise<void> {
  const { target, insert } = TABLES[table];
  for (const links of batches(removed, COMPARED_AT_ONCE)) {
    const keys = links.map(({ providerId, targetId }) => [providerId, targetId]);
    const { text, values } = matching([columns(table).resource_provider_id, target], keys);
    await tx.query(`DELETE FROM ${table} WHERE ${text}`, values);
  }
  for (const links of batches(added)) {
    await tx.query(...insert(links.map(({ providerId, targetId }) => [providerId, targetId, tx.now])));
  }
}
