import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setAggregates } from '../../src/ledger/provider/aggregates.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { aProvider, expectRefused, expectUnchanged, generationOf } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const set = (resourceProvider: string, generation: number, aggregates: string[]) =>
  setAggregates(database.ledger, { resourceProvider, generation, aggregates });

async function aggregatesOf(uuid: string): Promise<Set<string>> {
  const rows = await database.pool.query<{ uuid: string }[]>(
    `SELECT a.uuid FROM resource_provider_aggregates l JOIN placement_aggregates a ON a.id = l.aggregate_id
     JOIN resource_providers p ON p.id = l.resource_provider_id WHERE p.uuid = ?`,
    [uuid],
  );
  return new Set(rows.map((row) => row.uuid));
}

test('rules 78, 79: the set is replaced; aggregates are created on first use, shared, and stay when they are empty', async () => {
  const [one, two] = [await aProvider(database), await aProvider(database)];
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  expect(await set(one, 0, [a, b])).toEqual({ uuid: one });
  await set(two, 0, [b, c]);
  await set(one, 1, [c]);
  expect(await aggregatesOf(one)).toEqual(new Set([c]));
  expect(await aggregatesOf(two)).toEqual(new Set([b, c]));
  await set(one, 2, []);
  expect(await aggregatesOf(one)).toEqual(new Set());
  expect(await generationOf(database, one)).toBe(3);
  const known = await database.pool.query<unknown[]>('SELECT 1 FROM placement_aggregates WHERE uuid IN (?)', [
    [a, b, c],
  ]);
  expect(known).toHaveLength(3);
});

test('decision D5: the same set in another order bumps nothing', async () => {
  const uuid = await aProvider(database);
  const [a, b] = [randomUUID(), randomUUID()];
  await expectUnchanged(database, () => set(uuid, 0, []));
  await set(uuid, 0, [a, b]);
  await expectUnchanged(database, () => set(uuid, 1, [b, a]));
});

test('rules 58, 79, decisions D6, D7: the refusals in their order', async () => {
  const [uuid, unknown, a] = [await aProvider(database), randomUUID(), randomUUID()];
  const twice = [randomUUID(), a, a];
  await expectRefused(database, () => set(unknown, 0, twice), {
    code: 'INVALID_INPUT',
    path: ['aggregates', '2'],
  });
  await expectRefused(database, () => set(unknown, 0, [a]), {
    code: 'NOT_FOUND',
    entity: 'RESOURCE_PROVIDER',
    key: unknown,
  });
  await expectRefused(database, () => set(uuid, 1, [a]), {
    code: 'PROVIDER_GENERATION_CONFLICT',
    resourceProviderUuid: uuid,
    expectedGeneration: 1,
    currentGeneration: 0,
  });
});
