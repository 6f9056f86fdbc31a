import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { groupBy } from '../../src/model/collections.js';
import { claimInput, newConsumers, requestOf, takes } from '../support/claims.js';
import { forest } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { times } from '../ledger/support.js';
import { race, twoServers } from './twoServers.js';

const running = twoServers();

const query = <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  running.database.pool.query<Row[]>(sql, values);

/** Sends all writes at once, in turn through either server. Returns the number of each end. */
const claimAll = (writes: readonly (readonly object[])[]) =>
  race(
    running,
    'setAllocations',
    writes.map((consumers) => ({ consumers })),
  );

/** Creates a provider with VCPU 64. Returns its uuid. */
async function aProvider(): Promise<string> {
  const uuid = randomUUID();
  const input = { name: uuid, uuid, inventories: { resourceClass: 'VCPU', total: 64 } };
  expect(await race(running, 'createResourceProvider', [input])).toEqual({ done: 1 });
  return uuid;
}

/** Returns the amounts of consumers on the provider, and the provider's generation. */
async function stored(provider: string): Promise<{ generation: number; amounts: number[] }> {
  const rows = await query<{ generation: number; used: number }>(
    `SELECT p.generation, a.used FROM allocations a JOIN consumers c ON c.uuid = a.consumer_id
     JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid = ? ORDER BY a.used`,
    provider,
  );
  return { generation: rows[0].generation, amounts: rows.map(({ used }) => used) };
}

/** Returns the number of consumers, allocations and projects. */
async function counts(): Promise<number[]> {
  const [row] = await query<Record<string, number>>(
    `SELECT (SELECT COUNT(*) FROM consumers) AS c, (SELECT COUNT(*) FROM allocations) AS a,
            (SELECT COUNT(*) FROM projects) AS p`,
  );
  return [row.c, row.a, row.p];
}

let provider: string;
beforeEach(async () => {
  provider = await aProvider();
});

describe('rules 102 to 105, decision D14: 64 claimants at once through two servers', () => {
  const one = (projectId = 'a-project') =>
    takes(randomUUID(), null, { [provider]: { VCPU: 1 } }, { projectId });

  test('exactly one of several claims of the last unit succeeds, the others fail with CAPACITY_EXCEEDED', async () => {
    expect(await claimAll([[takes(randomUUID(), null, { [provider]: { VCPU: 63 } })]])).toEqual({ done: 1 });
    const before = await counts();
    const claims = times(64, (n) => [one(`last unit ${n}`)]);
    expect(await claimAll(claims)).toEqual({ done: 1, CAPACITY_EXCEEDED: 63 });
    expect(await stored(provider)).toEqual({ generation: 2, amounts: [1, 63] });
    expect(await counts()).toEqual(before.map((n) => n + 1));
  });

  test('on one provider, which all fit: all succeed', async () => {
    expect(await claimAll(times(64, () => [one()]))).toEqual({ done: 64 });
    expect(await stored(provider)).toEqual({ generation: 64, amounts: times(64, () => 1) });
  });

  test('of two units on two providers each, named in either order: both are filled, none halfway', async () => {
    const other = await aProvider();
    const claims = times(64, (n) => {
      const [first, second] = n % 2 === 0 ? [provider, other] : [other, provider];
      return [takes(randomUUID(), null, { [first]: { VCPU: 2 }, [second]: { VCPU: 2 } })];
    });
    expect(await claimAll(claims)).toEqual({ done: 32, CAPACITY_EXCEEDED: 32 });
    const full = { generation: 32, amounts: times(32, () => 2) };
    expect([await stored(provider), await stored(other)]).toEqual([full, full]);
  });
});

test.each([null, 1])(
  'rule 83: of 16 writers at once through two servers that expect a consumer at generation %p exactly one wins',
  async (generation) => {
    const consumer = randomUUID();
    const write = (expected: number | null, VCPU: number) => [
      takes(consumer, expected, { [provider]: { VCPU } }),
    ];
    if (generation !== null) expect(await claimAll([write(null, 1)])).toEqual({ done: 1 });
    const ends = await claimAll(times(16, (n) => write(generation, n + 2)));
    expect(ends).toEqual({ done: 1, CONSUMER_GENERATION_CONFLICT: 15 });
    expect(await stored(provider)).toMatchObject({
      generation: (generation ?? 0) + 1,
      amounts: { length: 1 },
    });
  },
);

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
  const rows = await query<{ name: string; free: number }>(
    `SELECT p.name, i.total - COALESCE(SUM(a.used), 0) + 0e0 AS free FROM inventories i
     JOIN resource_classes c ON c.id = i.resource_class_id JOIN resource_providers p ON p.id = i.resource_provider_id
     LEFT JOIN allocations a ON a.resource_provider_id = p.id AND a.resource_class_id = c.id
     WHERE c.name = ? GROUP BY p.name, i.total`,
    resourceClass,
  );
  return Object.fromEntries(rows.filter(({ free }) => free !== 0).map(({ name, free }) => [name, free]));
}

/** Returns the allocations of each consumer. */
async function sets(): Promise<Map<string, { readonly provider: number; readonly used: number }[]>> {
  const rows = await query<{ consumer: string; provider: number; used: number }>(
    'SELECT consumer_id AS consumer, resource_provider_id AS provider, used FROM allocations',
  );
  return groupBy(rows, ({ consumer }) => consumer);
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
    const has = await sets();
    const placed = claims
      .map((consumers) => consumers.flatMap(({ consumer }) => has.get(consumer) ?? []))
      .filter(({ length }) => length > 0);
    expect(placed.map((each) => new Set(each.map(({ provider: tree }) => tree)).size)).toEqual(
      Array<number>(ends.done).fill(3),
    );
    const free = Object.values(await left('VCPU'));
    expect(free.reduce((sum, one) => sum + one, 0)).toBe(24 - 3 * ends.done);
    expect(free.length).toBeLessThan(3); // no capacity is released, so no tree has more than before
  });
});

/** Creates 32 consumers with one VCPU each, on a fleet with as much free capacity again. */
async function residents(): Promise<ReturnType<typeof newConsumers>> {
  await loadForest(running.database, forest(hosts(16, (n) => `host${n} VCPU:4`)));
  const consumers = newConsumers(32);
  expect(await race(running, 'claim', [claimInput(requestOf({ VCPU: 1 }), consumers)])).toEqual({ done: 1 });
  return consumers;
}

test('64 moves at once, two of each consumer: one of the two wins, and each has one place and not two', async () => {
  const consumers = await residents();
  const ends = await raceClaims((n) => ({
    request: { ...requestOf({ VCPU: 1 }), awayFromConsumers: [consumers[n % 32].consumer] },
    consumers: [{ ...consumers[n % 32], generation: 1 }],
  }));
  expect(ends).toEqual({ done: 32, CONSUMER_GENERATION_CONFLICT: 32 });
  const has = await sets();
  expect([...has.keys()].sort()).toEqual(consumers.map(({ consumer }) => consumer).sort());
  expect([...has.values()].map((all) => all.map(({ used }) => used))).toEqual(times(32, () => [1]));
});

test('64 live migrations at once, two of each consumer: what each had stays in use, until only its own hosts have room', async () => {
  const consumers = await residents();
  const kept = newConsumers(64);
  const ends = await raceClaims((n) => ({
    request: { ...requestOf({ VCPU: 1 }), awayFromConsumers: [consumers[n % 32].consumer] },
    consumers: [
      {
        ...consumers[n % 32],
        generation: 1,
        keepOldAs: { consumer: kept[n].consumer, type: 'MIGRATION' },
      },
    ],
  }));
  const { done, CONSUMER_GENERATION_CONFLICT: conflicts, NO_CANDIDATES: stuck = 0 } = ends;
  expect(done + conflicts + stuck).toBe(64);
  expect(done).toBeGreaterThan(29);
  const has = await sets();
  expect([...has.values()].map((all) => all.map(({ used }) => used))).toEqual(times(32 + done, () => [1]));
  const free = Object.values(await left('VCPU')).reduce((sum, one) => sum + one, 0);
  expect(free).toBe(32 - done); // the rest may be at the hosts that the last consumers must leave
});
