import { sql, type Expression } from 'kysely';
import { readOnce, tables, type Reader } from '../../database/statements.js';
import type { ProviderFilter } from '../../domain/providerFilter.js';
import { PROVIDERS } from './providerRow.js';

export type ProviderQuery = typeof PROVIDERS;

/** The ids of the traits that a filter names. */
export interface TraitIds {
  readonly traits: ReadonlyMap<string, number>;
}

/**
 * With more members than this, a page of the providers that have a trait, or are in an aggregate, is found sooner by looking at the
 * providers one after the other by name than by sorting all members.
 */
const MANY = 2000;

/** Whether all that a filter requires is so common that its providers are best looked for by name. */
export async function isFoundByName(
  reader: Reader,
  { requiredTraits = [], memberOf = [], ...others }: ProviderFilter,
  { traits }: TraitIds,
): Promise<boolean> {
  const isNarrow = [others.name, others.uuid, others.uuidIn, others.inTree].some((each) => each != null);
  const members = [
    ...requiredTraits.map((names) => withTraits(names, traits)),
    ...memberOf.map((uuids) => inAggregates(uuids)),
  ];
  if (isNarrow || members.length === 0) return false;
  const [first, ...rest] = members.map((some) =>
    tables.selectFrom(some.limit(MANY + 1).as('some')).select(({ fn }) => fn.countAll<number>().as('count')),
  );
  const counts = await readOnce(
    reader,
    rest.reduce((all, each) => all.unionAll(each), first),
  );
  return counts.every(({ count }) => count > MANY);
}

/**
 * The providers that meet a filter, but for its resources, trees and parts of names. `byName`: said in such a way that the database
 * cannot begin with the members of a trait or an aggregate, which it would have to sort.
 */
export function providersMatching(
  filter: ProviderFilter,
  { traits }: TraitIds,
  byName = false,
): ProviderQuery {
  const { name, uuid, uuidIn, inTree, rootsOnly = false } = filter;
  const { requiredTraits = [], forbiddenTraits = [], memberOf = [], forbiddenAggregates = [] } = filter;
  return PROVIDERS.where((eb) => {
    const exists = (own: Members) =>
      byName ? sql<boolean>`COALESCE(${own.limit(1)}, 0) > 0` : eb.exists(own);
    const hasTraitIn = (names: readonly string[]) => exists(withTraits(names, traits, PROVIDER));
    const isInAggregate = (uuids: readonly string[]) => exists(inAggregates(uuids, PROVIDER));
    return eb.and([
      ...requiredTraits.map(hasTraitIn),
      ...(forbiddenTraits.length > 0 ? [eb.not(hasTraitIn(forbiddenTraits))] : []),
      ...memberOf.map(isInAggregate),
      ...(forbiddenAggregates.length > 0 ? [eb.not(isInAggregate(forbiddenAggregates))] : []),
    ]);
  })
    .$if(name != null, (query) =>
      // found by its index and then compared exactly, whatever the collation of the database (rule 7)
      query
        .where('p.name', '=', name!)
        .where((eb) => sql<boolean>`CAST(${eb.ref('p.name')} AS BINARY) = CAST(${name} AS BINARY)`),
    )
    .$if(uuid != null, (query) => query.where('p.uuid', '=', uuid!))
    .$if(uuidIn != null, (query) => query.where('p.uuid', 'in', uuidIn!))
    .$if(inTree != null, (query) =>
      query.where('p.root_provider_id', '=', (eb) =>
        eb.selectFrom('resource_providers as r').select('r.root_provider_id').where('r.uuid', '=', inTree!),
      ),
    )
    .$if(rootsOnly, (query) => query.where('p.parent_provider_id', 'is', null));
}

type Members = Expression<unknown> & { limit(count: number): Expression<unknown> };

/** The provider that the statement around is looking at. */
const PROVIDER = sql.ref<number>('p.id');

/** The providers with any of the traits; or whether it is this one. */
function withTraits(names: readonly string[], ids: ReadonlyMap<string, number>, provider?: typeof PROVIDER) {
  return tables
    .selectFrom('resource_provider_traits as m')
    .where(
      'm.trait_id',
      'in',
      names.map((name) => ids.get(name)!),
    )
    .$if(provider !== undefined, (members) => members.where('m.resource_provider_id', '=', provider!))
    .select('m.resource_provider_id as provider');
}

/** The providers in any of the aggregates; or whether it is this one. */
function inAggregates(uuids: readonly string[], provider?: typeof PROVIDER) {
  return tables
    .selectFrom('resource_provider_aggregates as m')
    .innerJoin('placement_aggregates as a', 'a.id', 'm.aggregate_id')
    .where('a.uuid', 'in', uuids)
    .$if(provider !== undefined, (members) => members.where('m.resource_provider_id', '=', provider!))
    .select('m.resource_provider_id as provider');
}
