import { idsByName, isCatalogName } from '../../store/sql/catalog.js';
import type { ReadableDatabase } from '../../store/database/database.js';
import { byName } from '../../model/listing/orderedPage.js';
import { unknownName } from '../../model/input.js';
import { validateOrder, type OrderEntry } from '../../model/listing/listOrder.js';

/** A trait, a resource class or a consumer type. */
export interface CatalogEntry {
  readonly id: number;
  readonly name: string;
  /** Null: the row has none. */
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

/** Conditions on traits or resource classes. All must hold. */
export interface CatalogFilter {
  readonly nameIn?: readonly string[] | null;
  readonly startsWith?: string | null;
  readonly associated?: boolean | null;
}

const ENTRY = { id: true, name: true, createdAt: true, updatedAt: true } as const;

/*
 * Names are compared exactly and sorted here and not by the database, whose collation may ignore case (rule
 * 7, decision D8).
 */

/** Reads the traits that match a filter (rule 69), sorted by name. */
export function readTraits({ prisma }: ReadableDatabase, filter: CatalogFilter): Promise<CatalogEntry[]> {
  return readMatching(filter, (name, has) =>
    prisma.trait.findMany({ where: { name, ...(has && { providers: has }) }, select: ENTRY }),
  );
}

/** Reads the resource classes that match a filter, sorted by name. An inventory associates its class. */
export function readResourceClasses(
  { prisma }: ReadableDatabase,
  filter: CatalogFilter = {},
): Promise<CatalogEntry[]> {
  return readMatching(filter, (name, has) =>
    prisma.resourceClass.findMany({ where: { name, ...(has && { inventories: has }) }, select: ENTRY }),
  );
}

/** @param read reads the entries by Prisma's conditions on the name and on the associated rows */
async function readMatching(
  { nameIn, startsWith, associated }: CatalogFilter,
  read: (
    name: { in?: string[]; startsWith?: string },
    has: { some: object } | { none: object } | null,
  ) => Promise<CatalogEntry[]>,
): Promise<CatalogEntry[]> {
  const wanted = nameIn?.filter(isCatalogName);
  const start = startsWith ?? '';
  if (wanted?.length === 0 || !(start === '' || isCatalogName(start))) return [];
  const rows = await read(
    {
      ...(wanted && { in: wanted }),
      // Prisma uses it as a pattern of LIKE
      ...(start !== '' && { startsWith: start.replace(/[\\%_]/g, '\\$&') }),
    },
    associated == null ? null : associated ? { some: {} } : { none: {} },
  );
  const names = nameIn && new Set(nameIn);
  const isWanted = ({ name }: CatalogEntry) => (!names || names.has(name)) && name.startsWith(start);
  return rows.filter(isWanted).sort(byName);
}

/** Returns the id of a resource class. Null for no class. @throws InvalidInput if it is unknown (decision D12) */
export async function classIdOf(
  { pool }: ReadableDatabase,
  name: string | null | undefined,
  path: readonly string[],
): Promise<number | null> {
  if (name == null) return null;
  const id = (await idsByName(pool, 'resource_classes', [name])).get(name);
  if (id !== undefined) return id;
  throw unknownName('resource class', name, path);
}

/** Reads all consumer types, sorted by name. */
export async function readConsumerTypes({ prisma }: ReadableDatabase): Promise<CatalogEntry[]> {
  return (await prisma.consumerType.findMany({ select: ENTRY })).sort(byName);
}

/** Returns the ids of the classes that an order names. @throws InvalidInput for an invalid order */
export async function classesOfOrder(
  { pool }: ReadableDatabase,
  orderBy: readonly OrderEntry[],
): Promise<ReadonlyMap<string, number>> {
  const names = orderBy.flatMap(({ resourceClass }) => resourceClass ?? []);
  const classes = await idsByName(pool, 'resource_classes', names);
  validateOrder(orderBy, (name) => classes.has(name));
  return classes;
}
