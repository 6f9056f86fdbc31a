import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkServersKnow, checkServerVersions, OlderServersJob } from '../../src/store/feed/olderServers.js';
import { VERSION } from '../../src/store/version.js';
import { NO_LOG, type Log } from '../../src/model/observation.js';
import { OlderServer } from '../../src/model/rejections.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const run = (statement: string) => database.pool.query(statement);

/** Registers a writer as version 1.0 does, whose statement does not name the version. */
function startOlder(id: number, holder: string, seconds = 15) {
  return run(
    `INSERT INTO placement_feed_writers (id, holder, started_at, expires_at)
     VALUES (${id}, '${holder}', UTC_TIMESTAMP(), UTC_TIMESTAMP() + INTERVAL ${seconds} SECOND)`,
  );
}

const use = () =>
  run('INSERT INTO placement_holds (consumer_id, expires_at, generation) VALUES (1, UTC_TIMESTAMP(3), 1)');

test('a process writes its version into its row', async () => {
  await database.ledger.feed.ready();
  expect(await run('SELECT version FROM placement_feed_writers')).toEqual([{ version: VERSION }]);
});

test('the first use of a feature is rejected while servers of 1.0 have a lease, and names them', async () => {
  await database.ledger.feed.ready();
  await startOlder(7, 'process 7 on b');
  await startOlder(6, 'process 6 on a');
  const rejection = checkServersKnow(database.pool, 'holds');
  await expect(rejection).rejects.toThrow(OlderServer);
  await expect(rejection).rejects.toMatchObject({
    code: 'OLDER_SERVER',
    servers: ['process 6 on a', 'process 7 on b'],
    message: expect.stringContaining('process 6 on a, process 7 on b') as unknown,
  });
});

test('the first use is accepted when the leases of servers of 1.0 have ended', async () => {
  await startOlder(7, 'process 7 on b', -1);
  await expect(checkServersKnow(database.pool, 'holds')).resolves.toBeUndefined();
});

test('a feature in use stays usable, and the log and doctor report the server of 1.0', async () => {
  const lines: string[] = [];
  const log: Log = { ...NO_LOG, warn: (_fields, message) => void lines.push(message) };
  const job = new OlderServersJob(database.pool, log);
  await startOlder(7, 'process 7 on b');
  await job.step();
  expect(lines).toEqual([]);
  expect(await checkServerVersions(database.pool)).toMatchObject([
    { level: 'ok', found: '1.0 (1 processes)' },
  ]);
  await use();
  await expect(checkServersKnow(database.pool, 'holds')).resolves.toBeUndefined();
  await job.step();
  await job.step();
  expect(lines).toEqual(['process 7 on b is of version 1.0, which lacks holds: upgrade or stop it']);
  const found = 'holds are in use, and servers of version 1.0 write: process 7 on b';
  expect(await checkServerVersions(database.pool)).toMatchObject([{ level: 'warning', found }]);
});

test('the log and doctor report a server of 1.0 beside remembered requests, whose claims would have none', async () => {
  const lines: string[] = [];
  const log: Log = { ...NO_LOG, warn: (_fields, message) => void lines.push(message) };
  await startOlder(7, 'process 7 on b');
  await database.pool.query(
    'INSERT INTO placement_consumer_requests (consumer_id, request_id, created_at) VALUES (1, 1, NOW())',
  );
  await new OlderServersJob(database.pool, log).step();
  expect(lines).toEqual([
    'process 7 on b is of version 1.0, which lacks remembered requests: upgrade or stop it',
  ]);
  expect(await checkServerVersions(database.pool)).toMatchObject([
    {
      level: 'warning',
      found: 'remembered requests are in use, and servers of version 1.0 write: process 7 on b',
    },
  ]);
  await expect(checkServersKnow(database.pool, 'holds')).rejects.toThrow(OlderServer);
  await database.pool.query('DELETE FROM placement_consumer_requests');
});
