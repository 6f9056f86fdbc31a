import type { Database } from '../../database/database.js';
import { groupBy } from '../groups.js';
import { SHARING_TRAIT } from '../../domain/sharingTrait.js';
import { byName } from '../../domain/codePointOrder.js';
import { PROVIDER_COLUMNS, providerOf, type ProviderRow, type ProviderSource } from './providerSource.js';

/**
 * By the id of a tree's root: the sharing providers of other trees that this tree can draw on, by name. One link is
 * enough for the whole tree: an aggregate that both the sharer and any provider of the tree are directly in
 * (rule 144).
 */
export async function readSharers(
  { pool }: Database,
  rootIds: readonly number[],
): Promise<Map<number, ProviderSource[]>> {
  const rows = await pool.query<(ProviderRow & { tree: number })[]>(
    `SELECT DISTINCT own.root_provider_id AS tree, ${PROVIDER_COLUMNS}
       FROM resource_providers own
       JOIN resource_provider_aggregates a ON a.resource_provider_id = own.id
       JOIN resource_provider_aggregates b ON b.aggregate_id = a.aggregate_id
       JOIN resource_provider_traits m ON m.resource_provider_id = b.resource_provider_id
       JOIN traits t ON t.id = m.trait_id AND t.name = ?
       JOIN resource_providers p
         ON p.id = b.resource_provider_id AND p.root_provider_id <> own.root_provider_id
      WHERE own.root_provider_id IN (?)`,
    [SHARING_TRAIT, rootIds],
  );
  const byTree = groupBy(rows, (row) => row.tree);
  return new Map([...byTree].map(([tree, sharers]) => [tree, sharers.map(providerOf).sort(byName)]));
}
