import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProcess } from '../../src/server/process.js';
import { openDatabase } from '../../src/store/database/database.js';
import { loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { serve, type Served } from '../http/server.js';
import { takes } from '../support/claims.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { pictureOf } from '../support/snapshotPicture.js';
import { Client, endOf, type Outcome } from './client.js';

let database: TestDatabase;
let servers: Served[] = [];
let clients: Client[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const processes = [1, 2].map(() => createProcess(openDatabase(database.url)));
  servers = await Promise.all(processes.map((process) => serve(process)));
  clients = servers.map(({ url }) => new Client(url));
});

afterAll(async () => {
  for (const client of clients) client.close();
  for (const { server, process } of servers) {
    await server.close();
    await process.database.close();
  }
  await database.close();
});

const ROUNDS = 60;
const TOTAL = 4;

async function create(name: string, more: object = {}): Promise<string> {
  const uuid = randomUUID();
  const made = await clients[0].mutate('createResourceProvider', { name, uuid, ...more }, '__typename');
  expect(made).toMatchObject({ kind: 'done' });
  return uuid;
}

/** Returns the allocations over the capacity, or without an inventory or the row of their consumer. */
function faults(): Promise<unknown[]> {
  return database.pool.query(
    `SELECT a.resource_provider_id, SUM(a.used) AS used, MAX(i.total) AS total
     FROM allocations a LEFT JOIN consumers c ON c.uuid = a.consumer_id LEFT JOIN inventories i
       ON i.resource_provider_id = a.resource_provider_id AND i.resource_class_id = a.resource_class_id
     GROUP BY a.resource_provider_id, a.resource_class_id
     HAVING MAX(i.total) IS NULL OR SUM(a.used) > MAX(i.total) OR SUM(c.id IS NULL) > 0`,
  );
}

test('a release by REST races claims, the removal of the inventory and a move by GraphQL: nothing is over its capacity, and the snapshots of both servers equal the tables', async () => {
  const roots = [await create('one root'), await create('other root')];
  const ends: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const [one, other] = round % 2 === 0 ? clients : clients.toReversed();
    const inventories = { resourceClass: 'VCPU', total: TOTAL };
    const provider = await create(`host ${round}`, { inventories, parent: { uuid: roots[0] } });
    const uuid = randomUUID();
    const held = takes(uuid, null, { [provider]: { VCPU: TOTAL } });
    expect(await one.mutate('setAllocations', { consumers: held }, '__typename')).toMatchObject({
      kind: 'done',
    });
    const on = { resourceProvider: { uuid: provider } };
    const update = (client: Client, edit: object) =>
      client.mutate('updateResourceProvider', { ...on, ...edit }, '__typename');
    const claim = (client: Client) => {
      const consumers = takes(randomUUID(), null, { [provider]: { VCPU: TOTAL } });
      return client.mutate('setAllocations', { consumers }, '__typename');
    };
    const writes: [string, () => Promise<Outcome>][] = [
      ['release', () => one.rest({ method: 'DELETE', path: `/allocations/${uuid}` })],
      ['claim', () => claim(other)],
      ['claim', () => claim(one)],
      ['removal', () => update(other, { inventories: { remove: ['VCPU'] } })],
      ['move', () => update(one, { parent: { uuid: roots[1] } })],
    ];
    // each write is the first of some rounds
    const inTurn = writes.map((_, at) => writes[(at + round) % writes.length]);
    const outcomes = await Promise.all(
      inTurn.map(async ([kind, write]) => `${kind} ${endOf(await write())}`),
    );
    for (const end of outcomes) ends[end] = (ends[end] ?? 0) + 1;
    expect(outcomes).toEqual(expect.arrayContaining(['release done', 'move done']));
    expect(await faults()).toEqual([]);
  }
  const { snapshot: loaded } = await loadSnapshot(database);
  for (const { process } of servers)
    expect(pictureOf(await process.snapshots.current())).toEqual(pictureOf(loaded));
  expect(Object.keys(ends)).toEqual(expect.arrayContaining(['claim CAPACITY_EXCEEDED']));
  const won = (ends['claim done'] ?? 0) + (ends['removal done'] ?? 0);
  expect(won).toBeGreaterThan(0);
  expect(won).toBeLessThanOrEqual(ROUNDS);
}, 60_000);
