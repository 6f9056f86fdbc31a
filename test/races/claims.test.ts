import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { claimInput, newConsumers, requestOf, takes } from '../support/claims.js';
import { forest } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { times } from '../ledger/support.js';
import { race, twoServers } from './process.js';

const running = twoServers();
let provider: string;

async function aProvider(): Promise<void> {
  provider = await offering({ VCPU: 64 });
}

/** Sends all writes at once, in turn through either server. Returns the number of each end. */
const claimAll = (writes: readonly (readonly object[])[]) =>
  race(
    running,
    'setAllocations',
    writes.map((consumers) => ({ consumers })),
  );

/** Creates a provider with these totals. */
async function offering(totals: Record<string, number>): Promise<string> {
  const [{ client }] = running.servers;
  const uuid = randomUUID();
  const inventories = Object.entries(totals).map(([resourceClass, total]) => ({ resourceClass, total }));
  const input = { name: uuid, uuid, inventories };
  expect((await client.mutate('createResourceProvider', input, '__typename')).kind).toBe('done');
  return uuid;
}

/** Returns the amounts of consumers on the provider, and the provider's generation. */
async function stored(): Promise<{ generation: number; amounts: number[] }> {
  const [{ generation }] = await running.database.pool.query<{ generation: number }[]>(
    'SELECT generation FROM resource_providers WHERE uuid = ?',
    [provider],
  );
  const rows = await running.database.pool.query<{ used: number }[]>(
    `SELECT a.used FROM allocations a JOIN consumers c ON c.uuid = a.consumer_id
     JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid = ? ORDER BY a.used`,
    [provider],
  );
  return { generation, amounts: rows.map(({ used }) => used) };
}

async function count(table: string): Promise<number> {
  const [{ n }] = await running.database.pool.query<{ n: number }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
  return n;
}

describe('rules 102 to 105, decision D14: 64 claimants at once through two servers', () => {
  beforeEach(aProvider);

  test('of the last unit: exactly one gets it, the others are told that capacity is gone', async () => {
    const others = takes(randomUUID(), null, { [provider]: { VCPU: 63 } });
    expect(await claimAll([[others]])).toEqual({ done: 1 });
    const before = await Promise.all(['consumers', 'allocations', 'projects'].map(count));
    const claims = times(64, (n) => [
      takes(randomUUID(), null, { [provider]: { VCPU: 1 } }, { projectId: `last unit ${n}` }),
    ]);
    expect(await claimAll(claims)).toEqual({ done: 1, CAPACITY_EXCEEDED: 63 });
    expect(await stored()).toEqual({ generation: 2, amounts: [1, 63] });
    const after = await Promise.all(['consumers', 'allocations', 'projects'].map(count));
    expect(after).toEqual(before.map((n) => n + 1));
  });

  test('on one provider, which all fit: all succeed', async () => {
    const claims = times(64, () => [takes(randomUUID(), null, { [provider]: { VCPU: 1 } })]);
    expect(await claimAll(claims)).toEqual({ done: 64 });
    expect(await stored()).toEqual({ generation: 64, amounts: times(64, () => 1) });
  });

  test('of two units on two providers each, named in either order: both are filled, none halfway', async () => {
    const other = await offering({ VCPU: 64 });
    const claims = times(64, (n) => {
      const [first, second] = n % 2 === 0 ? [provider, other] : [other, provider];
      return [takes(randomUUID(), null, { [first]: { VCPU: 2 }, [second]: { VCPU: 2 } })];
    });
    expect(await claimAll(claims)).toEqual({ done: 32, CAPACITY_EXCEEDED: 32 });
    expect(await stored()).toEqual({ generation: 32, amounts: times(32, () => 2) });
    provider = other;
    expect(await stored()).toEqual({ generation: 32, amounts: times(32, () => 2) });
  });
});

describe('rule 83: 16 writers of one consumer at once through two servers', () => {
  beforeEach(aProvider);

  test('that all expect it to be new: exactly one wins', async () => {
    const consumer = randomUUID();
    const claims = times(16, (n) => [takes(consumer, null, { [provider]: { VCPU: n + 1 } })]);
    expect(await claimAll(claims)).toEqual({ done: 1, CONSUMER_GENERATION_CONFLICT: 15 });
    const { generation, amounts } = await stored();
    expect(generation).toBe(1);
    expect(amounts).toHaveLength(1);
  });

  test('that have all read the same generation: exactly one wins', async () => {
    const consumer = randomUUID();
    expect(await claimAll([[takes(consumer, null, { [provider]: { VCPU: 1 } })]])).toEqual({ done: 1 });
    const changes = times(16, (n) => [takes(consumer, 1, { [provider]: { VCPU: n + 2 } })]);
    expect(await claimAll(changes)).toEqual({ done: 1, CONSUMER_GENERATION_CONFLICT: 15 });
    expect((await stored()).amounts).toHaveLength(1);
    expect((await stored()).generation).toBe(2);
  });
});

interface Wanted {
  readonly request: object;
  readonly consumers: readonly object[];
  readonly placement?: string;
}

/** Sends 64 claims at once, in turn through either server. Returns the number of each end. */
const raceClaims = (wanted: (n: number) => Wanted) =>
  race(
    running,
    'claim',
    times(64, (n) => {
      const { request, consumers, placement } = wanted(n);
      return claimInput(request, consumers, placement);
    }),
  );

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

const hosts = (count: number, line: (n: number) => string): string => times(count, line).join('\n');

describe('64 claims at once through two servers', () => {
  const same = newConsumers();
  test.each<[string, string, (n: number) => Wanted, ends: object, free: object]>([
    [
      '48 places: nothing is wasted, nothing is given twice',
      hosts(24, (n) => `host${n} VCPU:8(used=4) MEMORY_MB:64`),
      () => ({ request: requestOf({ VCPU: 2, MEMORY_MB: 8 }), consumers: newConsumers() }),
      { done: 48, NO_CANDIDATES: 16 },
      {},
    ],
    [
      '48 places, all with the same seed',
      hosts(12, (n) => `host${n} VCPU:16(used=12)`),
      () => ({ request: { ...requestOf({ VCPU: 1 }), seed: 1 }, consumers: newConsumers() }),
      { done: 48, NO_CANDIDATES: 16 },
      {},
    ],
    [
      'two places each, on nodes with capacity for three: whole hosts are filled',
      hosts(8, (n) => `host${n}\n  numa${n}a VCPU:6\n  numa${n}b VCPU:6`),
      () => ({ request: requestOf({ VCPU: 2 }), consumers: newConsumers(2), placement: 'SAME_TREE' }),
      { done: 24, NO_CANDIDATES: 40 },
      {},
    ],
    [
      'one consumer: exactly one wins',
      'host VCPU:64',
      () => ({ request: requestOf({ VCPU: 1 }), consumers: same }),
      { done: 1, CONSUMER_GENERATION_CONFLICT: 63 },
      { host: 63 },
    ],
  ])('%s', async (_title, fleet, input, ends, free) => {
    await loadForest(running.database, forest(fleet));
    expect(await raceClaims(input)).toEqual(ends);
    expect(await left('VCPU')).toEqual(free);
  });

  test('three consumers each in distinct trees: a rejected claim found fewer than three trees', async () => {
    await loadForest(running.database, forest(hosts(6, (n) => `host${n} VCPU:4`)));
    const claims = times(64, () => newConsumers(3));
    const ends = await raceClaims((n) => ({
      request: requestOf({ VCPU: 1 }),
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
async function residents(): Promise<ReturnType<typeof newConsumers>> {
  await loadForest(running.database, forest(hosts(16, (n) => `host${n} VCPU:4`)));
  const consumers = newConsumers(32);
  await running.servers[0].client.mutate(
    'claim',
    claimInput(requestOf({ VCPU: 1 }), consumers),
    '__typename',
  );
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
  const ends = await raceClaims((n) => ({
    request: { ...requestOf({ VCPU: 1 }), awayFromConsumers: [consumers[n % 32].consumer] },
    consumers: [{ ...consumers[n % 32], generation: 1 }],
  }));
  expect(ends).toEqual({ done: 32, CONSUMER_GENERATION_CONFLICT: 32 });
  const has = await sets();
  expect(consumers.map(({ consumer }) => has.get(consumer))).toEqual(consumers.map(() => [1]));
  expect(has.size).toBe(32);
});

test('64 live migrations at once, two of each consumer: what each had stays in use, and the fleet is full to the last', async () => {
  const consumers = await residents();
  const kept = newConsumers(64);
  const ends = await raceClaims((n) => ({
    request: requestOf({ VCPU: 1 }),
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
