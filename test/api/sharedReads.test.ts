import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Operations, type Operation } from '../../src/model/operation/operation.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { useDatabase } from '../support/useDatabase.js';

/** Connections whose statements the tests count. */
let own: ProcessDatabase;
afterAll(() => own.close()); // before the database is dropped
const database = useDatabase();
/** One more than a shared statement reads. */
let uuids: string[];
const seen: string[] = [];
const begun = (): Operation => new Operations().begin();

beforeAll(async () => {
  own = openProcess(database.url, { onStatement: (sql) => seen.push(sql) });
  const names = Array.from({ length: 101 }, (_, at) => `p${at}`);
  await loadForest(database, forest(names.join('\n')));
  uuids = names.map((name) => uuidOf('provider', name));
});

beforeEach(() => void seen.splice(0));

test('simultaneous reads of several operations share a statement, and each gets its own rows', async () => {
  const { providersByUuid } = own.reads;
  const asked = uuids.slice(0, 40).map((uuid, at) => (at % 2 === 0 ? [uuid] : [uuids[41], uuid, uuids[0]]));
  const answers = await Promise.all(asked.map((keys) => providersByUuid.of(keys, begun())));
  expect(answers.map((rows) => rows.map(({ uuid }) => uuid))).toEqual(asked);
  expect(seen).toHaveLength(1);
});

test('an unknown key has no row', async () => {
  const { providersByName } = own.reads;
  const answers = await Promise.all([
    providersByName.of(['nobody'], begun()),
    providersByName.of(['p7', 'nobody'], begun()),
  ]);
  expect(answers.map((rows) => rows.map(({ name }) => name))).toEqual([[], ['p7']]);
});

test('a large read has its own statement', async () => {
  const { providersByUuid } = own.reads;
  const [many, one] = await Promise.all([
    providersByUuid.of(uuids, begun()),
    providersByUuid.of([uuids[3]], begun()),
  ]);
  expect([many.length, one.length]).toEqual([uuids.length, 1]);
  expect(seen).toHaveLength(2);
});

test('large reads use only the connections of lists', async () => {
  const { providersByUuid } = own.reads;
  const operations = new Operations({ ...OPERATION_LIMITS, connections: 3 });
  const locking = await database.pool.getConnection();
  await locking.query('LOCK TABLES resource_providers WRITE');
  const reads = uuids.slice(0, 20).map(() => providersByUuid.of(uuids, operations.begin()));
  for (const begin = Date.now(); seen.length < 3 && Date.now() - begin < 10_000;) await sleep(20);
  await sleep(100);
  const underWay = seen.length;
  await locking.query('UNLOCK TABLES');
  void locking.release();
  for (const rows of await Promise.all(reads)) expect(rows).toHaveLength(uuids.length);
  expect(underWay).toBe(3);
});

test('a write past its deadline still reads its payload', async () => {
  const { providersByUuid } = own.reads;
  const [write, query] = [begun(), begun()];
  write.isWrite = true;
  for (const operation of [write, query]) operation.abort(new Error('past its deadline'));
  expect(await providersByUuid.of(uuids, write)).toHaveLength(uuids.length);
  await expect(providersByUuid.of(uuids, query)).rejects.toThrow('past its deadline');
});

test('a read after a write returns it, also under load', async () => {
  const { providersByUuid } = own.reads;
  const generation = async (): Promise<number | null> =>
    (await providersByUuid.of([uuids[0]], begun()))[0].generation;
  let writing = true;
  const crowd = Array.from({ length: 8 }, async () => {
    while (writing) await generation();
  });
  for (let written = 1; written <= 30; written++) {
    await database.pool.query('UPDATE resource_providers SET generation = ? WHERE uuid = ?', [
      written,
      uuids[0],
    ]);
    expect(await generation()).toBe(written);
    await setImmediate();
  }
  writing = false;
  await Promise.all(crowd);
});

test('a failed statement fails for the operations that share it, not for later ones', async () => {
  const { providersByUuid } = own.reads;
  const ask = (uuid: string) =>
    providersByUuid.of([uuid], begun()).then(
      (rows) => rows.length,
      () => 'failed',
    );
  await database.pool.query('RENAME TABLE resource_providers TO elsewhere');
  expect(await Promise.all(uuids.slice(0, 3).map(ask))).toEqual(['failed', 'failed', 'failed']);
  await database.pool.query('RENAME TABLE elsewhere TO resource_providers');
  expect(await Promise.all(uuids.slice(0, 3).map(ask))).toEqual([1, 1, 1]);
});
