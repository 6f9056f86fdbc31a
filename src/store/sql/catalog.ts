import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { read, execute, statement, tables, type Queryable, list } from './statements.js';

/** The standard resource classes, in the order of their ids, and the standard traits. */
export interface Catalog {
  readonly classes: readonly string[];
  readonly traits: readonly string[];
}

/** Returns whether a trait or a resource class is standard, not custom (rules 66 and 74). */
export function isStandard(name: string): boolean {
  return !name.startsWith('CUSTOM_');
}

/** Reads `catalog/resource_classes.txt` and `catalog/traits.txt` under `directory`: one name a line. */
export function readCatalog(directory: URL): Catalog {
  const names = (file: string): string[] =>
    readFileSync(new URL(`catalog/${file}.txt`, directory), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return { classes: names('resource_classes'), traits: names('traits') };
}

/** Returns whether the database has every class of the catalog, with its id, and every trait. */
export async function isLoaded(database: Queryable, { classes, traits }: Catalog): Promise<boolean> {
  const idOf = new Map((await read(database, CLASSES, [])).map(({ id, name }) => [name, id]));
  const known = new Set((await read(database, TRAITS, [])).map(({ name }) => name));
  return classes.every((name, id) => idOf.get(name) === id) && traits.every((name) => known.has(name));
}

/**
 * Adds the missing classes and traits of the catalog. A standard class gets its position in the catalog as its id
 * (rule 74).
 *
 * @throws Error with a one-line message if a class or its id is used differently: the database is not Placement's
 */
export async function loadCatalog(database: Queryable, { classes, traits }: Catalog): Promise<void> {
  const present = await read(database, CLASSES, []);
  const [conflict] = conflictsOf(classes, present);
  if (conflict !== undefined) throw new Error(conflict);
  const names = new Set(present.map(({ name }) => name));
  const newClasses = [...classes.entries()].filter(([, name]) => !names.has(name));
  if (newClasses.length > 0) {
    const rows = newClasses.map(([id, name]) => ({ id, name, created_at: NOW }));
    await execute(
      database,
      tables.insertInto('resource_classes').values(rows).onDuplicateKeyUpdate(UNCHANGED),
    );
  }

  const known = new Set((await read(database, TRAITS, [])).map(({ name }) => name));
  const newTraits = traits.filter((name) => !known.has(name));
  if (newTraits.length > 0) {
    const rows = newTraits.map((name) => ({ name, created_at: NOW }));
    await execute(database, tables.insertInto('traits').values(rows).onDuplicateKeyUpdate(UNCHANGED));
  }
}

/** Returns a line for each class of the catalog that has another id, or whose id has another class. */
export async function findCatalogConflicts(database: Queryable, { classes }: Catalog): Promise<string[]> {
  return conflictsOf(classes, await read(database, CLASSES, []));
}

function conflictsOf(
  classes: readonly string[],
  present: readonly { readonly id: number; readonly name: string }[],
): string[] {
  const nameOf = new Map(present.map(({ id, name }) => [id, name]));
  const idOf = new Map(present.map(({ id, name }) => [name, id]));
  return [...classes.entries()]
    .filter(([id, name]) => (idOf.has(name) ? idOf.get(name) !== id : nameOf.has(id)))
    .map(
      ([id, name]) =>
        `the resource class ${name} should have the id ${id}, which this database uses differently`,
    );
}

const CLASSES = statement(tables.selectFrom('resource_classes').select(['id', 'name']));
const TRAITS = statement(tables.selectFrom('traits').select('name'));
const NOW = sql<string>`UTC_TIMESTAMP()`;
/** Leaves a row unchanged that another process has added concurrently. */
const UNCHANGED = { name: sql<string>`name` };

const NAMED = {
  traits: statement(tables.selectFrom('traits').select(['id', 'name']).where('name', 'in', list<string>())),
  resource_classes: statement(
    tables.selectFrom('resource_classes').select(['id', 'name']).where('name', 'in', list<string>()),
  ),
};

const VALID_NAME = /^[\x21-\x7e]{1,255}$/;

export function isCatalogName(name: string): boolean {
  return VALID_NAME.test(name);
}

/**
 * Returns the ids of the names that the catalog has. Compares the names here, because the collation
 * of the database may ignore case (rule 7, decision D8). Skips names that no entry can have.
 */
export async function idsByName(
  reader: Queryable,
  table: keyof typeof NAMED,
  names: readonly string[],
): Promise<Map<string, number>> {
  const wanted = new Set(names.filter(isCatalogName));
  if (wanted.size === 0) return new Map();
  const rows = await read(reader, NAMED[table], [[...wanted]]);
  return new Map(rows.filter(({ name }) => wanted.has(name)).map(({ id, name }) => [name, id]));
}

export function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} has not been looked up`);
  return id;
}
