import { readFileSync } from 'node:fs';
import type { Connection, Pool } from 'mariadb';

/** The standard resource classes, in the order of their ids, and the standard traits. */
export interface Catalog {
  readonly classes: readonly string[];
  readonly traits: readonly string[];
}

/** Whether a trait or a resource class belongs to the catalog rather than to a user (rules 66 and 74). */
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

/**
 * Adds the classes and traits of the catalog that the database lacks; removes and changes nothing. A standard class
 * gets its position in the catalog as its id (rule 74: Placement's own ids), a trait any id.
 *
 * @throws Error with a one-line message when a class or its id is taken otherwise: that database is not Placement's
 */
export async function loadCatalog(database: Pool | Connection, { classes, traits }: Catalog): Promise<void> {
  const present = await database.query<{ id: number; name: string }[]>(
    'SELECT id, name FROM resource_classes',
  );
  const nameOf = new Map(present.map(({ id, name }) => [id, name]));
  const idOf = new Map(present.map(({ id, name }) => [name, id]));
  const newClasses = [...classes.entries()].filter(([id, name]) => {
    if (idOf.has(name) ? idOf.get(name) !== id : nameOf.has(id)) {
      throw new Error(
        `the resource class ${name} should have the id ${id}, which this database uses differently`,
      );
    }
    return !idOf.has(name);
  });
  await insertNew(database, 'resource_classes (id, name', newClasses);

  const known = new Set(
    (await database.query<{ name: string }[]>('SELECT name FROM traits')).map(({ name }) => name),
  );
  const newTraits = traits.filter((name) => !known.has(name)).map((name) => [name]);
  await insertNew(database, 'traits (name', newTraits);
}

/** One statement. A row that another process adds in this moment is left as it is. */
async function insertNew(
  database: Pool | Connection,
  into: string,
  rows: readonly unknown[][],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => `(${row.map(() => '?').join(', ')}, UTC_TIMESTAMP())`).join(', ');
  await database.query(
    `INSERT INTO ${into}, created_at) VALUES ${values} ON DUPLICATE KEY UPDATE name = name`,
    rows.flat(),
  );
}
