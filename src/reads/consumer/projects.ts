import { sql, type RawBuilder } from 'kysely';
import type { ReadableDatabase } from '../../database/database.js';
import { readOnce, tables } from '../../database/statements.js';
import { storable } from '../../database/storable.js';
import type { OrderEntry } from '../../domain/listOrder.js';
import type { SortPlace } from '../../domain/sortKeys.js';
import { checkCursor } from '../paging/cursors.js';
import { pageOfKeys, placeIn, type SqlKey } from '../paging/keyset.js';
import { orderOfKeys } from '../paging/keyOrder.js';
import { connectionOf, orderOfNames, type Connection, type ListOrder, type Page } from '../paging/paging.js';
import { readOrderedClasses } from './orderedClasses.js';

/** A project or a user. */
export interface Project {
  readonly id: number;
  readonly externalId: string;
}

/** What projects and users can be ordered by. */
export const OWNER_ORDER_FIELDS = ['ID', 'AGE', 'CONSUMER_COUNT', 'USED'] as const;
export type OwnerOrder = OrderEntry<(typeof OWNER_ORDER_FIELDS)[number]>;

type OwnerTable = 'projects' | 'users';
const OWNER = { projects: 'c.project_id', users: 'c.user_id' } as const;

/** Those of these projects or users that there are: exactly these, whatever the collation of the database. */
export async function readOwners(
  { pool }: ReadableDatabase,
  table: OwnerTable,
  externalIds: readonly string[],
): Promise<Project[]> {
  const wanted = await storable(pool, table, externalIds);
  if (wanted.size === 0) return [];
  const found = await readOnce(
    pool,
    tables
      .selectFrom(`${table} as o` as 'projects as o')
      .where('o.external_id', 'in', [...wanted])
      .select(['o.id', 'o.external_id as externalId']),
  );
  return found.filter(({ externalId }) => wanted.has(externalId));
}

export interface ListedOwner extends Project {
  readonly place: SortPlace;
}

/** By id where nothing else is asked for. */
export function orderOfOwners(orderBy: readonly OwnerOrder[]): ListOrder<ListedOwner, SortPlace> {
  return orderBy.length === 0
    ? { ...orderOfNames(({ externalId }: ListedOwner) => externalId), place: (id) => [id] }
    : orderOfKeys(orderBy);
}

/**
 * One page of all projects or users, or of the one that is given. An order by counts or use costs a pass over all consumers, or over
 * all allocations of the class.
 *
 * @throws InvalidInput for an order that is not valid, and for a cursor that the table cannot have
 */
export async function listOwners(
  database: ReadableDatabase,
  table: OwnerTable,
  { only, orderBy }: { readonly only: string | null; readonly orderBy: readonly OwnerOrder[] },
  page: Page<SortPlace>,
): Promise<Connection<Project>> {
  await checkCursor(database, table, page);
  const classes = await readOrderedClasses(database, orderBy, (field) => field === 'USED');
  const all = tables
    .selectFrom(`${table} as o` as 'projects as o')
    .where('o.external_id', '>', '')
    .$if(only !== null, (query) => query.where('o.external_id', '=', only!));
  const keys = keysOf(table, orderBy, classes);
  const rows = await readOnce(
    database.pool,
    pageOfKeys(all.select(['o.id', 'o.external_id as externalId']), keys, page),
  );
  const found = rows.map(({ id, externalId, ...row }) => ({ id, externalId, place: placeIn(row, keys) }));
  return connectionOf(orderOfOwners(orderBy), page, found, async () => {
    const [{ owners }] = await readOnce(
      database.pool,
      all.select(({ fn }) => fn.countAll<number>().as('owners')),
    );
    return owners;
  });
}

function keysOf(
  table: OwnerTable,
  orderBy: readonly OwnerOrder[],
  classes: ReadonlyMap<string, number>,
): SqlKey[] {
  const owner = sql.ref(OWNER[table]);
  const values = {
    ID: () => sql<string>`o.external_id`,
    AGE: () => sql<number>`o.id`,
    CONSUMER_COUNT: () =>
      ofOwner(sql`SELECT ${owner} AS owner, COUNT(*) AS figure FROM consumers c GROUP BY ${owner}`),
    USED: (classId: number) =>
      ofOwner(sql`SELECT ${owner} AS owner, CAST(SUM(a.used) AS SIGNED) AS figure
                    FROM allocations a JOIN consumers c ON c.uuid = a.consumer_id
                   WHERE a.resource_class_id = ${classId} GROUP BY ${owner}`),
  };
  const keys = orderBy.map(({ field, direction, resourceClass }): SqlKey => ({
    value: values[field](classes.get(resourceClass ?? '') ?? 0),
    isDescending: direction === 'DESC',
    isNullable: false,
  }));
  return [...keys, { value: values.ID(), isDescending: false, isNullable: false }];
}

/** A figure of the project or user in the row; 0 where there is none. The figures of all are worked out once. */
function ofOwner(figures: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`COALESCE((SELECT f.figure FROM (${figures}) f WHERE f.owner = o.id), 0)`;
}
