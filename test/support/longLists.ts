import type { TestDatabase } from './database.js';
import { insertRows } from './insertRows.js';

/** One more than the length at which version 1.0 rejected lists without pages. */
export const LONG = 1_001;

/** Returns LONG names with a prefix, in their order. */
export const longNames = (prefix: string): string[] =>
  Array.from({ length: LONG }, (_, at) => `${prefix}${String(at).padStart(4, '0')}`);

/** Inserts LONG custom resource classes, and as many traits and consumer types. Call it before the server starts. */
export async function insertLongCatalog(database: TestDatabase): Promise<void> {
  const rows = (prefix: string) => longNames(prefix).map((name) => [name]);
  await insertRows(database, 'resource_classes', 'name', rows('CUSTOM_CLASS_'));
  await insertRows(database, 'traits', 'name', rows('CUSTOM_TRAIT_'));
  await insertRows(database, 'consumer_types', 'name', rows('TYPE_'));
}
