import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mariadb';
import { CONNECTING, databaseAddress } from '../database/address.js';
import { ensureDatabase } from '../database/ensure.js';

const markOf = (directory: string) => join(directory, 'first-migration');

/**
 * Makes a database of the private server where it is missing. Tables are not made in transactions: a first migration
 * that is killed leaves some of them, with which no later one can go on. So a file in the data directory marks the
 * database until its first migration is done; one that still has the mark never held anything and is made anew.
 */
export async function prepareFirstMigration(directory: string, url: string): Promise<void> {
  const mark = markOf(directory);
  const { database, ...server } = databaseAddress(url);
  const connection = await createConnection({ ...server, ...CONNECTING });
  try {
    if (existsSync(mark)) await connection.query(`DROP DATABASE IF EXISTS ${database}`);
    const found = await connection.query<unknown[]>('SHOW DATABASES LIKE ?', [database]);
    if (found.length === 0) await writeFile(mark, '');
  } finally {
    await connection.end();
  }
  await ensureDatabase(url);
}

export async function endFirstMigration(directory: string): Promise<void> {
  await rm(markOf(directory), { force: true });
}
