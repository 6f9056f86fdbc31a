import { list, read, statement, value, type Queryable } from '../../database/statements.js';
import { SHARING_TRAIT } from '../../domain/provider.js';
import { byName } from '../../domain/listing/orderedPage.js';
import type { ProviderEntity } from '../entities.js';
import { groupBy } from '../../domain/collections.js';
import { providerOf, PROVIDERS } from './providerRow.js';

const SHARING_PROVIDERS = statement(
  PROVIDERS.innerJoin('resource_provider_aggregates as b', 'b.resource_provider_id', 'p.id')
    .innerJoin('resource_provider_aggregates as a', 'a.aggregate_id', 'b.aggregate_id')
    .innerJoin('resource_providers as own', 'own.id', 'a.resource_provider_id')
    .innerJoin('resource_provider_traits as m', 'm.resource_provider_id', 'p.id')
    .innerJoin('traits as t', 't.id', 'm.trait_id')
    .whereRef('p.root_provider_id', '<>', 'own.root_provider_id')
    .where('t.name', '=', value<string>())
    .where('own.root_provider_id', 'in', list<number>())
    .select('own.root_provider_id as tree')
    .distinct()
    .$narrowType<{ tree: number }>(),
);

/**
 * Reads the sharing providers of other trees that each tree can use, by the id of its root. They
 * are sorted by name. An aggregate serves the whole tree if it directly contains the sharing
 * provider and any provider of the tree (rule 144).
 */
export async function readSharingProviders(
  reader: Queryable,
  rootIds: readonly number[],
): Promise<Map<number, ProviderEntity[]>> {
  const rows = await read(reader, SHARING_PROVIDERS, [SHARING_TRAIT, rootIds]);
  const byTree = groupBy(rows, (row) => row.tree);
  return new Map([...byTree].map(([tree, sharing]) => [tree, sharing.map(providerOf).sort(byName)]));
}
