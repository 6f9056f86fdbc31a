import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { BackupReader, DamagedBackup } from '../../src/tools/copy/backupFile.js';
import { openDatabase } from '../../src/store/database/database.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { CursorExpired } from '../../src/store/feed/cursor.js';
import { ProviderWatch, type WatchEvent } from '../../src/store/feed/watch.js';
import { recordReset } from '../../src/store/feed/writer.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { createProcess, type Process } from '../../src/server/process.js';
import { reportToConsole } from '../../src/model/operation/report.js';
import { fingerprint, tableNames } from '../adopt/placementDatabase.js';
import { damage } from '../support/damage.js';
import { failureOf } from '../support/failureOf.js';
import { emptyDatabase, openProcess, testDatabase, type TestDatabase } from '../support/database.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { ended, ODD_ROWS, useDatabases } from '../transfer/transferSupport.js';
import {
  refusalToServe,
  startBackup,
  startBackupProcess,
  startRestore,
  startRestoreBeside,
  startRestoreProcess,
  stateOf,
  temporaryFolder,
} from './backups.js';

/** A command that was killed is waited for. */
jest.setTimeout(120_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());

const { empty, ours: migrated, placement } = useDatabases();

/** A database with everything that rows can have, the file of its backup, and a database that stays empty. */
let source: TestDatabase;
let file: string;
let nothing: TestDatabase;
beforeAll(async () => {
  [source, nothing] = [await testDatabase(), await emptyDatabase()];
  await damage(source, ...ODD_ROWS);
  for (let n = 0; n < 20; n++) await createProvider(source.ledger, { name: `provider ${n}` });
  await source.pool.query("INSERT INTO users (id, external_id) VALUES (50, 'gone')");
  await source.pool.query('DELETE FROM users WHERE id = 50');
  file = folder.path('good');
  expect((await ended(startBackup(source, file))).code).toBe(0);
});
afterAll(async () => void (await Promise.all([source.close(), nothing.close()])));

test('restore writes every row of every table, and the next ids', async () => {
  const target = await empty();
  const { code, lines } = await ended(startRestore(target, file));
  expect(lines.at(-1)).toBe('the database is restored, and equal to the backup');
  expect(code).toBe(0);
  expect(lines).toContainEqual(
    expect.stringMatching(/^equal: resource_providers: rows 24; sum of generation 0; checksum \d+$/),
  );
  expect(await stateOf(target)).toEqual(await stateOf(source));
  expect(await definitions(target)).toEqual(await definitions(source));
  expect(await migrate(target)).toEqual([]);
});

async function definitions(database: TestDatabase): Promise<unknown> {
  const names = (await tableNames(database.pool)).filter((name) => name !== 'placement_migration_lock');
  const all = Object.entries(await fingerprint(database, names));
  return all.map(([name, each]) => [name, (each as { definition: string }).definition]);
}

test('a backup is of its owner alone, and takes the place of no file', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file);
  const { code, lines } = await ended(startBackup(source, file));
  expect([code, lines]).toEqual([1, [`${file} exists already`]]);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(gunzipSync(before).length).toBeGreaterThan(before.length);
});

test('restore --dry-run describes a file and whether it can be restored, and changes nothing', async () => {
  const { code, lines } = await ended(startRestore(nothing, file, '--dry-run'));
  expect(lines).toEqual([
    expect.stringMatching(
      /^the backup is whole: of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, by version \d+\.\d+\.\d+, from \d/,
    ),
    'nothing is changed',
  ]);
  expect(code).toBe(0);
  expect(await tableNames(nothing.pool)).toEqual([]);
});

/** The end of a command that prints only this line. */
const refusedWith = (line: RegExp | string) => ({ code: 1, lines: [expect.stringMatching(line)] });

describe('the target', () => {
  test('a database with rows is not changed, and replaced on request', async () => {
    const target = await migrated();
    await target.pool.query("INSERT INTO projects (external_id) VALUES ('mine')");
    await target.pool.query('CREATE TABLE stranger (a int)');
    const before = await stateOf(target);
    const line =
      'the target must be empty, and it has rows in projects: name an empty database, or replace it with --replace';
    expect(await ended(startRestore(target, file))).toEqual({ code: 1, lines: [line] });
    expect(await stateOf(target)).toEqual(before);
    expect((await ended(startRestore(target, file, '--replace'))).code).toBe(0);
    expect(await stateOf(target)).toEqual({ ...(await stateOf(source)), stranger: [] });
  });

  test('is never one of another program', async () => {
    const target = await empty();
    await target.pool.query('CREATE TABLE stranger (a int)');
    const line = /^the database is not empty and not one of this program's \(it has the table stranger\)/;
    for (const options of [[], ['--replace']])
      expect(await ended(startRestore(target, file, ...options))).toEqual(refusedWith(line));
    expect(await tableNames(target.pool)).toEqual(['stranger']);
  });

  test('is not one on which a server runs, even while that has no connection', async () => {
    const target = await migrated();
    const server = await serverOn(target);
    const threads = await target.pool.query<{ id: number }[]>(
      'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    );
    for (const { id } of threads) await target.pool.query(`KILL ${id}`).catch(() => undefined);
    const before = await stateOf(target);
    const { code, lines } = await ended(startRestoreBeside(target, file, '--replace'));
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(
      new RegExp(`^the database is in use \\(process ${process.pid} on .*\\): stop the servers`),
    );
    expect(await stateOf(target)).toEqual(before);
    await server.close();
  });

  test('is not one on which a server started while the file was verified', async () => {
    const target = await migrated();
    const holder = await target.pool.getConnection();
    await holder.query("SELECT GET_LOCK('prisma_migrate', 60)");
    const restore = startRestore(target, file, '--replace');
    await restore.says('waiting for another process');
    const server = await serverOn(target);
    const before = await stateOf(target);
    await holder.query("DO RELEASE_LOCK('prisma_migrate')");
    await holder.release();
    await restore.says('to stop');
    // as the server does every five seconds
    await target.pool.query('UPDATE placement_feed_writers SET expires_at = expires_at + INTERVAL 1 SECOND');
    const { code, lines } = await ended(restore);
    expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(/^the database is in use /)]);
    expect(await stateOf(target)).toEqual(before);
    await server.close();
  });

  test('is not one that another version made, whose tables would remain', async () => {
    const target = await migrated();
    await target.pool.query(
      "INSERT INTO _prisma_migrations (id, migration_name, checksum) VALUES ('x', '20990101000000_expand_newer', '')",
    );
    const line = /^the database has the migration 20990101000000_expand_newer of another version/;
    expect(await ended(startRestore(target, file, '--replace'))).toEqual(refusedWith(line));
  });
});

/** A server's process, which holds a lease. */
async function serverOn({ url }: TestDatabase): Promise<Process & { close(): Promise<void> }> {
  const database = openDatabase(url);
  const server = createProcess(database);
  await server.start();
  const close = (): Promise<void> => {
    server.stop();
    return database.close();
  };
  return { ...server, close };
}

test('a server that slept through a restore notices it at its next read and its next write', async () => {
  const target = await migrated();
  await createProvider(target.ledger, { name: 'before' });
  const server = await serverOn(target);
  const namesIn = async ({ snapshots }: Process): Promise<string[]> =>
    (await snapshots.current()).blocks.flatMap(({ names }) => names);
  expect(await namesIn(server)).toEqual(['before']);
  // its lease ends and is not renewed, as while the machine sleeps; the process continues afterwards
  server.ledger.feed.stop();
  expect((await ended(startRestore(target, file, '--replace'))).code).toBe(0);
  const other = await serverOn(target);
  for (let n = 0; n < 6; n++) await createProvider(other.ledger, { name: `new ${n}` });
  const names = await namesIn(server);
  expect(names).not.toContain('before');
  expect(names).toEqual(expect.arrayContaining(['provider 7', 'new 0', 'new 5']));
  await createProvider(server.ledger, { name: 'by the one that slept' });
  expect(await namesIn(other)).toContain('by the one that slept');
  const writers = await target.pool.query<unknown[]>('SELECT DISTINCT writer_id FROM placement_feed_changes');
  expect(writers).toHaveLength(3); // of the reset, and of each server
  await Promise.all([server.close(), other.close()]);
});

describe('a file that is not as it was written', () => {
  const lines = (): string[] => gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  const textOf = (some: readonly string[]): string => some.map((line) => `${line}\n`).join('');
  const packed = (some: readonly string[]): Buffer => gzipSync(textOf(some));
  const sealed = (some: readonly string[]): Buffer =>
    packed([...some, JSON.stringify({ sha256: createHash('sha256').update(textOf(some)).digest('hex') })]);
  const flipped = (at: number): Buffer => {
    const bytes = readFileSync(file);
    bytes[Math.floor(at * bytes.length)] ^= 4;
    return bytes;
  };
  const cut = (share: number): Buffer => {
    const bytes = readFileSync(file);
    return bytes.subarray(0, Math.floor(share * bytes.length));
  };
  const isRow = (line: string): boolean => line.includes('"provider 7"');

  const spoiled: [what: string, make: () => Buffer, said: RegExp][] = [
    ['empty', () => Buffer.alloc(0), /cut off/],
    ['cut off in the middle', () => cut(0.5), /cut off/],
    ['cut off a byte before its end', () => cut(1).subarray(0, -1), /cut off/],
    ['altered in the middle', () => flipped(0.5), /cut off|damaged|altered|no such row|missing/],
    ['altered near its end', () => flipped(0.9), /cut off|damaged|altered|no such row|missing/],
    ['without its last line', () => packed(lines().slice(0, -1)), /it is cut off/],
    ['without a row', () => packed(lines().filter((line) => !isRow(line))), /rows are missing/],
    [
      'with another row',
      () => packed(lines().map((line) => line.replace('"provider 7"', '"provider X"'))),
      /its checksum does not match: it was altered/,
    ],
    ['with something behind it', () => packed([...lines(), '{}']), /it continues after its last line/],
    ['of another kind', () => Buffer.from('CREATE TABLE traits (id int);'), /damaged/],
    ['another gzip file', () => packed(['{"a":1}']), /it is no backup of this program/],
    [
      'of a later format',
      () => {
        const [head, ...rest] = lines().slice(0, -1);
        return sealed([head.replace('"version":1', '"version":2'), ...rest]);
      },
      /it was made by version .* use that version/,
    ],
  ];

  test.each(spoiled)('%s is refused', async (_what, make, said) => {
    const name = folder.path('spoiled');
    writeFileSync(name, make());
    const error = await failureOf(BackupReader.verify(name));
    expect(error).toBeInstanceOf(DamagedBackup);
    expect((error as DamagedBackup).message).toMatch(said);
  });

  test('an invalid file is reported in one line and changes nothing', async () => {
    const name = folder.path('spoiled');
    const [head, ...rest] = lines().slice(0, -1);
    const newer = head.replace('"migrations":[', '"migrations":[{"name":"2099_new","checksum":""},');
    for (const [content, line] of [
      [cut(0.9), `^${name} cannot be restored: it is cut off`],
      [sealed([newer, ...rest]), 'has the migration 2099_new, which this version does not have'],
    ] as const) {
      writeFileSync(name, content);
      expect(await ended(startRestore(nothing, name))).toEqual(refusedWith(line));
    }
    expect(await tableNames(nothing.pool)).toEqual([]);
  });

  test('rows that the comparison finds to differ are not used by any server', async () => {
    const target = await empty();
    const name = folder.path('differs');
    const some = lines().slice(0, -1);
    writeFileSync(name, sealed(some.map((line) => line.replace('"provider 7"', '"provider X"'))));
    const { code, lines: said } = await ended(startRestore(target, name));
    expect([code, said.at(-1)]).toEqual([
      1,
      expect.stringMatching(
        /^the copy differs from the backup: resource_providers: .*checksum \d+, in the copy \d+$/,
      ),
    ]);
    expect(await refusalToServe(target)).toMatch(UNFINISHED);
    expect((await ended(startRestore(target, file))).code).toBe(0);
    expect(await stateOf(target)).toEqual(await stateOf(source));
  });
});

const UNFINISHED =
  /^1: .*a backup was being restored into this database, and not to the end: run `placement-graphql restore FILE` again, which begins anew$/;

describe('killed outright', () => {
  test.each(['CREATE TABLE resource_providers', 'INSERT INTO inventories', 'BIT_XOR'])(
    'before "%s" it leaves a database that says so, and is repeated',
    async (next) => {
      const target = await migrated();
      await target.pool.query("INSERT INTO projects (external_id) VALUES ('mine')");
      target.stop();
      const proxy = await TcpProxy.before(target.url);
      const stopped = new Promise<void>((resolve) => {
        proxy.onRequest = (data, connection) => {
          if (!data.includes(next)) return;
          connection.silence();
          resolve();
        };
      });
      const command = startRestoreProcess(proxy, file, '--replace');
      await stopped;
      command.signal('SIGKILL');
      await command.ended();
      proxy.close();
      // otherwise the lease of the killed process is waited for, as test/database/migrationLock does
      await target.pool.query('UPDATE placement_migration_lock SET token = NULL');
      expect(await refusalToServe(target)).toMatch(UNFINISHED);
      expect((await ended(startRestore(target, file))).code).toBe(0);
      expect(await stateOf(target)).toEqual(await stateOf(source));
    },
  );

  test('a backup leaves no file of its name', async () => {
    const backUp = async (name: string): Promise<unknown> => {
      const command = startBackupProcess(source, name);
      await command.says('allocations: rows');
      command.signal('SIGKILL');
      return (await command.ended()).code;
    };
    // on a busy machine a backup may end before the signal arrives
    let name: string;
    let attempt = 0;
    do name = folder.path(`killed-${attempt++}`);
    while ((await backUp(name)) !== 'SIGKILL' && attempt < 10);
    expect(() => statSync(name)).toThrow('ENOENT');
  });
});

test('of a database that OpenStack Placement made it has what adopting has added, and the record of both', async () => {
  const [adopted, target] = [await placement(), await empty()];
  await adopt(adopted);
  await migrate(adopted);
  await adopted.pool.query('CREATE TABLE stranger (a int)');
  const name = folder.path('adopted');
  const { lines } = await ended(startBackup(adopted, name));
  expect(lines).toContain('not in the backup: the table stranger');
  expect((await ended(startRestore(target, name))).code).toBe(0);
  const { stranger, ...rows } = await stateOf(adopted);
  expect(stranger).toEqual([]);
  expect(await stateOf(target)).toEqual(rows);
  expect(await migrate(target)).toEqual([]);
});

test('of an older version it is brought up to date, in a target that is migrated and empty', async () => {
  const [older, target] = [await migrated(), await migrated()];
  await createProvider(older.ledger, { name: 'old' });
  await older.pool.query(
    'DROP TABLE placement_feed_writers, placement_feed_changes, placement_aggregate_names, placement_quota_groups, placement_quota_group_projects, placement_quotas, placement_quota_usages, placement_kept_consumers, placement_quota_state, placement_holds, placement_requests, placement_consumer_requests, placement_workloads, placement_workload_members, placement_ownerships, placement_consumptions',
  );
  await older.pool.query("DELETE FROM _prisma_migrations WHERE migration_name NOT LIKE '%placement_tables'");
  const name = folder.path('older');
  expect((await ended(startBackup(older, name))).code).toBe(0);
  expect((await ended(startRestore(target, name))).code).toBe(0);
  expect(await target.pool.query('SELECT name FROM resource_providers')).toEqual([{ name: 'old' }]);
  expect(await migrate(target)).toEqual([]);
});

describe('cursors of subscriptions', () => {
  /** The cursor of the first event, of a change that is made once the watch has begun. */
  async function cursorOf(database: TestDatabase, name: string): Promise<string> {
    const watch = new ProviderWatch(database, database.ledger.feed, reportToConsole);
    const events = await watch.watch({});
    await createProvider(database.ledger, { name });
    const { value } = (await events.next()) as { value: WatchEvent };
    watch.close();
    return value.cursor;
  }

  /** Returns why a subscription cannot go on from a cursor; undefined if it can. */
  async function refusalOf(database: TestDatabase, since: string): Promise<unknown> {
    const process = openProcess(database.url);
    const watch = new ProviderWatch(process, process.ledger.feed, reportToConsole);
    const failure = await failureOf(watch.watch({ since }));
    watch.close();
    await process.close();
    return failure;
  }

  test('from before a restore are expired, those from after it go on', async () => {
    const database = await migrated();
    const name = folder.path('watched');
    const early = await cursorOf(database, 'one');
    expect((await ended(startBackup(database, name))).code).toBe(0);
    const late = await cursorOf(database, 'two');
    expect(await refusalOf(database, late)).toBeUndefined();
    expect((await ended(startRestore(database, name, '--replace'))).code).toBe(0);
    for (const since of [early, late]) expect(await refusalOf(database, since)).toBeInstanceOf(CursorExpired);
    const process = openProcess(database.url);
    const since = await cursorOf({ ...process, url: database.url }, 'three');
    await process.close();
    expect(await refusalOf(database, since)).toBeUndefined();
    expect((await ended(startRestore(database, name, '--replace'))).code).toBe(0);
    expect(await refusalOf(database, since)).toBeInstanceOf(CursorExpired);
  });

  test('a stream that is open meanwhile ends', async () => {
    const database = await migrated();
    const watch = new ProviderWatch(database, database.ledger.feed, reportToConsole);
    const events = await watch.watch({});
    await recordReset(database.pool);
    expect((await events.next()).value).toBeInstanceOf(CursorExpired);
    watch.close();
  });
});
