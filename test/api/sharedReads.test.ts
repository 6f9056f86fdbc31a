import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Activity } from '../../src/runtime/observation/activity.js';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let uuids: string[];
/** Connections of their own, whose statements are seen. */
let own: ProcessDatabase;
const seen: string[] = [];

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
  const answers = await Promise.all(asked.map((keys) => providersByUuid.of(keys, new Activity())));
  expect(answers.map((rows) => rows.map(({ uuid }) => uuid))).toEqual(asked);
  expect(seen).toHaveLength(1);
});

test('what nobody has is no row', async () => {
  const { providersByName } = own.reads;
  const answers = await Promise.all([
    providersByName.of(['nobody'], new Activity()),
    providersByName.of(['provider 7', 'nobody'], new Activity()),
  ]);
  expect(answers.map((rows) => rows.map(({ name }) => name))).toEqual([[], ['provider 7']]);
});

test('one that asks for much waits for nobody, and nobody for it', async () => {
  const { providersByUuid } = own.reads;
  const [many, one] = await Promise.all([
    providersByUuid.of(uuids, new Activity()),
    providersByUuid.of([uuids[3]], new Activity()),
  ]);
  expect([many.length, one.length]).toEqual([120, 1]);
  expect(seen).toHaveLength(2);
});

test('whoever asks after a write sees it, however many statements are under way', async () => {
  const { providersByUuid } = own.reads;
  const generation = async (): Promise<number | null> =>
    (await providersByUuid.of([uuids[0]], new Activity()))[0].generation;
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
    providersByUuid.of([uuid], new Activity()).then(
      (rows) => rows.length,
      () => 'failed',
    );
  await database.pool.query('RENAME TABLE resource_providers TO elsewhere');
  expect(await Promise.all(uuids.slice(0, 3).map(ask))).toEqual(['failed', 'failed', 'failed']);
  await database.pool.query('RENAME TABLE elsewhere TO resource_providers');
  expect(await Promise.all(uuids.slice(0, 3).map(ask))).toEqual([1, 1, 1]);
});
