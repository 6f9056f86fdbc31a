import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../races/client.js';
import { START } from '../races/process.js';
import { takes } from '../support/claims.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { TwoWorkers } from './workers.js';

let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'workers-'));
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true });
});

const CANDIDATES = `query ($provider: UUID!) {
  allocationCandidates(request: { groups: [{ inTree: $provider, resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) {
    providerSummaries { resourceProvider { generation } resources { used } }
  }
}`;

interface Answer {
  readonly allocationCandidates: {
    readonly providerSummaries: readonly { readonly resources: readonly { readonly used: number }[] }[];
  };
}

const start = (): Promise<TwoWorkers> =>
  TwoWorkers.start(database.url, [
    '--snapshot-file',
    join(directory, 'fleet.snapshot'),
    '--log-level',
    'info',
  ]);

/** What each worker shows to be in use of the provider: connections go to them in turn. */
async function used(server: TwoWorkers, provider: string): Promise<unknown[]> {
  const clients = [new Client(server.url), new Client(server.url)];
  return Promise.all(
    clients.map(async (client) => {
      const { allocationCandidates } = await client.read<Answer>(CANDIDATES, { provider });
      return allocationCandidates.providerSummaries[0].resources[0].used;
    }),
  );
}

test(
  'one worker writes the file when all end, and all start out of it, with what was written since',
  async () => {
    const first = await start();
    const [uuid, consumer] = [randomUUID(), randomUUID()];
    const client = new Client(first.url);
    await client.mutate('createResourceProvider', { name: 'first', uuid }, '__typename');
    const input = { resourceProvider: uuid, generation: 0, inventory: { resourceClass: 'VCPU', total: 100 } };
    await client.mutate('setInventory', input, '__typename');
    const consumers = [takes(consumer, null, { [uuid]: { VCPU: 30 } })];
    await client.mutate('setAllocations', { consumers }, '__typename');
    expect(await used(first, uuid)).toEqual([30, 30]);
    expect(await first.stop()).not.toMatch(/its file/);
    expect(await readdir(directory)).toEqual(['fleet.snapshot']);

    await database.pool.query('UPDATE allocations SET used = 40'); // by another program, while no server runs
    const second = await start();
    expect(await used(second, uuid)).toEqual([40, 40]);
    const more = [takes(randomUUID(), null, { [uuid]: { VCPU: 7 } })];
    await new Client(second.url).mutate('setAllocations', { consumers: more }, '__typename');
    expect(await used(second, uuid)).toEqual([47, 47]);
    expect((await second.stop()).match(/the snapshot was in its file/g)).toHaveLength(2);
    expect(await readdir(directory)).toEqual(['fleet.snapshot']);
  },
  START,
);
