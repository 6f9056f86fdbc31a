import { sql, type SelectQueryBuilder } from 'kysely';
import type { ReadableDatabase } from '../../store/database/database.js';
import type { Spellings } from '../../store/sql/catalog.js';
import { execute, tables, type Queryable, isStorable } from '../../store/sql/statements.js';
import type { ProviderEntity } from '../entities.js';
import { firstOfEach, type OwnedList } from '../paging/pageLoader.js';
import { checkBounds, ORDER_OF_NAMES } from '../paging/paging.js';
import { providerOf, PROVIDERS } from './providerRow.js';

type Members = SelectQueryBuilder<never, never, { owner: string | null; providerId: number }>;

const withTrait = (names: readonly string[]): Members =>
  tables
    .selectFrom('resource_provider_traits as m')
    .innerJoin('traits as t', 't.id', 'm.trait_id')
    .where('t.name', 'in', names)
    .select(['t.name as owner', 'm.resource_provider_id as providerId']);

/** Selects the members of aggregates in every spelling, by uuid. */
function inAggregate(spellings: Spellings, uuids: readonly string[]): Members {
  const texts = spellings.textsOf(uuids);
  const others = texts.filter((each) => spellings.uuidOf(each) !== each);
  const text = sql.ref<string | null>('a.uuid');
  const cases = others.map((other) => sql`WHEN ${other} THEN ${spellings.uuidOf(other)}`);
  const uuid =
    others.length === 0 ? text : sql<string>`CASE ${text} ${sql.join(cases, sql` `)} ELSE ${text} END`;
  return tables
    .selectFrom('resource_provider_aggregates as m')
    .innerJoin('placement_aggregates as a', 'a.id', 'm.aggregate_id')
    .where('a.uuid', 'in', texts)
    .select([uuid.as('owner'), 'm.resource_provider_id as providerId'])
    .$if(others.length > 0, (members) => members.distinct());
}

/** Selects the roots that owners of parts of the fleet own. */
const ownedBy = (owners: readonly string[]): Members =>
  tables
    .selectFrom('placement_ownerships as m')
    .innerJoin('resource_providers as r', 'r.id', 'm.provider_id')
    .where('m.owner', 'in', owners)
    .where('m.kind', '=', 'PROVIDER')
    .where('r.parent_provider_id', 'is', null)
    .select(['m.owner as owner', 'm.provider_id as providerId']);

/** Selects the roots of the trees in which owners of parts of the fleet own a part. */
const withPartsOf = (owners: readonly string[]): Members =>
  tables
    .selectFrom('placement_ownerships as m')
    .innerJoin('resource_providers as part', 'part.id', 'm.provider_id')
    .innerJoin('resource_providers as r', (join) =>
      join.on('r.id', '=', ({ fn }) => fn.coalesce('part.root_provider_id', 'part.id')),
    )
    .where('m.owner', 'in', owners)
    .where('r.parent_provider_id', 'is', null)
    .select(['m.owner as owner', 'r.id as providerId'])
    .distinct();

type MemberList = OwnedList<string, ProviderEntity, string>;

/** The providers that have a trait, by the trait's name. */
export const providersWithTrait = (reader: Queryable): MemberList => memberList(reader, withTrait);

/** The roots that an owner owns, by the owner's name. */
export const rootsOfOwner = (reader: Queryable): MemberList => memberList(reader, ownedBy);

/** The roots of the trees in which an owner owns a part, by the owner's name. */
export const treesOfOwner = (reader: Queryable): MemberList => memberList(reader, withPartsOf);

/** The providers directly in an aggregate, by its uuid. */
export const providersInAggregate = ({ pool, spellings }: ReadableDatabase): MemberList =>
  memberList(pool, (uuids) => inAggregate(spellings.aggregates, uuids));

function memberList(reader: Queryable, membersOf: (owners: readonly string[]) => Members): MemberList {
  return {
    order: ORDER_OF_NAMES,
    async read(owners, bounds) {
      await checkBounds(bounds, (name) => isStorable(reader, 'resource_providers', name));
      const page = firstOfEach(
        PROVIDERS.innerJoin(membersOf(owners).as('o'), 'o.providerId', 'p.id').select('o.owner'),
        { owner: 'o.owner', key: 'p.name' },
        bounds,
      );
      const rows = await execute(reader, tables.selectFrom(page.as('page')).selectAll().orderBy('place'));
      return rows.map((row) => ({ owner: row.owner, node: providerOf(row) }));
    },
    count: (owners) =>
      execute(
        reader,
        tables
          .selectFrom(membersOf(owners).as('o'))
          .innerJoin('resource_providers as p', 'p.id', 'o.providerId')
          .groupBy('o.owner')
          .select(({ fn }) => ['o.owner', fn.countAll<number>().as('members')]),
      ),
  };
}
