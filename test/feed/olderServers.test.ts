import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkServersKnow, checkServerVersions, OlderServersJob } from '../../src/store/feed/olderServers.js';
import { VERSION } from '../../src/store/version.js';
import { NO_LOG, type Log } from '../../src/model/observation.js';
import { OlderServer } from '../../src/model/rejections.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { applyProviderTrees } from '../../src/store/ledger/tree/applyTrees.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { expectRefused, inventory } from '../ledger/support.js';
import {
  consumesAt,
  consumptionOf,
  counterInventories,
  createClasses,
  created,
  hostWithCards,
} from '../ledger/partitionSupport.js';
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

test('each write of the first consumption is rejected while a server of 1.0 writes, and accepted after its end', async () => {
  const { ledger, pool } = database;
  await createClasses(database);
  const uuids = await created(database, {
    name: 'gpu',
    inventories: counterInventories(),
    children: [{ name: 'part', inventories: [inventory('CUSTOM_1G', 1)] }],
  });
  const part = uuids.part;
  const consumes = consumesAt('gpu', 'CUSTOM_1G', 0);
  const inventories = [inventory('CUSTOM_1G', 1, { consumes })];
  const patch = () =>
    updateProvider(ledger, {
      resourceProvider: part,
      inventories: { patch: [{ resourceClass: 'CUSTOM_1G', consumes }] },
    });
  const trees = {
    owner: 'mig',
    trees: [hostWithCards('host', 1)],
    remove: [],
    takeOver: false,
    dryRun: false,
  };
  const writes = {
    createProvider: () => createProvider(ledger, { name: 'other', parent: part, inventories }),
    updateProvider: patch,
    applyProviderTree: () => applyProviderTree(ledger, { root: hostWithCards('host', 1) }),
    applyProviderTrees: () => applyProviderTrees(ledger, trees),
    reshape: () =>
      reshape(ledger, {
        inventories: [{ resourceProvider: part, generation: 0, inventories }],
        allocations: [],
      }),
  };
  await startOlder(7, 'process 7 on b');
  for (const write of Object.values(writes))
    await expectRefused(database, write, {
      code: 'OLDER_SERVER',
      feature: 'partitions',
      servers: ['process 7 on b'],
    });
  // an inventory that consumes nothing is no use of the feature
  await createProvider(ledger, { name: 'plain', parent: part, inventories: [inventory('CUSTOM_1G', 1)] });
  expect(await pool.query('SELECT * FROM placement_consumptions')).toEqual([]);
  await run('UPDATE placement_feed_writers SET expires_at = UTC_TIMESTAMP() WHERE id = 7');
  await patch();
  expect(await consumptionOf(database, part)).toHaveLength(2);
  // later writes are accepted, also beside a server of 1.0
  await startOlder(8, 'process 8 on b');
  await writes.createProvider();
  await writes.applyProviderTrees();
});
