import type { ReadableDatabase } from '../../database/database.js';
import { validateOrder, type OrderEntry } from '../../domain/listing/listOrder.js';
import { readResourceClasses } from '../catalog.js';

/**
 * The ids of the classes that an order names.
 *
 * @throws InvalidInput for an order that is not valid
 */
export async function readOrderedClasses<Field extends string>(
  database: ReadableDatabase,
  orderBy: readonly OrderEntry<Field>[],
  isAboutClass: (field: Field) => boolean,
): Promise<ReadonlyMap<string, number>> {
  const names = orderBy.flatMap(({ resourceClass }) => resourceClass ?? []);
  const found = names.length === 0 ? [] : await readResourceClasses(database, names);
  const classes = new Map(found.map(({ id, name }) => [name, id]));
  validateOrder(orderBy, isAboutClass, (name) => classes.has(name));
  return classes;
}
