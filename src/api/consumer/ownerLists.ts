import type { ReadableDatabase } from '../../store/database/database.js';
import { storable } from '../../store/sql/statements.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { LARGEST_INTEGER } from '../../model/input.js';
import type { ConsumerFigures, ConsumerFiguresSource } from '../../model/listing/consumerFigures.js';
import type { OrderEntry } from '../../model/listing/listOrder.js';
import { OrderedPage, type Placed, type SortKey, type SortPlace } from '../../model/listing/orderedPage.js';
import {
  boundsOf,
  checkBounds,
  connectionOf,
  orderOfKeys,
  orderOfNames,
  type Connection,
  type ListOrder,
  type Page,
} from '../paging/paging.js';
import { classesOfOrder } from '../loaders/catalog.js';

/** The database and the consumers in memory, from which lists of consumers are read. */
export interface ConsumerListSource {
  readonly database: ReadableDatabase;
  readonly consumers: ConsumerFiguresSource;
}

/** A project or a user. */
export interface Owner {
  readonly id: number;
  readonly externalId: string;
}

export type OwnerTable = 'projects' | 'users';

export type OwnerOrderField = 'id' | 'age' | 'consumerCount' | 'used';
export type OwnerOrder = OrderEntry<OwnerOrderField>;

export interface ListedOwner extends Owner {
  readonly place: SortPlace;
}

/** How many owners one statement reads for an order by count or use. */
const PART = 1_000;

const OWNER = { id: true, externalId: true } as const;

function modelOf({ prisma }: ReadableDatabase, table: OwnerTable): ReadableDatabase['prisma']['project'] {
  return table === 'projects' ? prisma.project : (prisma.user as unknown as typeof prisma.project);
}

/** Reads projects or users; omits unknown ids. Compares ids exactly, whatever the collation. */
export async function readOwners(
  database: ReadableDatabase,
  table: OwnerTable,
  externalIds: readonly string[],
): Promise<Owner[]> {
  const wanted = await storable(database.pool, table, externalIds);
  if (wanted.size === 0) return [];
  const where = { externalId: { in: [...wanted] } };
  const found = await modelOf(database, table).findMany({ where, select: OWNER });
  return found.filter(({ externalId }) => wanted.has(externalId));
}

/** Whether the first field is unique to each owner, so that further fields have no effect. */
function isByColumn(orderBy: readonly OwnerOrder[]): boolean {
  return orderBy.length === 0 || orderBy[0].field === 'id' || orderBy[0].field === 'age';
}

export function orderOfOwners(orderBy: readonly OwnerOrder[]): ListOrder<ListedOwner, SortPlace> {
  return orderBy.length === 0
    ? { ...orderOfNames(({ externalId }: ListedOwner) => externalId), place: (id) => [id] }
    : orderOfKeys(orderBy, isByColumn(orderBy) ? 1 : undefined);
}

/**
 * Reads one page of all projects or users, or only the one with the external id `only`. For an
 * order by count or use, it reads all owners in parts and sums up all consumers in memory.
 *
 * @throws InvalidInput for an invalid order, and for a cursor of another list
 */
export async function listOwners(
  { database, consumers }: ConsumerListSource,
  table: OwnerTable,
  { only, orderBy }: { readonly only: string | null; readonly orderBy: readonly OwnerOrder[] },
  page: Page<SortPlace>,
): Promise<Connection<ListedOwner>> {
  const classes = await classesOfOrder(database, orderBy);
  // the collation of the column may ignore case and trailing blanks
  const where =
    only === null
      ? { externalId: { not: '' } }
      : { id: { in: (await readOwners(database, table, [only])).map(({ id }) => id) } };
  const model = modelOf(database, table);
  let found: ListedOwner[];
  if (isByColumn(orderBy)) found = await pageByColumn(database, table, { where, orderBy }, page);
  else {
    const owners = parts(model, where);
    const [figures, first] = await Promise.all([consumers.current([...classes.values()]), owners.next()]);
    const keys = keysOf(figures, table, orderBy, classes);
    const directions = [...orderBy.map(({ direction }) => direction === 'DESC'), false];
    const places = new OrderedPage<Owner>({ keyOf: keys, directions }, boundsOf(page));
    for (let part = first; part.done !== true; part = await owners.next())
      for (const owner of part.value) if (places.isWanted(owner)) places.add(owner);
    found = places.rows.map(({ item, place }: Placed<Owner>) => ({ ...item, place }));
  }
  return connectionOf(orderOfOwners(orderBy), page, found, () => model.count({ where }));
}

/** Reads all owners in parts. A part is decoded in one turn of the event loop. */
async function* parts(
  model: ReadableDatabase['prisma']['project'],
  where: Prisma.ProjectWhereInput,
): AsyncGenerator<readonly Owner[]> {
  for (let after = 0; ;) {
    const owners = await model.findMany({
      where: { AND: [where, { id: { gt: after } }] },
      select: OWNER,
      orderBy: { id: 'asc' },
      take: PART,
    });
    yield owners;
    if (owners.length < PART) return;
    after = owners[PART - 1].id;
  }
}

/** Reads a page in the order of the external id or the age. */
async function pageByColumn(
  database: ReadableDatabase,
  table: OwnerTable,
  { where, orderBy }: { readonly where: Prisma.ProjectWhereInput; readonly orderBy: readonly OwnerOrder[] },
  { after, before, backwards, size }: Page<SortPlace>,
): Promise<ListedOwner[]> {
  const column = orderBy[0]?.field === 'age' ? 'id' : 'externalId';
  const isDescending = orderBy[0]?.direction === 'DESC';
  const [least, most] = isDescending ? ([before, after] as const) : ([after, before] as const);
  await checkBounds({ after, before }, ([key]) => isKeyOf(database, table, column, key));
  const between = { gt: least?.[0] ?? undefined, lt: most?.[0] ?? undefined };
  const rows = await modelOf(database, table).findMany({
    where: { AND: [where, { [column]: between }] },
    select: OWNER,
    orderBy: { [column]: isDescending === backwards ? 'asc' : 'desc' },
    take: size + 1,
  });
  return rows.map((row) => ({ ...row, place: [row[column]] }));
}

/** Whether the column can hold this key. Otherwise the cursor is not from this list. */
async function isKeyOf(
  { pool }: ReadableDatabase,
  table: OwnerTable,
  column: 'id' | 'externalId',
  key: SortKey,
): Promise<boolean> {
  if (column === 'id') return Number.isInteger(key) && Math.abs(Number(key)) <= LARGEST_INTEGER;
  return typeof key === 'string' && (await storable(pool, table, [key])).has(key);
}

function keysOf(
  figures: ConsumerFigures,
  table: OwnerTable,
  orderBy: readonly OwnerOrder[],
  classes: ReadonlyMap<string, number>,
): ((owner: Owner) => SortKey)[] {
  const by = table === 'projects' ? 'projectId' : 'userId';
  const id = ({ externalId }: Owner): string => externalId;
  const keys = orderBy.map(({ field, resourceClass }): ((owner: Owner) => SortKey) => {
    if (field === 'id') return id;
    if (field === 'age') return (owner) => owner.id;
    const sums = field === 'used' ? figures.usesOf(by, classes.get(resourceClass!)!) : figures.countsOf(by);
    return ({ externalId }) => sums.get(externalId) ?? 0;
  });
  return [...keys, id];
}

/**
 * Returns the consumer counts that a page is ordered by, by the id of the project or user. The
 * shown counts then agree with the order. Empty for other orders.
 */
export function countsIn(
  { edges }: Connection<ListedOwner>,
  orderBy: readonly OwnerOrder[],
): ReadonlyMap<number, number> {
  const at = isByColumn(orderBy) ? -1 : orderBy.findIndex(({ field }) => field === 'consumerCount');
  return new Map(at < 0 ? [] : edges.map(({ node }) => [node.id, Number(node.place[at])]));
}
