import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { takes } from '../support/claims.js';
import { twoServers } from './process.js';

const running = twoServers();
let provider: string;
beforeEach(async () => {
  provider = await offering({ VCPU: 64 });
});

/** Creates a provider with these totals. */
async function offering(totals: Record<string, number>): Promise<string> {
  const [{ client }] = running.servers;
  const uuid = randomUUID();
  const inventories = Object.entries(totals).map(([resourceClass, total]) => ({ resourceClass, total }));
  const input = { name: uuid, uuid, inventories };
  expect((await client.mutate('createResourceProvider', input, '__typename')).kind).toBe('done');
  return uuid;
}

/** Sends all writes at once, in turn through either server. Returns the number of each result. */
async function race(writes: readonly (readonly object[])[]): Promise<Record<string, number>> {
  const count: Record<string, number> = {};
  await Promise.all(
    writes.map(async (consumers, n) => {
      const { client } = running.servers[n % running.servers.length];
      const outcome = await client.mutate('setAllocations', { consumers }, 'consumers { uuid }');
      const end = outcome.kind === 'refused' ? outcome.code : outcome.kind;
      count[end] = (count[end] ?? 0) + 1;
    }),
  );
  return count;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

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
  test('of the last unit: exactly one gets it, the others are told that capacity is gone', async () => {
    const others = takes(randomUUID(), null, { [provider]: { VCPU: 63 } });
    expect(await race([[others]])).toEqual({ done: 1 });
    const before = await Promise.all(['consumers', 'allocations', 'projects'].map(count));
    const claims = times(64, (n) => [
      takes(randomUUID(), null, { [provider]: { VCPU: 1 } }, { projectId: `last unit ${n}` }),
    ]);
    expect(await race(claims)).toEqual({ done: 1, CAPACITY_EXCEEDED: 63 });
    expect(await stored()).toEqual({ generation: 2, amounts: [1, 63] });
    const after = await Promise.all(['consumers', 'allocations', 'projects'].map(count));
    expect(after).toEqual(before.map((n) => n + 1));
  });

  test('on one provider, which all fit: all succeed', async () => {
    const claims = times(64, () => [takes(randomUUID(), null, { [provider]: { VCPU: 1 } })]);
    expect(await race(claims)).toEqual({ done: 64 });
    expect(await stored()).toEqual({ generation: 64, amounts: times(64, () => 1) });
  });

  test('of two units on two providers each, named in either order: both are filled, none halfway', async () => {
    const other = await offering({ VCPU: 64 });
    const claims = times(64, (n) => {
      const [first, second] = n % 2 === 0 ? [provider, other] : [other, provider];
      return [takes(randomUUID(), null, { [first]: { VCPU: 2 }, [second]: { VCPU: 2 } })];
    });
    expect(await race(claims)).toEqual({ done: 32, CAPACITY_EXCEEDED: 32 });
    expect(await stored()).toEqual({ generation: 32, amounts: times(32, () => 2) });
    provider = other;
    expect(await stored()).toEqual({ generation: 32, amounts: times(32, () => 2) });
  });
});

describe('rule 83: 16 writers of one consumer at once through two servers', () => {
  test('that all expect it to be new: exactly one wins', async () => {
    const consumer = randomUUID();
    const claims = times(16, (n) => [takes(consumer, null, { [provider]: { VCPU: n + 1 } })]);
    expect(await race(claims)).toEqual({ done: 1, CONSUMER_GENERATION_CONFLICT: 15 });
    const { generation, amounts } = await stored();
    expect(generation).toBe(1);
    expect(amounts).toHaveLength(1);
  });

  test('that have all read the same generation: exactly one wins', async () => {
    const consumer = randomUUID();
    expect(await race([[takes(consumer, null, { [provider]: { VCPU: 1 } })]])).toEqual({ done: 1 });
    const changes = times(16, (n) => [takes(consumer, 1, { [provider]: { VCPU: n + 2 } })]);
    expect(await race(changes)).toEqual({ done: 1, CONSUMER_GENERATION_CONFLICT: 15 });
    expect((await stored()).amounts).toHaveLength(1);
    expect((await stored()).generation).toBe(2);
  });
});
