import { readFileSync } from 'node:fs';
import type { Pool } from 'mariadb';
import { emptyDatabase, type TestDatabase } from '../support/database.js';

/** OpenStack Placement's default, and what newer deployments choose. */
export const CHARACTERS = [
  'utf8mb3 COLLATE utf8mb3_general_ci',
  'utf8mb4 COLLATE utf8mb4_unicode_ci',
] as const;

type SqlFile = 'newest' | 'newestToTrain' | 'trainToXena' | 'rows';

export const TRAIN: readonly SqlFile[] = ['newest', 'newestToTrain'];

/** A database as OpenStack Placement makes it, from these files; `close()` drops it. */
export async function placementDatabase(
  files: readonly SqlFile[] = ['newest', 'rows'],
  characters: string = CHARACTERS[0],
): Promise<TestDatabase> {
  const database = await emptyDatabase();
  await database.pool.query(`ALTER DATABASE CHARACTER SET ${characters}`);
  for (const file of files) await runSql(database.pool, file);
  return database;
}

/** A statement ends with a semicolon at the end of a line, a comment has a line of its own. */
export async function runSql(pool: Pool, file: SqlFile): Promise<void> {
  const text = readFileSync(`test/adopt/${file}.sql`, 'utf8').replace(/^--.*$/gm, '');
  for (const statement of text.split(/;\s*$/m)) {
    if (statement.trim() !== '') await pool.query(statement);
  }
}

/** The definition and the checksum of the rows of each table (of these, where they are given). */
export async function fingerprint(
  { pool }: TestDatabase,
  only?: readonly string[],
): Promise<Record<string, unknown>> {
  const names = only ?? (await tableNames(pool));
  const all = names.map(async (name): Promise<[string, unknown]> => {
    const [[, definition]] = await pool.query<[string, string][]>({
      sql: `SHOW CREATE TABLE ${name}`,
      rowsAsArray: true,
    });
    const [{ Checksum }] = await pool.query<{ Checksum: number }[]>(`CHECKSUM TABLE ${name} EXTENDED`);
    return [name, { definition, Checksum }];
  });
  return Object.fromEntries(await Promise.all(all));
}

export async function tableNames(pool: Pool): Promise<string[]> {
  const rows = await pool.query<string[][]>({ sql: 'SHOW TABLES', rowsAsArray: true });
  return rows.flat().sort();
}
