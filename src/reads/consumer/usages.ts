import DataLoader from 'dataloader';
import { sql, type Expression, type RawBuilder } from 'kysely';
import type { ReadableDatabase } from '../../database/database.js';
import { execute, tables, type Queryable } from '../../database/statements.js';
import { isStorable } from '../../database/storable.js';
import { LARGEST_AMOUNT } from '../../domain/capacity.js';
import { byCodePoint } from '../../domain/listing/orderedPage.js';
import { groupBy } from '../../domain/collections.js';

/** A sum of amounts that saturates (decision D2); 0 without any. */
export function sumOf(amounts: Expression<number>): RawBuilder<number> {
  return sql`CAST(LEAST(COALESCE(SUM(${amounts}), 0), ${sql.lit(LARGEST_AMOUNT)}) AS SIGNED)`;
}

type Owner = 'project_id' | 'user_id';

/** Counts the consumers of projects, users or types, by id. */
export function consumerCounts(reader: Queryable, owner: Owner | 'consumer_type_id') {
  return new DataLoader(async (ids: readonly number[]) => {
    const counts = tables
      .selectFrom('consumers')
      .where(owner, 'in', ids)
      .groupBy(owner)
      .select((eb) => [eb.ref(owner).as('owner'), eb.fn.countAll<number>().as('consumers')]);
    const byId = new Map((await execute(reader, counts)).map((row) => [row.owner, row.consumers]));
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
export function usagesOfOwners(reader: Queryable, owner: Owner) {
  return new DataLoader(async (ids: readonly number[]) => {
    const sums = USAGES.where(`c.${owner}`, 'in', ids)
      .groupBy([`c.${owner}`, 'k.name'])
      .select((eb) => [
        eb.ref(`c.${owner}`).as('owner'),
        'k.name as resourceClass',
        sumOf(eb.ref('a.used')).as('used'),
      ]);
    const byOwner = groupBy(await execute(reader, sums), (usage) => usage.owner);
    return ids.map((id) =>
      (byOwner.get(id) ?? []).sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass)),
    );
  });
}

export interface UsageFilter {
  readonly projectId: string;
  readonly userId?: string | null;
  /** The name of a type. Null: untyped. Undefined: of every type. */
  readonly consumerType?: string | null;
  /** The name of the one group of all types. Without it, each type has a group. */
  readonly together?: string;
}

/** The use by the consumers of one type. */
export interface TypeUsage {
  /** Null: untyped. */
  readonly consumerType: string | null;
  readonly consumerCount: number;
  readonly usages: readonly { readonly resourceClass: string; readonly used: number }[];
}

/** Reads counts and sums in one statement, so that they are of the same moment (rules 109-111). */
export async function readProjectUsage(
  { pool }: ReadableDatabase,
  { projectId, userId, consumerType, together }: UsageFilter,
): Promise<TypeUsage[]> {
  if (!(await isStorable(pool, 'projects', projectId))) return [];
  if (userId != null && !(await isStorable(pool, 'users', userId))) return [];
  const consumers = USAGES.innerJoin('projects', 'projects.id', 'c.project_id')
    .leftJoin('users', 'users.id', 'c.user_id')
    .leftJoin('consumer_types', 'consumer_types.id', 'c.consumer_type_id')
    .where('projects.external_id', '=', projectId)
    .$if(userId != null, (query) => query.where('users.external_id', '=', userId!))
    .$if(consumerType === null, (query) => query.where('c.consumer_type_id', 'is', null))
    .$if(consumerType != null, (query) => query.where('consumer_types.name', '=', consumerType!))
    .select((eb) =>
      sql<string | null>`${together === undefined ? eb.ref('consumer_types.name') : sql.lit(together)}`.as(
        'type',
      ),
    );
  const sums = consumers
    .select((eb) => [
      eb.ref('k.name').$castTo<string | null>().as('resourceClass'),
      sumOf(eb.ref('a.used')).as('amount'),
    ])
    .groupBy(['type', 'resourceClass']);
  // null instead of a class: the number of consumers
  const counts = consumers
    .select((eb) => [
      eb.lit(null).$castTo<string | null>().as('resourceClass'),
      eb.fn.count<number>('c.uuid').distinct().as('amount'),
    ])
    .groupBy('type');
  const rows = await execute(pool, sums.unionAll(counts));
  return [...groupBy(rows, ({ type }) => type)]
    .map(([type, group]) => ({
      consumerType: type,
      consumerCount: group.find(({ resourceClass }) => resourceClass === null)?.amount ?? 0,
      usages: group
        .flatMap(({ resourceClass, amount }) =>
          resourceClass === null ? [] : [{ resourceClass, used: amount }],
        )
        .sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass)),
    }))
    .sort(byType);
}

/** By name, untyped last. */
function byType({ consumerType: a }: TypeUsage, { consumerType: b }: TypeUsage): number {
  return a === null || b === null ? Number(a === null) - Number(b === null) : byCodePoint(a, b);
}
