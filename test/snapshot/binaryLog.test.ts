import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PoolConnection } from 'mariadb';
import { inventoryAt } from '../../src/fleet/snapshot.js';
import { deleteConsumer, setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createTrait } from '../../src/store/ledger/provider/traits.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { systemClock } from '../../src/model/operation/turns.js';
import { LiveSnapshot } from '../../src/store/live/liveSnapshot.js';
import { BinaryLog, loadReader } from '../../src/store/external/binaryLog.js';
import { Reconciliation } from '../../src/store/external/reconciliation.js';
import { startBinaryLogServer } from '../support/binaryLogServer.js';
import { openProcess, testDatabase, type TestDatabase } from '../support/database.js';
import { wholePass } from '../support/wholePass.js';
import { claim, stocked } from './writes.js';

let server: Awaited<ReturnType<typeof startBinaryLogServer>>;
let ours: TestDatabase;
let live: LiveSnapshot;
let comparing: Reconciliation;
const recorded: number[] = [];
const reported: string[] = [];

beforeAll(async () => void (server = await startBinaryLogServer()), 60_000);
afterAll(() => server?.stop());

beforeEach(async () => {
  ours = await testDatabase();
  live = new LiveSnapshot(ours, systemClock, (ids, known) => {
    recorded.push(...ids);
    return recordForeignChanges(ours.ledger, ids, known);
  });
  await live.current();
  recorded.length = 0;
  reported.length = 0;
  comparing = new Reconciliation(ours, live, (error) => reported.push(String(error)), { binaryLog: true });
  await wholePass(comparing);
});

afterEach(async () => {
  comparing.stop();
  await ours.close();
});

const feedTable = { tableName: 'placement_feed_changes' };

const dumps = "SELECT id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'";

function fail(error: unknown): never {
  throw error;
}

async function until(condition: () => Promise<boolean> | boolean, within = 30_000): Promise<void> {
  for (const end = performance.now() + within; !(await condition()); await sleep(5))
    if (performance.now() > end) throw new Error(`it did not become so within ${within} ms`);
}

async function usedOf(uuid: string): Promise<number | null> {
  const place = (await live.current()).locate(uuid);
  if (place === undefined) return null;
  const at = inventoryAt(place.block, place.row, 0);
  return at < 0 ? null : place.block.used[at];
}

const provider = (): Promise<string> => stocked(ours, 100);

async function idOf(uuid: string): Promise<number> {
  const text = 'SELECT id FROM resource_providers WHERE uuid = ?';
  const [{ id }] = await ours.pool.query<{ id: number }[]>(text, [uuid]);
  return id;
}

test('commits of another program are detected immediately, releases and names included, and rolled back writes are not', async () => {
  const uuid = await provider();
  const connection = await ours.pool.getConnection();
  const use = async (used: number): Promise<void> => {
    await connection.beginTransaction();
    await connection.query(
      `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
       SELECT id, 0, ?, ? FROM resource_providers WHERE uuid = ?`,
      [randomUUID(), used, uuid],
    );
    await connection.query('UPDATE resource_providers SET generation = generation + 1 WHERE uuid = ?', [
      uuid,
    ]);
  };
  await use(7);
  await connection.rollback();
  for (let count = 1; count <= 5; count++) {
    await use(3);
    await connection.commit();
    await until(async () => (await usedOf(uuid)) === 3 * count);
  }
  await connection.query('DELETE FROM allocations');
  await until(async () => (await usedOf(uuid)) === 0);
  await connection.query("INSERT INTO traits (name) VALUES ('CUSTOM_T')");
  await until(async () => (await live.current()).names.traits.idOf('CUSTOM_T') !== undefined);
  await connection.query('UPDATE resource_providers SET name = ?', ['renamed']);
  await until(async () => {
    const { block, row } = (await live.current()).locate(uuid)!;
    return block.names[row] === 'renamed';
  });
  await connection.release();
  expect(live.fullLoads).toBe(1);
  expect(reported).toEqual([]);
});

test('commits with the change feed do not count as external writes', async () => {
  const uuid = await provider();
  for (let count = 0; count < 20; count++) {
    const consumer = randomUUID();
    await setAllocations(ours.claims, claim(consumer, uuid));
    if (count % 2 === 0) await deleteConsumer(ours.claims, { consumer });
  }
  await createTrait(ours.ledger, { name: 'CUSTOM_T' });
  // what is in the log after these has been read once this is seen
  const marker = randomUUID();
  await ours.pool.query('INSERT INTO resource_providers (uuid, generation) VALUES (?, 0)', [marker]);
  await until(() => recorded.length > 0);
  expect(recorded).toHaveLength(1);
});

test('a failure to read the log is reported, and the next comparison opens the log again', async () => {
  const uuid = await provider();
  const [{ id }] = await ours.pool.query<{ id: number }[]>(dumps);
  await ours.pool.query(`KILL ${id}`);
  await until(() => reported.length > 0);
  await ours.pool.query("UPDATE resource_providers SET name = 'meanwhile', generation = 7 WHERE uuid = ?", [
    uuid,
  ]);
  await wholePass(comparing);
  const { block, row } = (await live.current()).locate(uuid)!;
  expect([block.names[row], block.generations[row]]).toEqual(['meanwhile', 7]);
  await ours.pool.query('UPDATE resource_providers SET generation = 8 WHERE uuid = ?', [uuid]);
  await until(async () => {
    const place = (await live.current()).locate(uuid)!;
    return place.block.generations[place.row] === 8;
  });
  expect(reported).toHaveLength(1);
});

test('a comparison that is stopped while it opens the log closes it', async () => {
  let stopped = new Reconciliation(ours, live, fail, { binaryLog: true });
  const counted = openProcess(ours.url, {
    onStatement: (sql) => {
      if (/SHOW.*VARIABLES/.test(sql)) stopped.stop();
    },
  });
  stopped = new Reconciliation(counted, live, fail, { binaryLog: true });
  comparing.stop();
  await ours.background.query('DO RELEASE_ALL_LOCKS()');
  await until(async () => (await ours.pool.query<unknown[]>(dumps)).length === 0);
  await stopped.step('providers');
  expect((Reflect.get(stopped, 'binaryLog') as BinaryLog).isOpen).toBe(false);
  await until(async () => (await ours.pool.query<unknown[]>(dumps)).length === 0);
  await counted.close();
});

test('a log that is opened again after the start of a transaction that wrote the feed reports the next one', async () => {
  comparing.stop();
  const log = new BinaryLog(ours, live, fail);
  await log.open();
  const event = { getEventName: () => 'writerows', tableId: 1, tableMap: { 1: feedTable }, rows: [] };
  (Reflect.get(log, 'reader') as EventEmitter).emit('binlog', event);
  log.close();
  await log.open();
  await ours.pool.query('INSERT INTO resource_providers (uuid, generation) VALUES (?, 0)', [randomUUID()]);
  await until(() => recorded.length > 0);
  log.close();
});

const USE = `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
  SELECT id, 0, ?, 3 FROM resource_providers WHERE uuid = ?`;

/** Prepares an XA transaction that uses 3 of a provider, and disconnects. */
async function prepareXa(uuid: string, id: string): Promise<void> {
  const connection = await ours.pool.getConnection();
  await connection.query(`XA START ${id}`);
  await connection.query(USE, [randomUUID(), uuid]);
  await connection.query(`XA END ${id}`);
  await connection.query(`XA PREPARE ${id}`);
  connection.destroy();
}

async function endXa(statement: string): Promise<void> {
  await until(() =>
    ours.pool.query(statement).then(
      () => true,
      () => false, // the server still holds the transaction for the closed connection
    ),
  );
}

/** Waits until the log was read up to now. */
async function readLog(): Promise<void> {
  const marker = randomUUID();
  await ours.pool.query('INSERT INTO resource_providers (uuid, generation) VALUES (?, 0)', [marker]);
  const id = await idOf(marker);
  await until(() => recorded.includes(id));
}

describe('an XA transaction', () => {
  test('is seen when it commits, with another commit between PREPARE and COMMIT', async () => {
    const uuid = await provider();
    await prepareXa(uuid, "'a','b',3");
    await readLog();
    expect(await usedOf(uuid)).toBe(0);
    await endXa("XA COMMIT 'a','b',3");
    await until(async () => (await usedOf(uuid)) === 3);
  });

  test('that is rolled back changes nothing, and its id can be used again', async () => {
    const uuid = await provider();
    const before = recorded.length;
    await prepareXa(uuid, "'r'");
    await endXa("XA ROLLBACK 'r'");
    await readLog();
    expect([await usedOf(uuid), recorded.length]).toEqual([0, before + 1]);
    await prepareXa(uuid, "'r'");
    await endXa("XA COMMIT 'r'");
    await until(async () => (await usedOf(uuid)) === 3);
  });

  test('is seen after one phase, and if two are prepared at a time in binary names', async () => {
    const [first, second, third] = [await provider(), await provider(), await provider()];
    const connection = await ours.pool.getConnection();
    await connection.query("XA START 'one'");
    await connection.query(USE, [randomUUID(), first]);
    await connection.query("XA END 'one'");
    await connection.query("XA COMMIT 'one' ONE PHASE");
    await connection.release();
    await until(async () => (await usedOf(first)) === 3);
    await prepareXa(second, "X'00ff27',X'0a'");
    await prepareXa(third, "X'00ff',X'270a'");
    await endXa("XA COMMIT X'00ff',X'270a'");
    await until(async () => (await usedOf(third)) === 3);
    expect(await usedOf(second)).toBe(0);
    await endXa("XA COMMIT X'00ff27',X'0a'");
    await until(async () => (await usedOf(second)) === 3);
  });

  test('that writes the feed itself is not taken for a write of another program', async () => {
    const uuid = await provider();
    const connection = await ours.pool.getConnection();
    await connection.query("XA START 'f'");
    await connection.query(USE, [randomUUID(), uuid]);
    await connection.query(
      `INSERT INTO placement_feed_changes (writer_id, seq, kind, object_id, low_watermark, created_at)
       SELECT 7, 1, 'PROVIDER', id, 1, UTC_TIMESTAMP() FROM resource_providers WHERE uuid = ?`,
      [uuid],
    );
    await connection.query("XA END 'f'");
    await connection.query("XA PREPARE 'f'");
    await connection.query("XA COMMIT 'f'");
    await connection.release();
    const before = recorded.length;
    await readLog();
    expect(recorded).toHaveLength(before + 1);
    expect(await usedOf(uuid)).toBe(3);
  });
});

/** Lets the log report that a transaction with this last event has changed the usage of a provider. */
function emitChange(providerId: number, lastEvent: object): void {
  const log = Reflect.get(comparing, 'binaryLog') as BinaryLog;
  const events = Reflect.get(log, 'reader') as EventEmitter;
  const tableMap = { 1: { tableName: 'allocations' } };
  const rows = [{ resource_provider_id: providerId }];
  events.emit('binlog', { getEventName: () => 'writerows', tableId: 1, tableMap, rows });
  events.emit('binlog', lastEvent);
}

/** Runs writes on a connection that the log does not show. */
async function unlogged(write: (connection: PoolConnection) => Promise<void>): Promise<void> {
  const connection = await ours.pool.getConnection();
  await connection.query('SET sql_log_bin = 0');
  await write(connection);
  await connection.query('SET sql_log_bin = 1');
  await connection.release();
}

test('a commit that the log reports before its rows are visible is compared until they are', async () => {
  const uuid = await provider();
  const id = await idOf(uuid);
  await unlogged(async (connection) => {
    await connection.beginTransaction();
    await connection.query(USE, [randomUUID(), uuid]);
    emitChange(id, { getEventName: () => 'xid' });
    await sleep(300);
    await connection.commit();
  });
  await until(async () => (await usedOf(uuid)) === 3, 3_000);
});

test('a change that ends with a COMMIT in words, like those of MyISAM, is seen', async () => {
  const uuid = await provider();
  const id = await idOf(uuid);
  await unlogged(async (connection) => void (await connection.query(USE, [randomUUID(), uuid])));
  emitChange(id, { getEventName: () => 'query', query: 'COMMIT' });
  await until(async () => (await usedOf(uuid)) === 3, 3_000);
});

test('an insufficient binary log is reported, and the server compares', async () => {
  comparing.stop();
  await ours.pool.query("SET GLOBAL binlog_format = 'MIXED'");
  try {
    const without = new Reconciliation(ours, live, (error) => reported.push(String(error)), {
      binaryLog: true,
    });
    for (let step = 0; step < 2; step++) await wholePass(without);
    without.stop();
  } finally {
    await ours.pool.query("SET GLOBAL binlog_format = 'ROW'");
  }
  expect(reported).toEqual(['Error: binlog_format is MIXED']);
});

test('a server without the optional package reports that, and compares', async () => {
  const missing = '@vlasky/missing';
  const load = () => import(missing) as Promise<never>;
  await expect(loadReader(load)).rejects.toThrow(/^the optional package @vlasky\/zongji is not installed/);
});
