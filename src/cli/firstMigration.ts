import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mariadb';
import { CONNECTING, databaseAddress } from '../database/address.js';
import { ensureDatabase } from '../database/ensure.js';

const markerOf = (directory: string) => join(directory, 'first-migration');

/**
 * Creates a database of the private server where it is missing. Tables are not created in transactions: a first migration that is
 * killed leaves some of them, and a lease for whose end the next start would have to wait. So there is a marker file in the data
 * directory until the first migration is done; a database that still has its marker never held anything and is created again.
 */
export async function prepareFirstMigration(directory: string, url: string): Promise<void> {
  const marker = markerOf(directory);
  const { database, ...server } = databaseAddress(url);
  const connection = await createConnection({ ...server, ...CONNECTING });
  try {
    if (existsSync(marker)) await connection.query(`DROP DATABASE IF EXISTS ${database}`);
    const found = await connection.query<unknown[]>('SHOW DATABASES LIKE ?', [database]);
    if (found.length === 0) await writeFile(marker, '');
  } finally {
    await connection.end();
  }
  await ensureDatabase(url);
}

export async function endFirstMigration(directory: string): Promise<void> {
  await rm(markerOf(directory), { force: true });
}
