import { list, read, statement, tables, type Reader } from './statements.js';

/** By table: the names that all providers share. */
const NAMED = {
  traits: statement(tables.selectFrom('traits').select(['id', 'name']).where('name', 'in', list<string>())),
  resource_classes: statement(
    tables.selectFrom('resource_classes').select(['id', 'name']).where('name', 'in', list<string>()),
  ),
};

const VALID_NAME = /^[\x21-\x7e]{1,255}$/;

/** Whether a trait or a resource class can have this name. */
export function isCatalogName(name: string): boolean {
  return VALID_NAME.test(name);
}

/**
 * The ids of those of these names that the catalog has. Equality is decided here and not by the database, whose
 * collation may ignore case (rule 7, decision D8). Names that no trait and no class can have are not even looked for.
 */
export async function idsByName(
  reader: Reader,
  table: keyof typeof NAMED,
  names: readonly string[],
): Promise<Map<string, number>> {
  const wanted = new Set(names.filter(isCatalogName));
  if (wanted.size === 0) return new Map();
  const rows = await read(reader, NAMED[table], [[...wanted]]);
  return new Map(rows.filter(({ name }) => wanted.has(name)).map(({ id, name }) => [name, id]));
}

/** The id of a name that was looked up and found. */
export function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} has not been looked up`);
  return id;
}
