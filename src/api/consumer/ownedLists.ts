import type { ReadableDatabase } from '../../store/database/database.js';
import {
  allocationsOfOldest,
  CONSUMERS,
  consumersInTrees,
  readConsumers,
  readDuplicateConsumers,
} from '../../store/sql/consumers.js';
import { execute, tables } from '../../store/sql/statements.js';
import type { ConsumerEntity, Stored } from '../../model/entities.js';
import type { AllocationEntity } from '../entities.js';
import { firstOfEach, type OwnedList } from '../paging/pageLoader.js';
import { ORDER_OF_IDS } from '../paging/paging.js';

/** Which allocations of a provider to list. */
export interface AllocationFilter {
  readonly classId: number | null;
  /** The name of a type. Null: untyped. Undefined: of every type. */
  readonly consumerType: string | null | undefined;
}

/** Lists allocations by the id of their provider. Skips those without a consumer or class. */
export function allocationsOfProviders(
  database: ReadableDatabase,
  { classId, consumerType }: AllocationFilter,
): OwnedList<number, Stored<Omit<AllocationEntity, 'provider'>>, number> {
  const matching = async () =>
    tables
      .selectFrom(allocationsOfOldest(await readDuplicateConsumers(database)))
      .innerJoin('consumers as c', 'c.uuid', 'a.consumer_id')
      .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
      .leftJoin('consumer_types as t', 't.id', 'c.consumer_type_id')
      .$if(classId !== null, (query) => query.where('a.resource_class_id', '=', classId!))
      .$if(consumerType === null, (query) => query.where('c.consumer_type_id', 'is', null))
      .$if(consumerType != null, (query) => query.where('t.name', '=', consumerType!))
      .select('a.resource_provider_id as owner');
  return {
    order: ORDER_OF_IDS,
    async read(owners, bounds) {
      const page = firstOfEach(
        (await matching())
          .where('a.resource_provider_id', 'in', owners)
          .select(['a.id', 'k.name as resourceClass', 'a.used', 'c.id as consumerId']),
        { owner: 'a.resource_provider_id', key: 'a.id' },
        bounds,
      ).as('page');
      const rows = await readConsumers(
        database,
        CONSUMERS.innerJoin(page, 'page.consumerId', 'c.id')
          .select(['page.owner', 'page.id as allocationId', 'page.resourceClass', 'page.used'])
          .orderBy('page.place'),
      );
      return rows.map((consumer) => {
        const { owner, allocationId: id, resourceClass, used } = consumer;
        return { owner, node: { id, resourceClass, used, consumer } };
      });
    },
    count: async (owners) =>
      execute(
        database.pool,
        (await matching())
          .where('a.resource_provider_id', 'in', owners)
          .groupBy('a.resource_provider_id')
          .select(({ fn }) => fn.countAll<number>().as('members')),
      ),
  };
}

const inTrees = async (database: ReadableDatabase) =>
  (await consumersInTrees(database)).select('p.root_provider_id as owner');

/** The consumers with an allocation on any provider of a tree, by the id of the tree's root. */
export function consumersOfTrees(
  database: ReadableDatabase,
): OwnedList<number, Stored<ConsumerEntity>, number> {
  return {
    order: ORDER_OF_IDS,
    async read(owners, bounds) {
      const page = firstOfEach(
        (await inTrees(database)).where('p.root_provider_id', 'in', owners).select('c.id'),
        { owner: 'p.root_provider_id', key: 'c.id' },
        bounds,
      ).as('page');
      const rows = await readConsumers(
        database,
        CONSUMERS.innerJoin(page, 'page.id', 'c.id').select('page.owner').orderBy('page.place'),
      );
      return rows.map((node) => ({ owner: node.owner, node }));
    },
    count: async (owners) =>
      execute(
        database.pool,
        (await inTrees(database))
          .where('p.root_provider_id', 'in', owners)
          .groupBy('p.root_provider_id')
          .select(({ fn }) => fn.count<number>('c.id').distinct().as('members')),
      ),
  };
}
