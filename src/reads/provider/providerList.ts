import { sql } from 'kysely';
import type { ReadableDatabase } from '../../database/database.js';
import { readOnce, tables } from '../../database/statements.js';
import type { ProviderFilter } from '../../domain/providerFilter.js';
import type { KnownNames } from '../../domain/providerConditions.js';
import { readResourceClasses, readTraits, type CatalogEntry } from '../catalog.js';
import type { ProviderEntity } from '../entities.js';
import { groupBy } from '../groups.js';
import { sumOf } from '../sums.js';
import { isStorable } from '../../database/storable.js';
import { checkCursor } from '../paging/cursors.js';
import { connectionOf, ORDER_OF_NAMES, type Connection, type Page } from '../paging/paging.js';
import { isFoundByName, providersMatching, type ProviderQuery, type TraitIds } from './providerMatch.js';
import { providerOf } from './providerRow.js';
import {
  AT_LEAST,
  AT_MOST,
  meetsAll,
  providersMeeting,
  type Estimate,
  type ResourceNeed,
} from './resourceNeed.js';

/** The ids of those traits and classes of a filter that there are. */
export interface FilterNames extends KnownNames, TraitIds {
  readonly classes: ReadonlyMap<string, number>;
}

export async function readFilterNames(
  database: ReadableDatabase,
  { requiredTraits = [], forbiddenTraits = [], resources = [] }: ProviderFilter,
): Promise<FilterNames> {
  const [traitEntries, classEntries] = await Promise.all([
    readTraits(database, { nameIn: [...new Set([...requiredTraits.flat(), ...forbiddenTraits])] }),
    readResourceClasses(database, [...new Set(resources.map(({ resourceClass }) => resourceClass))]),
  ]);
  const ids = (entries: CatalogEntry[]) => new Map(entries.map(({ id, name }) => [name, id]));
  const names = { traits: ids(traitEntries), classes: ids(classEntries) };
  return {
    ...names,
    hasTrait: (name) => names.traits.has(name),
    hasClass: (name) => names.classes.has(name),
  };
}

/** One page of the matching providers (rules 49-56), by name, for a filter without conditions on trees or parts of names; `names` has the filter's traits and classes. */
export async function listProviders(
  database: ReadableDatabase,
  filter: ProviderFilter,
  names: FilterNames,
  page: Page<string>,
): Promise<Connection<ProviderEntity>> {
  await checkCursor(database, 'resource_providers', page);
  const isNobody = filter.uuidIn?.length === 0;
  const { pool } = database;
  if (isNobody || (filter.name != null && !(await isStorable(pool, 'resource_providers', filter.name))))
    return connectionOf(ORDER_OF_NAMES, page, new Array<ProviderEntity>(), () => Promise.resolve(0));
  const byName = await isFoundByName(pool, filter, names);
  const needs = (filter.resources ?? []).map(({ resourceClass, amount }) => ({
    classId: names.classes.get(resourceClass)!,
    amount,
  }));
  const found = await readPage(database, providersMatching(filter, names, byName), needs, page);
  return connectionOf(ORDER_OF_NAMES, page, found, () =>
    countProviders(database, providersMatching(filter, names), needs),
  );
}

/** Reads on until it has one more than the page, or all: the database gives a few providers too many. */
async function readPage(
  database: ReadableDatabase,
  matching: ProviderQuery,
  needs: readonly ResourceNeed[],
  { size, backwards, ...bounds }: Page<string>,
): Promise<ProviderEntity[]> {
  const direction = backwards ? 'desc' : 'asc';
  const found: ProviderEntity[] = [];
  let { after, before } = bounds;
  for (;;) {
    const wanted = size + 1 - found.length;
    const rows = await readChecked(
      database,
      meeting(matching, needs, AT_MOST)
        .$if(after !== null, (query) => query.where('p.name', '>', after))
        .$if(before !== null, (query) => query.where('p.name', '<', before))
        .orderBy('p.name', direction)
        .limit(wanted),
      needs,
      direction,
    );
    found.push(...rows.filter(({ meets }) => meets).map(({ provider }) => provider));
    if (found.length > size || rows.length < wanted) return found;
    const last = rows[rows.length - 1].provider.name;
    if (backwards) before = last;
    else after = last;
  }
}

/** Counts in the database where that is certain, and looks at the few providers where it is not. */
async function countProviders(
  database: ReadableDatabase,
  matching: ProviderQuery,
  needs: readonly ResourceNeed[],
): Promise<number> {
  const [{ providers }] = await readOnce(
    database.pool,
    meeting(matching, needs, AT_LEAST)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('providers')),
  );
  if (needs.length === 0) return providers;
  const uncertain = meeting(matching, needs, AT_MOST).where((eb) =>
    eb.or(needs.map((need) => eb('p.id', 'not in', providersMeeting(need, AT_LEAST)))),
  );
  const rest = await readChecked(database, uncertain, needs, 'asc');
  return providers + rest.filter(({ meets }) => meets).length;
}

/** Those of the providers that meet all the needs, if capacities are as estimated. */
function meeting(
  providers: ProviderQuery,
  needs: readonly ResourceNeed[],
  capacity: Estimate,
): ProviderQuery {
  return providers.where((eb) =>
    eb.and(needs.map((need) => eb('p.id', 'in', providersMeeting(need, capacity)))),
  );
}

/** Reads providers, with their inventories where those have to be looked at. */
async function readChecked(
  { pool }: ReadableDatabase,
  providers: ProviderQuery,
  needs: readonly ResourceNeed[],
  direction: 'asc' | 'desc',
): Promise<{ readonly provider: ProviderEntity; readonly meets: boolean }[]> {
  if (needs.length === 0) {
    return (await readOnce(pool, providers)).map((row) => ({ provider: providerOf(row), meets: true }));
  }
  const classIds = needs.map(({ classId }) => classId);
  const rows = await readOnce(
    pool,
    tables
      .selectFrom(providers.as('p'))
      .innerJoin('inventories as i', 'i.resource_provider_id', 'p.id')
      .where('i.resource_class_id', 'in', classIds)
      .selectAll('p')
      .select((eb) => [
        'i.resource_class_id as classId',
        'i.total',
        'i.reserved',
        sql<number>`${eb.ref('i.allocation_ratio')} + 0e0`.as('allocationRatio'),
        'i.min_unit as minUnit',
        'i.max_unit as maxUnit',
        'i.step_size as stepSize',
        sql<number>`${eb
          .selectFrom('allocations as a')
          .select((sub) => sumOf(sub.ref('a.used')).as('used'))
          .whereRef('a.resource_provider_id', '=', 'p.id')
          .whereRef('a.resource_class_id', '=', 'i.resource_class_id')}`.as('used'),
      ])
      .orderBy('p.name', direction),
  );
  const byProvider = groupBy(rows, ({ id }) => id);
  return [...byProvider.values()].map((supplies) => ({
    provider: providerOf(supplies[0]),
    meets: meetsAll(needs, supplies),
  }));
}
