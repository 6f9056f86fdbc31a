import { idsByName, isCatalogName } from '../database/catalog.js';
import type { ReadableDatabase } from '../database/database.js';
import { byName } from '../domain/listing/orderedPage.js';
import { unknownName } from '../domain/invalidInput.js';
import { validateOrder, type OrderEntry } from '../domain/listing/listOrder.js';

/** A trait, a resource class or a consumer type. */
export interface CatalogEntry {
  readonly id: number;
  readonly name: string;
}

export interface TraitFilter {
  readonly nameIn?: readonly string[] | null;
  readonly startsWith?: string | null;
  readonly associated?: boolean | null;
}

const ENTRY = { id: true, name: true } as const;

/*
 * Names are compared exactly and sorted here and not by the database, whose collation may ignore case (rule
 * 7, decision D8).
 */

/** Reads the traits that match all conditions (rule 69), sorted by name. */
export async function readTraits({ prisma }: ReadableDatabase, filter: TraitFilter): Promise<CatalogEntry[]> {
  const { nameIn, associated } = filter;
  const startsWith = filter.startsWith ?? '';
  const wanted = nameIn?.filter(isCatalogName);
  if (wanted?.length === 0 || !(startsWith === '' || isCatalogName(startsWith))) return [];
  const rows = await prisma.trait.findMany({
    where: {
      name: {
        ...(wanted && { in: wanted }),
        // Prisma uses it as a pattern of LIKE
        ...(startsWith !== '' && { startsWith: startsWith.replace(/[\\%_]/g, '\\$&') }),
      },
      ...(associated != null && { providers: associated ? { some: {} } : { none: {} } }),
    },
    select: ENTRY,
  });
  const names = nameIn && new Set(nameIn);
  const isWanted = ({ name }: CatalogEntry) => (!names || names.has(name)) && name.startsWith(startsWith);
  return rows.filter(isWanted).sort(byName);
}

/** Reads all resource classes, sorted by name. */
export async function readResourceClasses({ prisma }: ReadableDatabase): Promise<CatalogEntry[]> {
  return (await prisma.resourceClass.findMany({ select: ENTRY })).sort(byName);
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
