import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { Operations, type Operation } from '../../src/runtime/operation.js';
import { OPERATION_LIMITS } from '../../src/runtime/operationLimits.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let uuids: string[];
/** Connections of their own, whose statements are seen. */
let own: ProcessDatabase;
const seen: string[] = [];
const begun = (): Operation => new Operations().begin();

beforeAll(async () => {
  database = await testDatabase();
  own = openProcess(database.url, { onStatement: (sql) => seen.push(sql) });
  const names = Array.from({ length: 120 }, (_, at) => `provider ${at}`);
  uuids = [];
  for (const name of names) uuids.push((await createProvider(database.ledger, { name })).uuid);
});

beforeEach(() => void seen.splice(0));

afterAll(async () => {
  await own.close();
  await database.close();
});

test('operations that ask at the same time share a statement, and each gets its own rows', async () => {
  const { providersByUuid } = own.reads;
  const asked = uuids.slice(0, 40).map((uuid, at) => (at % 2 === 0 ? [uuid] : [uuids[41], uuid, uuids[0]]));
  const answers = await Promise.all(asked.map((keys) => providersByUuid.of(keys, begun())));
  expect(answers.map((rows) => rows.map(({ uuid }) => uuid))).toEqual(asked);
  expect(seen).toHaveLength(1);
});

test('what nobody has is no row', async () => {
  const { providersByName } = own.reads;
  const answers = await Promise.all([
    providersByName.of(['nobody'], begun()),
    providersByName.of(['provider 7', 'nobody'], begun()),
  ]);
  expect(answers.map((rows) => rows.map(({ name }) => name))).toEqual([[], ['provider 7']]);
});

test('one that asks for much waits for nobody, and nobody for it', async () => {
  const { providersByUuid } = own.reads;
  const [many, one] = await Promise.all([
    providersByUuid.of(uuids, begun()),
    providersByUuid.of([uuids[3]], begun()),
  ]);
  expect([many.length, one.length]).toEqual([120, 1]);
  expect(seen).toHaveLength(2);
});

test('those that ask for much have only the connections of lists, so that others keep theirs', async () => {
  const { providersByUuid } = own.reads;
  const operations = new Operations({ ...OPERATION_LIMITS, connections: 3 });
  const locking = await database.pool.getConnection();
  await locking.query('LOCK TABLES resource_providers WRITE');
  const reads = uuids.slice(0, 20).map(() => providersByUuid.of(uuids, operations.begin()));
  await sleep(100);
  const underWay = seen.length;
  await locking.query('UNLOCK TABLES');
  void locking.release();
  for (const rows of await Promise.all(reads)) expect(rows).toHaveLength(120);
  expect(underWay).toBe(3);
});

test('a write that is past its deadline still reads what it answers', async () => {
  const { providersByUuid } = own.reads;
  const [write, query] = [begun(), begun()];
  write.isWrite = true;
  for (const operation of [write, query]) operation.abort(new Error('past its deadline'));
  expect(await providersByUuid.of(uuids, write)).toHaveLength(120);
  await expect(providersByUuid.of(uuids, query)).rejects.toThrow('past its deadline');
});

test('whoever asks after a write sees it, however many statements are under way', async () => {
  const { providersByUuid } = own.reads;
  const generation = async (): Promise<number | null> =>
    (await providersByUuid.of([uuids[0]], begun()))[0].generation;
  let writing = true;
  const crowd = Array.from({ length: 8 }, async () => {
    while (writing) await generation();
  });
  for (let written = 1; written <= 100; written++) {
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

test('a statement that fails fails for those who share it, and for nobody after them', async () => {
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
