import { sql } from 'kysely';
import type { ReadableDatabase } from '../../database/database.js';
import { areOwnersStorable } from './owners.js';
import { readOnce } from '../../database/statements.js';
import { byCodePoint } from '../../domain/codePointOrder.js';
import { groupBy } from '../groups.js';
import { sumOf } from '../sums.js';
import { CONSUMERS } from './consumerRow.js';

/** Which consumers to add up, and whether their types are told apart. */
export interface UsageFilter {
  readonly projectId: string;
  readonly userId?: string | null;
  /** The name of a type; null: untyped; undefined: of every type. */
  readonly consumerType?: string | null;
  /** What the one group of all types is called; without it, a group for each type. */
  readonly together?: string;
}

/** What the consumers of one type use. */
export interface TypeUsage {
  /** Null: untyped. */
  readonly consumerType: string | null;
  readonly consumerCount: number;
  readonly usages: readonly { readonly resourceClass: string; readonly used: number }[];
}

/** Counts and sums in one statement, so that they belong together (rules 109-111). */
export async function readProjectUsage(
  { pool }: ReadableDatabase,
  filter: UsageFilter,
): Promise<TypeUsage[]> {
  const { projectId, userId, consumerType, together } = filter;
  if (!(await areOwnersStorable(pool, filter))) return [];
  const consumers = CONSUMERS.clearSelect()
    .innerJoin('allocations as a', 'a.consumer_id', 'c.uuid')
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
    .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
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
  // null in place of a class: so many consumers
  const counts = consumers
    .select((eb) => [
      eb.lit(null).$castTo<string | null>().as('resourceClass'),
      eb.fn.count<number>('c.uuid').distinct().as('amount'),
    ])
    .groupBy('type');
  const rows = await readOnce(pool, sums.unionAll(counts));
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
