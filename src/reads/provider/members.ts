import type { SelectQueryBuilder } from 'kysely';
import { execute, tables, type Queryable } from '../../database/statements.js';
import { isStorable } from '../../database/storable.js';
import type { ProviderEntity } from '../entities.js';
import { firstOfEach, type OwnedList } from '../paging/pageLoader.js';
import { checkBounds, ORDER_OF_NAMES } from '../paging/paging.js';
import { providerOf, PROVIDERS } from './providerRow.js';

type Members = SelectQueryBuilder<never, never, { owner: string | null; providerId: number }>;

const WITH_TRAIT = tables
  .selectFrom('resource_provider_traits as m')
  .innerJoin('traits as t', 't.id', 'm.trait_id')
  .select(['t.name as owner', 'm.resource_provider_id as providerId']);

const IN_AGGREGATE = tables
  .selectFrom('resource_provider_aggregates as m')
  .innerJoin('placement_aggregates as a', 'a.id', 'm.aggregate_id')
  .select(['a.uuid as owner', 'm.resource_provider_id as providerId']);

type MemberList = OwnedList<string, ProviderEntity, string>;

/** The providers that have a trait, by the trait's name. */
export const providersWithTrait = (reader: Queryable): MemberList => memberList(reader, WITH_TRAIT);

/** The providers directly in an aggregate, by its uuid. */
export const providersInAggregate = (reader: Queryable): MemberList => memberList(reader, IN_AGGREGATE);

function memberList(reader: Queryable, members: Members): MemberList {
  return {
    order: ORDER_OF_NAMES,
    async read(owners, bounds) {
      await checkBounds(bounds, (name) => isStorable(reader, 'resource_providers', name));
      const page = firstOfEach(
        PROVIDERS.innerJoin(members.as('o'), 'o.providerId', 'p.id')
          .where('o.owner', 'in', owners)
          .select('o.owner'),
        { owner: 'o.owner', key: 'p.name' },
        bounds,
      );
      const rows = await execute(reader, tables.selectFrom(page.as('page')).selectAll().orderBy('place'));
      return rows.map(({ owner, ...row }) => ({ owner, node: providerOf(row) }));
    },
    count: (owners) =>
      execute(
        reader,
        tables
          .selectFrom(members.as('o'))
          .innerJoin('resource_providers as p', 'p.id', 'o.providerId')
          .where('o.owner', 'in', owners)
          .groupBy('o.owner')
          .select(({ fn }) => ['o.owner', fn.countAll<number>().as('members')]),
      ),
  };
}
