import type { ReadableDatabase } from '../../database/database.js';
import { list, read, readOnce, statement, tables } from '../../database/statements.js';
import type {
  ConsumerCondition,
  ConsumerFiguresSource,
  ConsumerKey,
} from '../../domain/listing/consumerFigures.js';
import type { Placed } from '../../domain/listing/orderedPage.js';
import type { SortPlace } from '../../domain/listing/sortKeys.js';
import { boundsOf } from '../paging/keyOrder.js';
import type { Page } from '../paging/paging.js';
import type { ConsumerFilter, ConsumerListSource, ConsumerOrder, ListedConsumer } from './consumerFilter.js';
import { CONSUMERS } from './consumerRow.js';
import { readOwners } from './owners.js';

const BY_ID = statement(CONSUMERS.where('c.id', 'in', list<number>()));

/** How often a page is looked for again because a consumer on it is gone. */
const MOST_ATTEMPTS = 3;

/** Whether a list is found by what all consumers use: not the consumers of a tree, or of a list, which are few. */
export function isByUse(
  { inTree, uuidIn }: Pick<ConsumerFilter, 'inTree' | 'uuidIn'>,
  orderBy: readonly ConsumerOrder[],
): boolean {
  const isUse = orderBy.map(({ field }) => field === 'USED');
  return (
    inTree == null &&
    uuidIn == null &&
    isUse.includes(true) &&
    orderBy.every(({ field }) => field === 'USED' || field === 'AGE')
  );
}

/** What is wanted, and in which order. */
export interface WantedByUse {
  /** Null: there are none, since no consumer can match. */
  readonly condition: ConsumerCondition | null;
  readonly keys: readonly ConsumerKey[];
}

/** A page of the consumers, in the direction of reading, and one more when there are more. */
export async function consumersByUse(
  { database, consumers }: ConsumerListSource,
  { condition, keys }: WantedByUse,
  page: Page<SortPlace>,
): Promise<ListedConsumer[]> {
  if (condition === null) return [];
  for (let attempt = 1; ; attempt++) {
    const places = (await consumers.current()).page(condition, keys, boundsOf(page));
    const found = await rowsAt(database, places);
    if (found.length === places.length || attempt === MOST_ATTEMPTS) return found;
    const there = new Set(found.map(({ id }) => id));
    consumers.reread(places.map(({ item }) => item).filter((id) => !there.has(id)));
  }
}

/** How many consumers a list has. */
export async function countByUse(
  consumers: ConsumerFiguresSource,
  { condition }: Pick<WantedByUse, 'condition'>,
): Promise<number> {
  return condition === null ? 0 : (await consumers.current()).count(condition);
}

/** The keys of such an order; `classes` has the ids of its classes. */
export function keysByUse(
  orderBy: readonly ConsumerOrder[],
  classes: ReadonlyMap<string, number>,
): ConsumerKey[] {
  return orderBy.map(({ resourceClass, direction }) => ({
    classId: resourceClass == null ? null : classes.get(resourceClass)!,
    isDescending: direction === 'DESC',
  }));
}

/** A filter by ids. Null: it names a project, a user or a type that there is not. */
export async function conditionOf(
  database: ReadableDatabase,
  { projectId, userId, consumerType }: ConsumerFilter,
  classId: number | null,
): Promise<ConsumerCondition | null> {
  const [projects, users, types] = await Promise.all([
    projectId == null ? null : readOwners(database, 'projects', [projectId]),
    userId == null ? null : readOwners(database, 'users', [userId]),
    consumerType == null ? null : typesOf(database, consumerType),
  ]);
  if ([projects, users, types].some((found) => found?.length === 0)) return null;
  return {
    ...(projects && { projectId: projects[0].id }),
    ...(users && { userId: users[0].id }),
    ...(consumerType !== undefined && { typeId: types?.[0].id ?? null }),
    ...(classId !== null && { classId }),
  };
}

function typesOf({ pool }: ReadableDatabase, name: string): Promise<{ readonly id: number }[]> {
  return readOnce(pool, tables.selectFrom('consumer_types').select('id').where('name', '=', name));
}

/** Those of them that there are, in their order. */
async function rowsAt(
  { pool }: ReadableDatabase,
  places: readonly Placed<number>[],
): Promise<ListedConsumer[]> {
  if (places.length === 0) return [];
  const rows = await read(pool, BY_ID, [places.map(({ item }) => item)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap(({ item, place }) => {
    const row = byId.get(item);
    return row === undefined ? [] : [{ ...row, place }];
  });
}
