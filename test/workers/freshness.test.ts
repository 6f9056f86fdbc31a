import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../races/client.js';
import { START } from '../races/process.js';
import { takes } from '../support/claims.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { TwoWorkers } from './workers.js';
import { cases } from '../support/length.js';

const ROUNDS = cases(2_000);
const LANES = 8;

let database: TestDatabase;
let server: TwoWorkers;

beforeAll(async () => {
  database = await testDatabase();
  server = await TwoWorkers.start(database.url);
}, START);
afterAll(async () => {
  const said = await server.stop();
  await database.close();
  expect(said).toBe('');
});

const CANDIDATES = `query ($provider: UUID!, $free: Int!) {
  allocationCandidates(request: { groups: [{ inTree: { uuid: $provider }, resources: [{ resourceClass: "VCPU", amount: $free }] }] }) {
    providerSummaries { resourceProvider { generation } resources { used } }
  }
}`;

test('a search that begins after a write was acknowledged sees it, whichever workers have the two, hundreds of times under load', async () => {
  let left = ROUNDS;
  const lane = async (): Promise<void> => {
    // each has a connection of its own, and connections go to the workers in turn
    const clients = [new Client(server.url), new Client(server.url)];
    const uuid = randomUUID();
    const consumer = randomUUID();
    const done = { kind: 'done' };
    const make = await clients[0].mutate('createResourceProvider', { name: uuid, uuid }, '__typename');
    expect(make).toMatchObject(done);
    const input = {
      resourceProvider: { uuid },
      generation: 0,
      inventories: { add: [{ resourceClass: 'VCPU', total: 100 }] },
    };
    expect(await clients[1].mutate('updateResourceProvider', input, '__typename')).toMatchObject(done);
    for (let round = 0; left > 0; round++) {
      left--;
      const [writer, reader] = round % 2 === 0 ? clients : [...clients].reverse();
      const used = 1 + (round % 50);
      const consumers = [takes(consumer, round === 0 ? null : round, { [uuid]: { VCPU: used } })];
      expect(await writer.mutate('setAllocations', { consumers }, '__typename')).toMatchObject(done);
      const answer = await reader.read(CANDIDATES, { provider: uuid, free: 100 - used });
      expect(answer).toEqual({
        allocationCandidates: {
          providerSummaries: [{ resourceProvider: { generation: round + 2 }, resources: [{ used }] }],
        },
      });
    }
    for (const client of clients) client.close();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const writers = await database.pool.query<{ writer: number }[]>(
    'SELECT DISTINCT writer_id AS writer FROM placement_feed_changes',
  );
  expect(writers.length).toBeGreaterThan(1);
}, 120_000);
