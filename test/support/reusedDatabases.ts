import { createConnection, type Connection } from 'mariadb';
import { CONNECTING, databaseAddress } from '../../src/store/database/address.js';

/** A migrated database, with the state to which it must return before another test file uses it. */
interface Reused {
  readonly url: string;
  /** The statements that create its tables, by table. */
  readonly tables: ReadonlyMap<string, string>;
  /** The checksums of the tables with rows: the catalog and the history of migrations. */
  readonly checksums: ReadonlyMap<string, number>;
}

// Modules of test/ are evaluated for each test file, so the state of a worker is in its global object.
const worker = globalThis as {
  placementIdleDatabases?: Reused[];
  placementUsedDatabases?: Map<string, Reused>;
};
const idle: Reused[] = (worker.placementIdleDatabases ??= []);
const used: Map<string, Reused> = (worker.placementUsedDatabases ??= new Map<string, Reused>());

/** Returns the URL of a migrated database on a server without rows but the catalog, which an earlier test file has left. */
export function takeReused(server: string): string | undefined {
  const at = idle.findIndex(({ url }) => serverOf(url) === serverOf(server));
  if (at < 0) return undefined;
  const [database] = idle.splice(at, 1);
  used.set(database.url, database);
  return database.url;
}

/** Returns the URL of the server of a database, which may be a socket in the search part. */
function serverOf(url: string): string {
  const server = new URL(url);
  server.pathname = '';
  return server.href;
}

/** Records the state of a database that was just migrated. */
export async function rememberMigrated(url: string): Promise<void> {
  await connected(url, async (connection) => {
    const tables = await definitions(connection);
    const filled: string[] = [];
    for (const table of tables.keys())
      if (table !== '' && !(await isEmpty(connection, table))) filled.push(table);
    used.set(url, { url, tables, checksums: await checksums(connection, filled) });
  });
}

/**
 * Empties a database after a test file and keeps it for the next one. Drops it if the file has changed more than
 * rows (a table, a trigger, the catalog, the history), or if a connection to it is still open.
 */
export async function leaveReused(url: string): Promise<void> {
  const database = used.get(url);
  used.delete(url);
  await connected(url, async (connection) => {
    if (database !== undefined && (await isAlone(connection)) && (await restore(connection, database)))
      idle.push(database);
    else await connection.query(`DROP DATABASE ${new URL(url).pathname.slice(1)}`);
  });
}

/** The time that closed connections have to leave the server's list (ms). */
const CLOSING_MS = 200;

async function isAlone(connection: Connection): Promise<boolean> {
  const others = `SELECT COUNT(*) AS others FROM information_schema.processlist
                   WHERE db = DATABASE() AND id <> CONNECTION_ID()`;
  for (const end = performance.now() + CLOSING_MS; ;) {
    const [{ others: count }] = await connection.query<{ others: bigint }[]>(others);
    if (Number(count) === 0) return true;
    if (performance.now() > end) return false;
  }
}

/** Removes the rows of the tests. Returns false if the database is not as it was before them. */
async function restore(connection: Connection, { tables, checksums: expected }: Reused): Promise<boolean> {
  const found = await definitions(connection);
  if (found.size !== tables.size) return false;
  const counter = / AUTO_INCREMENT=\d+/;
  await connection.query('SET foreign_key_checks = 0');
  for (const [table, definition] of tables) {
    const now = found.get(table);
    if (now?.replace(counter, '') !== definition.replace(counter, '')) return false;
    if (table === '') continue;
    if (expected.has(table)) {
      const [, next] = /AUTO_INCREMENT=(\d+)/.exec(definition) ?? [];
      if (now === definition || next === undefined) continue;
      await connection.query(`DELETE FROM ${table} WHERE id >= ${next}`);
      await connection.query(`ALTER TABLE ${table} AUTO_INCREMENT = ${next}`);
    } else if (now !== definition || !(await isEmpty(connection, table))) {
      await connection.query(`TRUNCATE TABLE ${table}`);
    }
  }
  const after = await checksums(connection, [...expected.keys()]);
  return [...expected].every(([table, checksum]) => after.get(table) === checksum);
}

/** Returns the definition of each table, and the text of the triggers and the collation as the table ''. */
async function definitions(connection: Connection): Promise<Map<string, string>> {
  const tables = await connection.query<Record<string, string>[]>('SHOW TABLES');
  const triggers = await connection.query<unknown[]>('SHOW TRIGGERS');
  const [database] = await connection.query<unknown[]>('SELECT @@collation_database AS collation');
  const found = new Map([['', JSON.stringify([triggers, database])]]);
  for (const row of tables) {
    const [table] = Object.values(row);
    const [created] = await connection.query<Record<string, string>[]>(`SHOW CREATE TABLE ${table}`);
    found.set(table, Object.values(created)[1]);
  }
  return found;
}

async function isEmpty(connection: Connection, table: string): Promise<boolean> {
  return (await connection.query<unknown[]>(`SELECT 1 FROM ${table} LIMIT 1`)).length === 0;
}

async function checksums(connection: Connection, tables: readonly string[]): Promise<Map<string, number>> {
  const rows = await connection.query<{ Checksum: bigint }[]>(`CHECKSUM TABLE ${tables.join(', ')}`);
  return new Map(rows.map(({ Checksum }, at) => [tables[at], Number(Checksum)]));
}

async function connected(url: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await createConnection({ ...databaseAddress(url), ...CONNECTING });
  try {
    await work(connection);
  } finally {
    await connection.end();
  }
}
