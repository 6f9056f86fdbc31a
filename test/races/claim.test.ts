import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
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

test('64 claimants through two servers of a fleet with 48 places: nothing is wasted, nothing is given twice', async () => {
  const hosts = Array.from({ length: 24 }, (_, n) => `host${n} VCPU:8(used=4) MEMORY_MB:64`);
  await loadForest(running.database, forest(hosts.join('\n')));
  const ends = await race(() => ({ request: group({ VCPU: 2, MEMORY_MB: 8 }), consumers: people(1) }));
  expect(ends).toEqual({ done: 48, NO_CANDIDATES: 16 });
  expect(await left('VCPU')).toEqual({});
});

test('64 claimants of two places each, on nodes with room for three: whole hosts are filled', async () => {
  const hosts = Array.from({ length: 8 }, (_, n) => `host${n}\n  numa${n}a VCPU:6\n  numa${n}b VCPU:6`);
  await loadForest(running.database, forest(hosts.join('\n')));
  const ends = await race(() => ({
    request: group({ VCPU: 2 }),
    consumers: people(2),
    placement: 'SAME_TREE',
  }));
  expect(ends).toEqual({ done: 24, NO_CANDIDATES: 40 });
  expect(await left('VCPU')).toEqual({});
});

test('64 claims at once of one consumer: exactly one wins', async () => {
  await loadForest(running.database, forest('host VCPU:64'));
  const consumers = people(1);
  const ends = await race(() => ({ request: group({ VCPU: 1 }), consumers }));
  expect(ends).toEqual({ done: 1, CONSUMER_GENERATION_CONFLICT: 63 });
  expect(await left('VCPU')).toEqual({ host: 63 });
});

/** Creates 32 consumers with one VCPU each, on a fleet with as much free capacity again. */
async function residents(): Promise<ReturnType<typeof people>> {
  const hosts = Array.from({ length: 16 }, (_, n) => `host${n} VCPU:4`);
  await loadForest(running.database, forest(hosts.join('\n')));
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
