import type { Reader } from './statements.js';

/** The tables of names that are shared by all providers. */
type CatalogTable = 'traits' | 'resource_classes';

const REFERABLE = /^[\x21-\x7e]{1,255}$/;

/**
 * The ids of those of these names that the catalog has. Equality is judged here and not by the database, whose
 * collation may ignore case (rule 7, decision D8). Names that no trait and no class can have are not even looked for.
 */
export async function idsByName(
  reader: Reader,
  table: CatalogTable,
  names: readonly string[],
): Promise<Map<string, number>> {
  const wanted = new Set(names.filter((name) => REFERABLE.test(name)));
  if (wanted.size === 0) return new Map();
  const rows = await reader.query<{ id: number; name: string }[]>(
    `SELECT id, name FROM ${table} WHERE name IN (?)`,
    [[...wanted]],
  );
  return new Map(rows.filter(({ name }) => wanted.has(name)).map(({ id, name }) => [name, id]));
}

/** The id of a name that was looked up and found. */
export function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} has not been looked up`);
  return id;
}
