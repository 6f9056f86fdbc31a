import { sql, type RawBuilder } from 'kysely';
import { readOnce, tables } from '../../database/statements.js';
import type { ConsumerFigures, ConsumerFiguresSource } from '../../domain/listing/consumerFigures.js';
import type { OrderEntry } from '../../domain/listing/listOrder.js';
import type { SortPlace } from '../../domain/listing/sortKeys.js';
import { checkCursor } from '../paging/cursors.js';
import { pageOfKeys, placeIn, type SqlKey } from '../paging/keyset.js';
import { orderOfKeys } from '../paging/keyOrder.js';
import { connectionOf, orderOfNames, type Connection, type ListOrder, type Page } from '../paging/paging.js';
import type { ConsumerListSource } from './consumerFilter.js';
import type { OwnerTable, Project } from './owners.js';
import { readOrderedClasses } from './orderedClasses.js';

/** What projects and users can be ordered by. */
export const OWNER_ORDER_FIELDS = ['ID', 'AGE', 'CONSUMER_COUNT', 'USED'] as const;
export type OwnerOrder = OrderEntry<(typeof OWNER_ORDER_FIELDS)[number]>;

const OWNER = { projects: 'projectId', users: 'userId' } as const;

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
 * One page of all projects or users, or of the one that is given. An order by counts or use costs a pass over all consumers in memory,
 * and sends the database a figure for each of the projects or users.
 *
 * @throws InvalidInput for an order that is not valid, and for a cursor that the table cannot have
 */
export async function listOwners(
  { database, consumers }: ConsumerListSource,
  table: OwnerTable,
  { only, orderBy }: { readonly only: string | null; readonly orderBy: readonly OwnerOrder[] },
  page: Page<SortPlace>,
): Promise<Connection<ListedOwner>> {
  await checkCursor(database, table, page);
  const classes = await readOrderedClasses(database, orderBy, (field) => field === 'USED');
  const all = tables
    .selectFrom(`${table} as o` as 'projects as o')
    .where('o.external_id', '>', '')
    .$if(only !== null, (query) => query.where('o.external_id', '=', only!));
  const keys = keysOf(await figuresFor(consumers, orderBy), table, orderBy, classes);
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

/** What the figures of an order are worked out from; null: it has none. */
async function figuresFor(
  consumers: ConsumerFiguresSource,
  orderBy: readonly OwnerOrder[],
): Promise<ConsumerFigures | null> {
  const isNeeded = orderBy.some(({ field }) => field === 'CONSUMER_COUNT' || field === 'USED');
  return isNeeded ? consumers.current() : null;
}

function keysOf(
  figures: ConsumerFigures | null,
  table: OwnerTable,
  orderBy: readonly OwnerOrder[],
  classes: ReadonlyMap<string, number>,
): SqlKey[] {
  const owner = OWNER[table];
  const values = {
    ID: () => sql<string>`o.external_id`,
    AGE: () => sql<number>`o.id`,
    CONSUMER_COUNT: () => figureOf(figures!.countsOf(owner)),
    USED: (classId: number) => figureOf(figures!.usesOf(owner, classId)),
  };
  const keys = orderBy.map(({ field, direction, resourceClass }): SqlKey => ({
    value: values[field](classes.get(resourceClass ?? '') ?? 0),
    isDescending: direction === 'DESC',
    isNullable: false,
  }));
  return [...keys, { value: values.ID(), isDescending: false, isNullable: false }];
}

/** The figure of the project or user in the row; 0 where there is none. */
function figureOf(figures: ReadonlyMap<number, number>): RawBuilder<number> {
  const rows = JSON.stringify([...figures]);
  return sql<number>`COALESCE((SELECT f.figure FROM
    (SELECT owner, MAX(figure) AS figure FROM JSON_TABLE(${rows}, '$[*]' COLUMNS (owner int PATH '$[0]', figure bigint PATH '$[1]')) j
      GROUP BY owner) f
    WHERE f.owner = o.id), 0)`;
}

/**
 * How many consumers each project or user of a page has, by its id, where the page is ordered by that: what is shown then agrees with
 * the order.
 */
export function countsIn(
  { edges }: Connection<ListedOwner>,
  orderBy: readonly OwnerOrder[],
): ReadonlyMap<number, number> {
  const at = orderBy.findIndex(({ field }) => field === 'CONSUMER_COUNT');
  return new Map(at < 0 ? [] : edges.map(({ node }) => [node.id, Number(node.place[at])]));
}
