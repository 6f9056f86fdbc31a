import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { addedUsages, storedUsages } from '../ledger/quotaSupport.js';
import { times } from '../ledger/support.js';
import { takes } from '../support/claims.js';
import { race, twoServers } from './twoServers.js';

const running = twoServers();

/** How long 64 clients race for the last units of a quota (ms). */
const RACE_MS = Number(process.env.PLACEMENT_QUOTA_RACE_MINUTES ?? 0.05) * 60_000;
const CLIENTS = 64;
const LIMIT = 40;

/** Creates a provider on which every claim of the test fits. */
async function aProvider(): Promise<string> {
  const uuid = randomUUID();
  const input = { name: uuid, uuid, inventories: { resourceClass: 'VCPU', total: 1_000_000 } };
  expect(await race(running, 'createResourceProvider', [input])).toEqual({ done: 1 });
  return uuid;
}

const setLimits = async (projectId: string, limits: object[]): Promise<void> =>
  expect(await race(running, 'setQuotas', [{ projects: { projectId, limits } }])).toEqual({ done: 1 });

async function usedBy(projectId: string): Promise<number> {
  const [{ used }] = await running.database.pool.query<{ used: number }[]>(
    `SELECT CAST(COALESCE(SUM(a.used), 0) AS SIGNED) AS used FROM allocations a JOIN consumers c ON c.uuid = a.consumer_id
       JOIN projects p ON p.id = c.project_id WHERE p.external_id = ?`,
    [projectId],
  );
  return Number(used);
}

test('of 64 claims through two servers, exactly those that fit the quota succeed', async () => {
  const [provider, projectId] = [await aProvider(), 'at once'];
  await setLimits(projectId, [{ resourceClass: 'VCPU', limit: LIMIT }]);
  const claims = times(CLIENTS, () => ({
    consumers: [takes(randomUUID(), null, { [provider]: { VCPU: 1 } }, { projectId })],
  }));
  expect(await race(running, 'setAllocations', claims)).toEqual({
    done: LIMIT,
    QUOTA_EXCEEDED: CLIENTS - LIMIT,
  });
  expect(await usedBy(projectId)).toBe(LIMIT);
});

test(
  '64 clients that claim and release never exceed the quota, and leave no unit of it unused',
  async () => {
    const [provider, projectId] = [await aProvider(), 'again and again'];
    const second = await aProvider();
    await setLimits(projectId, [{ resourceClass: 'VCPU', limit: LIMIT }, { limit: LIMIT }]);
    const end = performance.now() + RACE_MS;
    const ends: Record<string, number> = {};
    const held: string[][] = times(CLIENTS, () => []);
    const count = (found: Record<string, number>): void => {
      for (const [key, number] of Object.entries(found)) ends[key] = (ends[key] ?? 0) + number;
    };
    let most = 0;
    const watch = async (): Promise<void> => {
      while (performance.now() < end) {
        most = Math.max(most, await usedBy(projectId));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const client = async (n: number): Promise<void> => {
      while (performance.now() < end) {
        const consumer = randomUUID();
        const on = n % 2 === 0 ? provider : second;
        const input = { consumers: [takes(consumer, null, { [on]: { VCPU: 1 } }, { projectId })] };
        const server = { ...running, clients: [running.clients[n % running.clients.length]] };
        const found = await race(server, 'setAllocations', [input]);
        count(found);
        if (found.done === 1) held[n].push(consumer);
        else if (held[n].length > 0)
          count(await race(server, 'deleteConsumer', [{ consumer: held[n].pop()! }]));
      }
    };
    await Promise.all([watch(), ...times(CLIENTS, client)]);
    process.stderr.write(`quota of ${LIMIT}: ${JSON.stringify({ most, ends })}\n`);
    expect(most).toBeLessThanOrEqual(LIMIT);
    expect(Object.keys(ends).sort()).toEqual(['QUOTA_EXCEEDED', 'done']);
    const left = LIMIT - (await usedBy(projectId));
    const rest = times(left + 1, () => ({
      consumers: [takes(randomUUID(), null, { [provider]: { VCPU: 1 } }, { projectId })],
    }));
    const last = await race(running, 'setAllocations', rest);
    expect(last).toEqual(left === 0 ? { QUOTA_EXCEEDED: 1 } : { done: left, QUOTA_EXCEEDED: 1 });
    expect(await storedUsages(running.database)).toEqual(await addedUsages(running.database, ['MIGRATION']));
  },
  RACE_MS + 120_000,
);
