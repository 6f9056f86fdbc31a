import { readOnce, tables, type Reader } from '../../database/statements.js';
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

/** Which allocations of a provider to list. */
export interface AllocationFilter {
  readonly classId: number | null;
  /** The name of a type; null: untyped; undefined: of every type. */
  readonly consumerType: string | null | undefined;
}

/** Allocations by the id of their provider. Those whose consumer or class is missing are left out. */
export function allocationsOfProviders(
  reader: Reader,
  { classId, consumerType }: AllocationFilter,
): OwnedList<number, ProviderAllocation, number> {
  const matching = ALLOCATIONS.$if(classId !== null, (query) =>
    query.where('a.resource_class_id', '=', classId!),
  )
    .$if(consumerType === null, (query) => query.where('c.consumer_type_id', 'is', null))
    .$if(consumerType != null, (query) => query.where('consumer_types.name', '=', consumerType!));
  return {
    order: ORDER_OF_IDS,
    async read(owners, { after, before, backwards }, limit) {
      const direction = backwards ? 'desc' : 'asc';
      const ranked = matching
        .where('a.resource_provider_id', 'in', owners)
        .$if(after !== null, (query) => query.where('a.id', '>', after))
        .$if(before !== null, (query) => query.where('a.id', '<', before))
        .select(({ fn }) => [
          'a.resource_provider_id as owner',
          'a.id as allocationId',
          'k.name as resourceClass',
          'a.used',
          fn
            .agg<number>('ROW_NUMBER')
            .over((window) => window.partitionBy('a.resource_provider_id').orderBy('a.id', direction))
            .as('place'),
        ]);
      const rows = await readOnce(
        reader,
        tables.selectFrom(ranked.as('ranked')).selectAll().where('place', '<=', limit).orderBy('place'),
      );
      return rows.map(({ owner, allocationId, resourceClass, used, ...consumer }) => ({
        owner,
        node: { id: allocationId, resourceClass, used, consumer },
      }));
    },
    count: (owners) =>
      readOnce(
        reader,
        matching
          .clearSelect()
          .where('a.resource_provider_id', 'in', owners)
          .groupBy('a.resource_provider_id')
          .select(({ fn }) => ['a.resource_provider_id as owner', fn.countAll<number>().as('members')]),
      ),
  };
}

const IN_TREES = CONSUMERS.innerJoin('allocations as a', 'a.consumer_id', 'c.uuid').innerJoin(
  'resource_providers as p',
  'p.id',
  'a.resource_provider_id',
);

/** The consumers with an allocation on any provider of a tree, by the id of the tree's root. */
export function consumersOfTrees(reader: Reader): OwnedList<number, ConsumerRow, number> {
  return {
    order: ORDER_OF_IDS,
    async read(owners, { after, before, backwards }, limit) {
      // a consumer is there once for each of its allocations in the tree
      const ranked = IN_TREES.where('p.root_provider_id', 'in', owners)
        .$if(after !== null, (query) => query.where('c.id', '>', after))
        .$if(before !== null, (query) => query.where('c.id', '<', before))
        .select(({ fn }) => [
          'p.root_provider_id as owner',
          fn
            .agg<number>('DENSE_RANK')
            .over((window) =>
              window.partitionBy('p.root_provider_id').orderBy('c.id', backwards ? 'desc' : 'asc'),
            )
            .as('place'),
        ]);
      const rows = await readOnce(
        reader,
        tables
          .selectFrom(ranked.as('ranked'))
          .selectAll()
          .distinct()
          .where('place', '<=', limit)
          .orderBy('place'),
      );
      return rows.map(({ owner, ...node }) => ({ owner, node }));
    },
    count: (owners) =>
      readOnce(
        reader,
        IN_TREES.clearSelect()
          .where('p.root_provider_id', 'in', owners)
          .groupBy('p.root_provider_id')
          .select(({ fn }) => [
            'p.root_provider_id as owner',
            fn.count<number>('c.id').distinct().as('members'),
          ]),
      ),
  };
}
