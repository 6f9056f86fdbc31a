import { sql, type Expression, type RawBuilder } from 'kysely';
import type { ReadableDatabase } from '../../store/database/database.js';
import { isOldest, readDuplicateConsumers } from '../../store/sql/consumers.js';
import { execute, tables, type Queryable, isStorable } from '../../store/sql/statements.js';
import { LARGEST_AMOUNT, saturatingSum } from '../../model/input.js';
import { byCodePoint } from '../../model/listing/orderedPage.js';
import { groupBy } from '../../model/collections.js';
import type { Operation } from '../../model/operation/operation.js';
import { BatchLoader } from '../loaders/batchLoader.js';

/** Returns a sum of amounts that saturates (decision D2). It is 0 if there are no amounts. */
export function sumOf(amounts: Expression<number>): RawBuilder<number> {
  return sql`CAST(LEAST(COALESCE(SUM(${amounts}), 0), ${sql.lit(LARGEST_AMOUNT)}) AS SIGNED)`;
}

export type OwnerColumn = 'project_id' | 'user_id';

/** Counts the consumers of projects, users or types, by id. */
export function consumerCounts(
  operation: Operation,
  database: ReadableDatabase,
  owner: OwnerColumn | 'consumer_type_id',
) {
  return new BatchLoader(operation, async (ids: readonly number[]) => {
    const duplicates = await readDuplicateConsumers(database);
    const counts = tables
      .selectFrom('consumers')
      .where(owner, 'in', ids)
      .$if(duplicates.length > 0, (query) => query.where(isOldest(duplicates, 'id')))
      .groupBy(owner)
      .select((eb) => [eb.ref(owner).as('owner'), eb.fn.countAll<number>().as('consumers')]);
    const byId = new Map((await execute(database.pool, counts)).map((row) => [row.owner, row.consumers]));
    return ids.map((id) => byId.get(id) ?? 0);
  });
}

/** The allocations of consumers `c` whose provider and class exist. */
const USAGES = tables
  .selectFrom('consumers as c')
  .innerJoin('allocations as a', 'a.consumer_id', 'c.uuid')
  .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
  .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id');

/** Adds up the use of each resource class by projects or users, by id. Classes are sorted by name. */
export function usagesOfOwners(operation: Operation, reader: Queryable, owner: OwnerColumn) {
  return new BatchLoader(operation, async (ids: readonly number[]) => {
    const sums = USAGES.where(`c.${owner}`, 'in', ids)
      .groupBy([`c.${owner}`, 'k.name'])
      .select((eb) => [
        eb.ref(`c.${owner}`).as('owner'),
        'k.name as resourceClass',
        sumOf(eb.ref('a.used')).as('used'),
      ]);
    const byOwner = groupBy(await execute(reader, sums), (usage) => usage.owner);
    return ids.map((id) => (byOwner.get(id) ?? []).sort(byClass));
  });
}

export interface UsageFilter {
  readonly projectId: string;
  readonly userId?: string | null;
}

interface ConsumerUsage {
  readonly consumerCount: number;
  readonly usages: readonly { readonly resourceClass: string; readonly used: number }[];
}

/** The use by the consumers of one type. */
export interface TypeUsage extends ConsumerUsage {
  /** Null: untyped. */
  readonly type: string | null;
}

export interface UsageReport extends ConsumerUsage {
  readonly byType: readonly TypeUsage[];
}

/** Reads counts and sums in one statement, so that they are of the same moment (rules 109-111). */
export async function readUsageReport(database: ReadableDatabase, filter: UsageFilter): Promise<UsageReport> {
  const byType = await readUsageByType(database, filter);
  const sums = new Map<string, number>();
  for (const { resourceClass, used } of byType.flatMap(({ usages }) => usages))
    sums.set(resourceClass, saturatingSum(sums.get(resourceClass) ?? 0, used));
  return {
    consumerCount: byType.reduce((sum, { consumerCount }) => sum + consumerCount, 0),
    usages: Array.from(sums, ([resourceClass, used]) => ({ resourceClass, used })).sort(byClass),
    byType,
  };
}

async function readUsageByType(
  database: ReadableDatabase,
  { projectId, userId }: UsageFilter,
): Promise<TypeUsage[]> {
  const { pool } = database;
  if (!(await isStorable(pool, 'projects', projectId))) return [];
  if (userId != null && !(await isStorable(pool, 'users', userId))) return [];
  const consumers = USAGES.innerJoin('projects', 'projects.id', 'c.project_id')
    .leftJoin('users', 'users.id', 'c.user_id')
    .leftJoin('consumer_types', 'consumer_types.id', 'c.consumer_type_id')
    .where('projects.external_id', '=', projectId)
    .$if(userId != null, (query) => query.where('users.external_id', '=', userId!))
    .select('consumer_types.name as type');
  const sums = consumers
    .select((eb) => [
      eb.ref('k.name').$castTo<string | null>().as('resourceClass'),
      sumOf(eb.ref('a.used')).as('amount'),
    ])
    .groupBy(['type', 'resourceClass']);
  // rows with null instead of a class contain the number of consumers
  const duplicates = await readDuplicateConsumers(database);
  const counts = consumers
    .$if(duplicates.length > 0, (query) => query.where(isOldest(duplicates, 'c.id')))
    .select((eb) => [
      eb.lit(null).$castTo<string | null>().as('resourceClass'),
      eb.fn.count<number>('c.uuid').distinct().as('amount'),
    ])
    .groupBy('type');
  const rows = await execute(pool, sums.unionAll(counts));
  return [...groupBy(rows, ({ type }) => type)]
    .map(([type, group]) => ({
      type,
      consumerCount: group.find(({ resourceClass }) => resourceClass === null)?.amount ?? 0,
      usages: group
        .flatMap(({ resourceClass, amount }) =>
          resourceClass === null ? [] : [{ resourceClass, used: amount }],
        )
        .sort(byClass),
    }))
    .sort(byType);
}

/** Compares by name, untyped last. */
function byType({ type: a }: TypeUsage, { type: b }: TypeUsage): number {
  return a === null || b === null ? Number(a === null) - Number(b === null) : byCodePoint(a, b);
}

function byClass(a: { readonly resourceClass: string }, b: { readonly resourceClass: string }): number {
  return byCodePoint(a.resourceClass, b.resourceClass);
}
