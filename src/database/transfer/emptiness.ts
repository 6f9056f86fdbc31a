import type { Connection } from 'mariadb';
import { isStandard } from '../catalog.js';
import { CATALOG_TABLES, COPIED_TABLES } from './copiedTables.js';

const isCatalog = (table: string): boolean => CATALOG_TABLES.some((name) => name === table);

/**
 * Checks that a database has nothing but standard traits and resource classes.
 *
 * @throws Error with a one-line message
 */
export async function requireEmpty(connection: Connection): Promise<void> {
  const refuse = (found: string): Error => new Error(`the target must be empty, and it has ${found}`);
  for (const { name } of COPIED_TABLES) {
    if (isCatalog(name)) continue;
    const rows = await connection.query<unknown[]>(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length > 0) throw refuse(`rows in ${name}`);
  }
  for (const table of CATALOG_TABLES) {
    const rows = await connection.query<{ name: string }[]>(`SELECT name FROM ${table}`);
    const custom = rows.find(({ name }) => !isStandard(name));
    if (custom !== undefined) throw refuse(`${custom.name} in ${table}`);
  }
}

/** Removes the standard traits and classes of a database that has nothing else: those of the source have other ids. */
export async function removeCatalog(connection: Connection): Promise<void> {
  // custom ones that somebody has added since make the copy differ
  for (const table of CATALOG_TABLES)
    await connection.query(`DELETE FROM ${table} WHERE LEFT(name, 7) <> 'CUSTOM_'`);
}
