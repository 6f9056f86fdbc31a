import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { forest } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { twoServers } from './process.js';
import { claimInput } from '../support/claims.js';

const running = twoServers();

interface Wanted {
  readonly request: object;
  readonly consumers: readonly object[];
  readonly placement?: string;
}

/** Sends 64 claims at once, in turn through either server. Returns the number of each result. */
async function race(input: (n: number) => Wanted): Promise<Record<string, number>> {
  const count: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: 64 }, async (_, n) => {
      const { request, consumers, placement } = input(n);
      const outcome = await running.servers[n % 2].client.mutate(
        'claim',
        claimInput(request, consumers, placement),
        'claims { consumer { uuid } }',
      );
      const end = outcome.kind === 'refused' ? outcome.code : outcome.kind;
      count[end] = (count[end] ?? 0) + 1;
    }),
  );
  return count;
}

const group = (amounts: Record<string, number>) => ({
  groups: [
    {
      resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
    },
  ],
});

const people = (count: number) =>
  Array.from({ length: count }, () => ({ consumer: randomUUID(), projectId: 'blue', userId: 'ann' }));

/** Returns the free capacity of a class by provider, without providers whose free capacity is 0. */
async function left(resourceClass: string): Promise<Record<string, number>> {
  const rows = await running.database.pool.query<{ name: string; free: number }[]>(
    `SELECT p.name, i.total - COALESCE(SUM(a.used), 0) + 0e0 AS free FROM inventories i
     JOIN resource_classes c ON c.id = i.resource_class_id JOIN resource_providers p ON p.id = i.resource_provider_id
     LEFT JOIN allocations a ON a.resource_provider_id = p.id AND a.resource_class_id = c.id
     WHERE c.name = ? GROUP BY p.name, i.total`,
    [resourceClass],
  );
  return Object.fromEntries(rows.filter(({ free }) => free !== 0).map(({ name, free }) => [name, free]));
}

const hosts = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

describe('64 claims at once through two servers', () => {
  const same = people(1);
  test.each<[string, string, (n: number) => Wanted, ends: object, free: object]>([
    [
      '48 places: nothing is wasted, nothing is given twice',
      hosts(24, (n) => `host${n} VCPU:8(used=4) MEMORY_MB:64`),
      () => ({ request: group({ VCPU: 2, MEMORY_MB: 8 }), consumers: people(1) }),
      { done: 48, NO_CANDIDATES: 16 },
      {},
    ],
    [
      '48 places, all with the same seed',
      hosts(12, (n) => `host${n} VCPU:16(used=12)`),
      () => ({ request: { ...group({ VCPU: 1 }), seed: 1 }, consumers: people(1) }),
      { done: 48, NO_CANDIDATES: 16 },
      {},
    ],
    [
      'two places each, on nodes with capacity for three: whole hosts are filled',
      hosts(8, (n) => `host${n}\n  numa${n}a VCPU:6\n  numa${n}b VCPU:6`),
      () => ({ request: group({ VCPU: 2 }), consumers: people(2), placement: 'SAME_TREE' }),
      { done: 24, NO_CANDIDATES: 40 },
      {},
    ],
    [
      'one consumer: exactly one wins',
      'host VCPU:64',
      () => ({ request: group({ VCPU: 1 }), consumers: same }),
      { done: 1, CONSUMER_GENERATION_CONFLICT: 63 },
      { host: 63 },
    ],
  ])('%s', async (_title, fleet, input, ends, free) => {
    await loadForest(running.database, forest(fleet));
    expect(await race(input)).toEqual(ends);
    expect(await left('VCPU')).toEqual(free);
  });

  test('three consumers each in distinct trees: a rejected claim found fewer than three trees', async () => {
    await loadForest(running.database, forest(hosts(6, (n) => `host${n} VCPU:4`)));
    const claims = Array.from({ length: 64 }, () => people(3));
    const ends = await race((n) => ({
      request: group({ VCPU: 1 }),
      consumers: claims[n],
      placement: 'DISTINCT_TREES',
    }));
    expect(Object.keys(ends).sort()).toEqual(['NO_CANDIDATES', 'done']);
    const rows = await running.database.pool.query<{ consumer: string; provider: number }[]>(
      'SELECT consumer_id AS consumer, resource_provider_id AS provider FROM allocations',
    );
    const trees = new Map(rows.map(({ consumer, provider }) => [consumer, provider]));
    const placed = claims
      .map((consumers) => consumers.flatMap(({ consumer }) => trees.get(consumer) ?? []))
      .filter(({ length }) => length > 0);
    expect(placed.map((each) => new Set(each).size)).toEqual(Array<number>(ends.done).fill(3));
    const free = Object.values(await left('VCPU'));
    expect(free.reduce((sum, one) => sum + one, 0)).toBe(24 - 3 * ends.done);
    expect(free.length).toBeLessThan(3); // no capacity is released, so no tree has more than before
  });
});

/** Creates 32 consumers with one VCPU each, on a fleet with as much free capacity again. */
async function residents(): Promise<ReturnType<typeof people>> {
  await loadForest(running.database, forest(hosts(16, (n) => `host${n} VCPU:4`)));
  const consumers = people(32);
  await running.servers[0].client.mutate('claim', claimInput(group({ VCPU: 1 }), consumers), '__typename');
  return consumers;
}

/** Returns the amounts of all allocations of each consumer. */
async function sets(): Promise<Map<string, number[]>> {
  const rows = await running.database.pool.query<{ consumer: string; used: number }[]>(
    'SELECT consumer_id AS consumer, used FROM allocations',
  );
  const all = new Map<string, number[]>();
  for (const { consumer, used } of rows) all.set(consumer, [...(all.get(consumer) ?? []), used]);
  return all;
}

test('64 moves at once, two of each consumer: one of the two wins, and each has one place and not two', async () => {
  const consumers = await residents();
  const ends = await race((n) => ({
    request: { ...group({ VCPU: 1 }), awayFromConsumers: [consumers[n % 32].consumer] },
    consumers: [{ ...consumers[n % 32], generation: 1 }],
  }));
  expect(ends).toEqual({ done: 32, CONSUMER_GENERATION_CONFLICT: 32 });
  const has = await sets();
  expect(consumers.map(({ consumer }) => has.get(consumer))).toEqual(consumers.map(() => [1]));
  expect(has.size).toBe(32);
});

test('64 live migrations at once, two of each consumer: what each had stays in use, and the fleet is full to the last', async () => {
  const consumers = await residents();
  const kept = people(64);
  const ends = await race((n) => ({
    request: group({ VCPU: 1 }),
    consumers: [
      {
        ...consumers[n % 32],
        generation: 1,
        keepOldAs: { consumer: kept[n].consumer, type: 'MIGRATION' },
      },
    ],
  }));
  expect(ends).toEqual({ done: 32, CONSUMER_GENERATION_CONFLICT: 32 });
  const has = await sets();
  expect(has.size).toBe(64);
  expect([...has.values()].every((amounts) => amounts.join() === '1')).toBe(true);
  expect(await left('VCPU')).toEqual({});
});
