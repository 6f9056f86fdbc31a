import { list, read, statement, tables, value, type Reader } from '../../database/statements.js';
import type { ConsumerEntity } from '../entities.js';
import type { OwnedList } from '../paging/pageLoader.js';
import { ORDER_OF_IDS } from '../paging/paging.js';
import { CONSUMERS, type ConsumerRow } from './consumerRow.js';

/** An allocation of a provider, with its consumer. */
export interface ProviderAllocation {
  readonly id: number;
  readonly resourceClass: string;
  readonly used: number;
  readonly consumer: ConsumerEntity;
}

const ALLOCATIONS = CONSUMERS.innerJoin('allocations as a', 'a.consumer_id', 'c.uuid').innerJoin(
  'resource_classes as k',
  'k.id',
  'a.resource_class_id',
);

const RANKED_ALLOCATIONS = ALLOCATIONS.where('a.resource_provider_id', 'in', list<number>())
  .where('a.id', '>', value<number>())
  .select(({ fn }) => [
    'a.resource_provider_id as owner',
    'a.id as allocationId',
    'k.name as resourceClass',
    'a.used',
    fn
      .agg<number>('ROW_NUMBER')
      .over((window) => window.partitionBy('a.resource_provider_id').orderBy('a.id'))
      .as('place'),
  ]);

const ALLOCATION_PAGES = statement(
  tables
    .selectFrom(RANKED_ALLOCATIONS.as('ranked'))
    .selectAll()
    .where('place', '<=', value<number>())
    .orderBy('place'),
);

const ALLOCATION_COUNTS = statement(
  ALLOCATIONS.clearSelect()
    .where('a.resource_provider_id', 'in', list<number>())
    .groupBy('a.resource_provider_id')
    .select(({ fn }) => ['a.resource_provider_id as owner', fn.countAll<number>().as('members')]),
);

/** Allocations by the id of their provider. Those whose consumer or class is missing are left out. */
export function allocationsOfProviders(reader: Reader): OwnedList<number, ProviderAllocation, number> {
  return {
    order: ORDER_OF_IDS,
    async read(owners, after, limit) {
      const rows = await read(reader, ALLOCATION_PAGES, [owners, after ?? -1, limit]);
      return rows.map(({ owner, allocationId, resourceClass, used, ...consumer }) => ({
        owner,
        node: { id: allocationId, resourceClass, used, consumer },
      }));
    },
    count: (owners) => read(reader, ALLOCATION_COUNTS, [owners]),
  };
}

const IN_TREES = CONSUMERS.innerJoin('allocations as a', 'a.consumer_id', 'c.uuid')
  .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
  .where('p.root_provider_id', 'in', list<number>());

/** A consumer is there once for each of its allocations in the tree. */
const RANKED_CONSUMERS = IN_TREES.where('c.id', '>', value<number>()).select(({ fn }) => [
  'p.root_provider_id as owner',
  fn
    .agg<number>('DENSE_RANK')
    .over((window) => window.partitionBy('p.root_provider_id').orderBy('c.id'))
    .as('place'),
]);

const CONSUMER_PAGES = statement(
  tables
    .selectFrom(RANKED_CONSUMERS.as('ranked'))
    .selectAll()
    .distinct()
    .where('place', '<=', value<number>())
    .orderBy('place'),
);

const CONSUMER_COUNTS = statement(
  IN_TREES.clearSelect()
    .groupBy('p.root_provider_id')
    .select(({ fn }) => ['p.root_provider_id as owner', fn.count<number>('c.id').distinct().as('members')]),
);

/** The consumers with an allocation on any provider of a tree, by the id of the tree's root. */
export function consumersOfTrees(reader: Reader): OwnedList<number, ConsumerRow, number> {
  return {
    order: ORDER_OF_IDS,
    async read(owners, after, limit) {
      const rows = await read(reader, CONSUMER_PAGES, [owners, after ?? -1, limit]);
      return rows.map(({ owner, ...node }) => ({ owner, node }));
    },
    count: (owners) => read(reader, CONSUMER_COUNTS, [owners]),
  };
}
