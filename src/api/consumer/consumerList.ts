import { sql } from 'kysely';
import type { ConsumerEntity, Stored } from '../../model/entities.js';
import { ON_SEVERAL_TREES } from '../../store/sql/severalTrees.js';
import type { ReadableDatabase } from '../../store/database/database.js';
import {
  allocationsOfOldest,
  isOldest,
  readDuplicateConsumers,
  CONSUMERS,
  readConsumers,
  readConsumersById,
  readConsumersByUuid,
  type DuplicateRow,
} from '../../store/sql/consumers.js';
import { execute, preciseTimestampOf, tables } from '../../store/sql/statements.js';
import {
  classesOf,
  type ConsumerOrderField,
  type ConsumerCondition,
  type ConsumerFigures,
  type ConsumerKey,
} from '../../model/listing/consumerFigures.js';
import type { OrderEntry } from '../../model/listing/listOrder.js';
import type { Placed, SortPlace } from '../../model/listing/orderedPage.js';
import { classesOfOrder, classIdOf } from '../loaders/catalog.js';
import {
  boundsOf,
  connectionOf,
  ORDER_OF_IDS,
  orderOfKeys,
  type Bounds,
  type Connection,
  type ListOrder,
  type Page,
} from '../paging/paging.js';
import { readOwners, type ConsumerListSource } from './ownerLists.js';

/** All given conditions must hold. */
export interface ConsumerFilter {
  readonly projectId?: string | null;
  readonly userId?: string | null;
  /** The name of a type. Null: untyped. Undefined: of every type. */
  readonly consumerType?: string | null;
  /** Consumers with an allocation in the tree of this provider. */
  readonly inTree?: string | null;
  /** Consumers with an allocation of this class; together with `inTree`, in that tree. */
  readonly resourceClass?: string | null;
  readonly uuidIn?: readonly string[] | null;
  /** Whether the consumer has allocations in several trees, sharing providers apart. */
  readonly severalTrees?: boolean | null;
  /** Whether the consumer ends by itself. */
  readonly expires?: boolean | null;
  /** Consumers that end by themselves before this time. */
  readonly expiresBefore?: Date | null;
}

export type ConsumerOrder = OrderEntry<ConsumerOrderField>;

/** An object with its place in a list. */
export type InList<T> = T & { readonly place: SortPlace };

/** The maximum number of reads of a page, if consumers on it are deleted meanwhile. */
const MAX_ATTEMPTS = 3;

export function isByAge(orderBy: readonly ConsumerOrder[]): boolean {
  return orderBy.length === 0 || orderBy[0].field === 'age';
}

export function orderOfConsumers(
  orderBy: readonly ConsumerOrder[],
): ListOrder<InList<Stored<ConsumerEntity>>, SortPlace> {
  if (orderBy.length === 0) return { ...ORDER_OF_IDS, place: (id) => [Number(id)] };
  if (!isByAge(orderBy)) return orderOfKeys(orderBy);
  const order = orderOfKeys<InList<Stored<ConsumerEntity>>>(orderBy, 1);
  return {
    ...order,
    place(...parts) {
      const place = order.place(...parts);
      return Number.isSafeInteger(place?.[0]) ? place : null;
    },
  };
}

/**
 * Reads one page of the consumers that match a filter: by age from the database, in any other order from
 * the consumers in memory.
 *
 * @throws InvalidInput for an unknown class (decision D12) and for an invalid order
 */
export async function listConsumers(
  source: ConsumerListSource,
  filter: ConsumerFilter,
  orderBy: readonly ConsumerOrder[],
  page: Page<SortPlace>,
): Promise<Connection<Stored<ConsumerEntity>>> {
  const { database } = source;
  const classId = await classIdOf(database, filter.resourceClass, ['filter', 'resourceClass']);
  const keys = await keysOf(database, orderBy);
  const order = orderOfConsumers(orderBy);
  if (!isByAge(orderBy)) {
    const condition = await conditionOf(database, filter, classId);
    const found = await readPlaced(source, classesOf(condition, keys), (figures) =>
      figures.page(condition, keys, boundsOf(page)),
    );
    const rows = found.map(({ node }) => node);
    return connectionOf(order, page, rows, async () => {
      const figures = await source.consumers.current(classesOf(condition, []));
      return figures.count(condition);
    });
  }
  const matching = await consumersOf(database, filter, classId);
  if (matching === null) return connectionOf(order, page, [], () => Promise.resolve(0));
  const found = await pagesByAge(database, [matching], orderBy, boundsOf(page));
  const rows = found.map(({ node }) => node);
  return connectionOf(order, page, rows, async () => {
    const counted = matching.select(({ fn }) => fn.countAll<number>().as('count'));
    return (await execute(database.pool, counted))[0].count;
  });
}

/** The consumers `c`, for queries that select some of them. */
const ALL_CONSUMERS = tables.selectFrom('consumers as c');

/** Returns the query of all consumers `c`, each with one row. */
export function allConsumers(duplicates: readonly DuplicateRow[]) {
  return ALL_CONSUMERS.$if(duplicates.length > 0, (query) => query.where(isOldest(duplicates, 'c.id')));
}

/** Reads one page of each query in one statement: in the order of age, with the position `at` of the query. */
export async function pagesByAge(
  database: ReadableDatabase,
  queries: readonly ReturnType<typeof allConsumers>[],
  orderBy: readonly ConsumerOrder[],
  { after, before, backwards, limit }: Bounds<SortPlace>,
): Promise<{ readonly at: number; readonly node: InList<Stored<ConsumerEntity>> }[]> {
  const isDescending = orderBy.at(0)?.direction === 'DESC';
  const [from, to] = isDescending ? [before, after] : [after, before];
  const direction = isDescending === backwards ? 'asc' : 'desc';
  const pages = queries.map((query, at) => {
    const page = query
      .$if(from !== null, (rows) => rows.where('c.id', '>', Number(from![0])))
      .$if(to !== null, (rows) => rows.where('c.id', '<', Number(to![0])))
      .select([sql<number>`${sql.lit(at)}`.as('at'), 'c.id'])
      .orderBy('c.id', direction)
      .limit(limit);
    return sql`(${page})`;
  });
  const ids = sql<{ at: number; id: number }>`(${sql.join(pages, sql` UNION ALL `)})`;
  const rows = await readConsumers(
    database,
    CONSUMERS.innerJoin(ids.as('page'), 'page.id', 'c.id').select('page.at').orderBy('page.id', direction),
  );
  return rows.map((row) => ({ at: row.at, node: { place: [row.id], ...row } }));
}

/** @throws InvalidInput for an invalid order */
export async function keysOf(
  database: ReadableDatabase,
  orderBy: readonly ConsumerOrder[],
): Promise<ConsumerKey[]> {
  const classes = await classesOfOrder(database, orderBy);
  return orderBy.map(({ field, direction, resourceClass: name }) => ({
    field,
    classId: name == null ? null : classes.get(name)!,
    isDescending: direction === 'DESC',
  }));
}

/** Reads the rows of chosen consumers. If one is missing, rereads consumers and chooses again. */
export async function readPlaced<Item extends Placed<number>>(
  { database, consumers }: ConsumerListSource,
  classIds: readonly number[],
  choose: (figures: ConsumerFigures) => readonly Item[],
): Promise<{ readonly placed: Item; readonly node: InList<Stored<ConsumerEntity>> }[]> {
  for (let attempt = 1; ; attempt++) {
    const chosen = choose(await consumers.current(classIds));
    const ids = chosen.map(({ item }) => item);
    const rows = await readConsumersById(database, ids);
    const missing = ids.filter((id) => !rows.has(id));
    if (missing.length === 0 || attempt === MAX_ATTEMPTS)
      return chosen.flatMap((placed) => {
        const row = rows.get(placed.item);
        return row === undefined ? [] : [{ placed, node: { place: placed.place, ...row } }];
      });
    consumers.reread(missing);
  }
}

/** Returns the filter for the consumers in memory, which contain neither uuids nor trees. */
async function conditionOf(
  database: ReadableDatabase,
  filter: ConsumerFilter,
  classId: number | null,
): Promise<ConsumerCondition> {
  const { projectId, userId, consumerType, inTree, uuidIn, severalTrees, expires, expiresBefore } = filter;
  const columns = { projectId, userId, consumerType, classId };
  if (inTree == null && uuidIn == null && !severalTrees && !expires && expiresBefore == null) {
    // few consumers are on several trees or expire, so they are read instead of all others
    const excepted: ConsumerFilter[] = [];
    if (severalTrees === false) excepted.push({ severalTrees: true });
    if (expires === false) excepted.push({ expires: true });
    if (excepted.length === 0) return columns;
    const found = await Promise.all(excepted.map((one) => conditionOf(database, one, null)));
    return { ...columns, exceptIds: new Set(found.flatMap(({ ids }) => [...(ids ?? [])])) };
  }
  const matching = await consumersOf(database, filter, classId);
  const rows = matching === null ? [] : await execute(database.pool, matching.select('c.id'));
  return { ids: new Set(rows.map(({ id }) => id)) };
}

/** Returns a query of the ids of the consumers that end by themselves, before a time if it is given. */
function heldBefore(time: Date | null | undefined) {
  return tables
    .selectFrom('placement_holds as h')
    .innerJoin('consumers as held', (join) =>
      join.onRef('held.id', '=', 'h.consumer_id').onRef('held.generation', '=', 'h.generation'),
    )
    .$if(time != null, (query) => query.where('h.expires_at', '<', preciseTimestampOf(time!)))
    .select('held.id');
}

/** Returns a query of matching consumers `c`. Null if an owner is unknown or `uuidIn` is empty. */
async function consumersOf(
  database: ReadableDatabase,
  { projectId, userId, consumerType, inTree, uuidIn, severalTrees, expires, expiresBefore }: ConsumerFilter,
  classId: number | null,
) {
  const [project, user] = await Promise.all([
    projectId == null ? null : readOwners(database, 'projects', [projectId]),
    userId == null ? null : readOwners(database, 'users', [userId]),
  ]);
  if (project?.length === 0 || user?.length === 0 || uuidIn?.length === 0) return null;
  const duplicates = await readDuplicateConsumers(database);
  const type = tables.selectFrom('consumer_types').select('id').where('name', '=', consumerType!);
  const root = tables
    .selectFrom('resource_providers')
    .select(({ fn }) => fn.coalesce('root_provider_id', 'id').as('root'))
    .where('uuid', '=', inTree!);
  const ofTree = tables
    .selectFrom(allocationsOfOldest(duplicates))
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
    .where('p.root_provider_id', '=', root)
    .$if(classId !== null, (query) => query.where('a.resource_class_id', '=', classId!))
    .select('a.consumer_id as uuid')
    .distinct();
  const named = uuidIn == null ? [] : await readConsumersByUuid(database, uuidIn);
  if (uuidIn != null && named.length === 0) return null;
  return allConsumers(duplicates)
    .$if(inTree != null, (query) => query.innerJoin(ofTree.as('t'), 't.uuid', 'c.uuid'))
    .$if(uuidIn != null, (query) =>
      query.where(
        'c.id',
        'in',
        named.map(({ id }) => id),
      ),
    )
    .$if(severalTrees != null, (query) => {
      const several = ON_SEVERAL_TREES.as('several');
      return severalTrees
        ? query.innerJoin(several, 'several.uuid', 'c.uuid')
        : query.leftJoin(several, 'several.uuid', 'c.uuid').where('several.uuid', 'is', null);
    })
    .$if(expires === true || expiresBefore != null, (query) =>
      query.where('c.id', 'in', heldBefore(expiresBefore)),
    )
    .$if(expires === false, (query) => query.where('c.id', 'not in', heldBefore(null)))
    .$if(project !== null, (query) => query.where('c.project_id', '=', project![0].id))
    .$if(user !== null, (query) => query.where('c.user_id', '=', user![0].id))
    .$if(consumerType === null, (query) => query.where('c.consumer_type_id', 'is', null))
    .$if(consumerType != null, (query) => query.where('c.consumer_type_id', '=', type))
    .$if(classId !== null && inTree == null, (query) =>
      query.where((eb) => {
        const ofClass = eb.selectFrom('allocations as a').where('a.resource_class_id', '=', classId!);
        const own = eb.exists(ofClass.whereRef('a.consumer_id', '=', 'c.uuid').select('a.id'));
        const others = duplicates.map(({ text, first }) =>
          eb.and([
            eb('c.id', '=', first.id),
            eb.exists(ofClass.where('a.consumer_id', '=', text).select('a.id')),
          ]),
        );
        return eb.or([own, ...others]);
      }),
    );
}
