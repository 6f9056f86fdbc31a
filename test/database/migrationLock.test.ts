import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { MigratingProcess } from '../support/migratingProcess.js';
import { MIGRATIONS } from '../support/migrations.js';
import { useMigrations } from '../support/useMigrations.js';

const SLOW = '20990101000000_slow';

/** Shorter than by default (ms). */
const LEASE = 3_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.close());

const withMigration = useMigrations();

/** Adds a migration that pauses in the middle. */
function slowMigration(seconds: number): URL {
  const sql = `CREATE TABLE one (a int);\nINSERT INTO one VALUES (1);\nDO SLEEP(${seconds});\nCREATE TABLE two (a int);\n`;
  return withMigration(SLOW, sql).url;
}

/** Stores the lease of another migrator. */
async function leaveLease(expiry: string): Promise<void> {
  await migrate(database);
  await database.pool.query(
    `UPDATE placement_migration_lock SET token = 'x', holder = 'process 1 on elsewhere', expires_at = ${expiry}`,
  );
}

const history = (): Promise<{ name: string; steps: number; done: number }[]> =>
  database.pool.query(
    `SELECT migration_name AS name, applied_steps_count AS steps, finished_at IS NOT NULL AS done
       FROM _prisma_migrations ORDER BY started_at`,
  );

test('of three processes that start at once on an empty database one migrates', async () => {
  const processes = [1, 2, 3].map(() => new MigratingProcess(database.url));
  const ends = await Promise.all(processes.map((each) => each.ended()));
  expect(ends).toEqual(ends.map(() => expect.objectContaining({ code: 0 })));
  const applied = ends.map(({ said }) => said.match(/^migrating the database: /gm)?.length ?? 0);
  expect(applied.sort()).toEqual([0, 0, MIGRATIONS]);
  expect(await history()).toHaveLength(MIGRATIONS);
  const [{ n }] = await database.pool.query<{ n: number }[]>('SELECT COUNT(*) AS n FROM traits');
  expect(n).toBeGreaterThan(300);
});

test('a migration of a killed process is continued after its lease; waiting processes log the holder', async () => {
  const directory = slowMigration(2);
  const killed = new MigratingProcess(database.url, directory, LEASE);
  await killed.says(`migrating the database: ${SLOW}`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  killed.kill();
  await killed.ended();
  expect((await history()).at(-1)).toEqual({ name: SLOW, steps: 2, done: 0 });

  const lines: string[] = [];
  expect(await migrate(database, (line) => lines.push(line), directory, LEASE)).toEqual([SLOW]);
  expect(lines[0]).toMatch(
    new RegExp(`^waiting for process ${killed.pid} on \\S+, which migrates this database$`),
  );
  expect((await history()).at(-1)).toEqual({ name: SLOW, steps: 1, done: 1 });
  expect(await database.pool.query('SELECT COUNT(*) AS n FROM one')).toEqual([{ n: 1 }]);
});

/** Starts a migration on other connections, and waits until it has begun. */
async function holder(directory: URL, lease?: number): Promise<{ ended: Promise<string[]> }> {
  const own = openDatabase(database.url);
  let ended: Promise<string[]> | undefined;
  await new Promise<void>((resolve, reject) => {
    const onProgress = (line: string): void => {
      if (line.includes(SLOW)) resolve();
    };
    const migrateAndClose = async (): Promise<string[]> => {
      try {
        return await migrate(own, onProgress, directory, lease);
      } finally {
        await own.close();
      }
    };
    ended = migrateAndClose();
    ended.catch(reject);
  });
  return { ended: ended! };
}

test('a migration that takes longer than a lease keeps it', async () => {
  const directory = slowMigration(4.5);
  const { ended } = await holder(directory, LEASE);
  expect(await migrate(database, undefined, directory, LEASE)).toEqual([]);
  expect((await ended).at(-1)).toBe(SLOW);
});

test('a lease that has ended is taken over once it has been seen so for a while', async () => {
  await leaveLease('UTC_TIMESTAMP(3) - INTERVAL 1 DAY');
  const lines: string[] = [];
  const began = Date.now();
  await migrate(database, (line) => lines.push(line), slowMigration(0), LEASE);
  expect(Date.now() - began).toBeGreaterThan(0.25 * LEASE);
  expect(lines[0]).toBe('waiting for process 1 on elsewhere, which migrates this database');
});

test('a lease that its holder does not renew is taken over, even if it ends in an hour because the database clock was set back', async () => {
  await leaveLease('UTC_TIMESTAMP(3) + INTERVAL 1 HOUR');
  const began = performance.now();
  expect(await migrate(database, undefined, slowMigration(0), LEASE)).toEqual([SLOW]);
  expect(performance.now() - began).toBeGreaterThan(LEASE);
});

test('a lease that is renewed is kept though the clock of the database jumps ahead', async () => {
  const directory = slowMigration(2);
  const { ended } = await holder(directory, LEASE);
  await database.pool.query('UPDATE placement_migration_lock SET expires_at = expires_at - INTERVAL 1 HOUR');
  expect(await migrate(database, undefined, directory, LEASE)).toEqual([]);
  expect((await ended).at(-1)).toBe(SLOW);
});

test('a process does not wait for the lock if the database is up to date', async () => {
  await leaveLease('UTC_TIMESTAMP(3) + INTERVAL 1 DAY');
  expect(await migrate(database)).toEqual([]);
});

test('a process whose lease was taken over stops before its next statement', async () => {
  const { ended } = await holder(slowMigration(1));
  await database.pool.query("UPDATE placement_migration_lock SET token = 'other'");
  await expect(ended).rejects.toThrow('another process has taken over the migration');
  expect(await database.pool.query("SHOW TABLES LIKE 'two'")).toHaveLength(0);
});
