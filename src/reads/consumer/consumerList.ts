import { sql } from 'kysely';
import { readOnce, tables } from '../../database/statements.js';
import { classIdOf } from '../catalog.js';
import { areOwnersStorable } from './owners.js';
import type { SortPlace } from '../../domain/listing/sortKeys.js';
import { checkCursor } from '../paging/cursors.js';
import { orderOfPage, pageOfKeys, placeIn, type SqlKey } from '../paging/keyset.js';
import { orderOfKeys } from '../paging/keyOrder.js';
import { connectionOf, ORDER_OF_IDS, type Connection, type ListOrder, type Page } from '../paging/paging.js';
import { conditionOf, consumersByUse, countByUse, isByUse, keysByUse } from './consumersByUse.js';
import { readOrderedClasses } from './orderedClasses.js';
import type { ConsumerFilter, ConsumerListSource, ConsumerOrder, ListedConsumer } from './consumerFilter.js';
import { CONSUMERS, type ConsumerRow } from './consumerRow.js';

/** By age where nothing else is asked for. */
export function orderOfConsumers(orderBy: readonly ConsumerOrder[]): ListOrder<ListedConsumer, SortPlace> {
  return orderBy.length === 0
    ? { ...ORDER_OF_IDS, place: (id) => [Number(id)] }
    : orderOfKeys<ListedConsumer>(orderBy);
}

/**
 * One page of the consumers that match a filter. In any order but that of age all of them are looked at: in memory, where the order is
 * by what they use.
 *
 * @throws InvalidInput for an unknown class (decision D12), and for an order that is not valid
 */
export async function listConsumers(
  { database, consumers }: ConsumerListSource,
  filter: ConsumerFilter,
  orderBy: readonly ConsumerOrder[],
  page: Page<SortPlace>,
): Promise<Connection<ConsumerRow>> {
  const { pool } = database;
  const order = orderOfConsumers(orderBy);
  for (const table of ['projects', 'users'] as const) await checkCursor(database, table, page);
  const classId =
    filter.resourceClass == null
      ? null
      : await classIdOf(database, filter.resourceClass, ['filter', 'resourceClass']);
  const classes = await readOrderedClasses(database, orderBy, (field) => field === 'USED');
  if (filter.uuidIn?.length === 0 || !(await areOwnersStorable(pool, filter)))
    return connectionOf(order, page, new Array<ListedConsumer>(), () => Promise.resolve(0));
  if (isByUse(filter, orderBy)) {
    const wanted = {
      condition: await conditionOf(database, filter, classId),
      keys: keysByUse(orderBy, classes),
    };
    const found = await consumersByUse({ database, consumers }, wanted, page);
    return connectionOf(order, page, found, () => countByUse(consumers, wanted));
  }
  const matching = consumersOf(filter, classId);
  const keys = keysOf(orderBy, classes);
  // the ids are found and sorted first, which indexes alone are enough for, and then the rest is read of
  // those on the page
  const ids = pageOfKeys(matching.select('c.id as pageId'), keys, page);
  const rows = await readOnce(
    pool,
    CONSUMERS.innerJoin(ids.as('page'), 'page.pageId', 'c.id')
      .selectAll('page')
      .orderBy(orderOfPage(keys, page, 'page')),
  );
  const found = rows.map((row): ListedConsumer => ({ ...row, place: placeIn(row, keys) }));
  return connectionOf(order, page, found, async () => {
    const [{ consumers }] = await readOnce(
      pool,
      matching.select(({ fn }) => fn.countAll<number>().as('consumers')),
    );
    return consumers;
  });
}

const SECONDS = sql<number | null>`TIMESTAMPDIFF(SECOND, '1970-01-01', c.updated_at)`;
const PROJECT = sql<string>`COALESCE((SELECT external_id FROM projects WHERE id = c.project_id), '')`;
const USER = sql<string>`COALESCE((SELECT external_id FROM users WHERE id = c.user_id), '')`;
const TYPE = sql<string | null>`(SELECT name FROM consumer_types WHERE id = c.consumer_type_id)`;

function keysOf(orderBy: readonly ConsumerOrder[], classes: ReadonlyMap<string, number>): SqlKey[] {
  const values = {
    AGE: () => sql<number>`c.id`,
    UPDATED_AT: () => SECONDS,
    PROJECT_ID: () => PROJECT,
    USER_ID: () => USER,
    CONSUMER_TYPE: () => TYPE,
    USED: (classId: number) => sql<number | null>`
      (SELECT CAST(SUM(a.used) AS SIGNED) FROM allocations a
        WHERE a.consumer_id = c.uuid AND a.resource_class_id = ${classId})`,
  };
  const keys = orderBy.map(({ field, direction, resourceClass }): SqlKey => ({
    value: values[field](classes.get(resourceClass ?? '') ?? 0),
    isDescending: direction === 'DESC',
    isNullable: field !== 'AGE',
  }));
  return [...keys, { value: values.AGE(), isDescending: false, isNullable: false }];
}

/**
 * There is no index by user alone, but one by project and user, so that consumers of a user are looked for
 * project by project. Those of a tree are found by its allocations.
 */
function consumersOf(
  { projectId, userId, consumerType, inTree, uuidIn }: ConsumerFilter,
  classId: number | null,
) {
  const project = tables.selectFrom('projects').select('id').where('external_id', '=', projectId!);
  const user = tables.selectFrom('users').select('id').where('external_id', '=', userId!);
  const type = tables.selectFrom('consumer_types').select('id').where('name', '=', consumerType!);
  const root = tables
    .selectFrom('resource_providers')
    .select(({ fn }) => fn.coalesce('root_provider_id', 'id').as('root'))
    .where('uuid', '=', inTree!);
  const ofTree = tables
    .selectFrom('allocations as a')
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
    .where('p.root_provider_id', '=', root)
    .$if(classId !== null, (query) => query.where('a.resource_class_id', '=', classId!))
    .select('a.consumer_id as uuid')
    .distinct();
  const projects = tables.selectFrom('consumers').select('project_id').distinct();
  const isOfUser = userId != null && projectId == null && inTree == null;

  return tables
    .selectFrom('consumers as c')
    .$if(inTree != null, (query) => query.innerJoin(ofTree.as('t'), 't.uuid', 'c.uuid'))
    .$if(isOfUser, (query) => query.innerJoin(projects.as('q'), 'q.project_id', 'c.project_id'))
    .$if(uuidIn != null, (query) => query.where('c.uuid', 'in', uuidIn!))
    .$if(projectId != null, (query) => query.where('c.project_id', '=', project))
    .$if(userId != null, (query) => query.where('c.user_id', '=', user))
    .$if(consumerType === null, (query) => query.where('c.consumer_type_id', 'is', null))
    .$if(consumerType != null, (query) => query.where('c.consumer_type_id', '=', type))
    .$if(classId !== null && inTree == null, (query) =>
      query.where((eb) => {
        const ofClass = eb.selectFrom('allocations as a').where('a.resource_class_id', '=', classId!);
        return eb.exists(ofClass.whereRef('a.consumer_id', '=', 'c.uuid').select('a.id'));
      }),
    );
}
