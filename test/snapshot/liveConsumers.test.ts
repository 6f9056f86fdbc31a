import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ConsumerFigures } from '../../src/model/listing/consumerFigures.js';
import { deleteConsumer, setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { systemClock } from '../../src/model/operation/turns.js';
import { MemoryExceeded } from '../../src/model/operation/waiting.js';
import { LiveConsumers } from '../../src/store/live/consumers/liveConsumers.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { stock, useProcesses } from './writes.js';

// defined first, because hooks run in the order of their definition
afterEach(() => consumers.close());
const { ours, theirs } = useProcesses();
/** Of our process. */
let consumers: LiveConsumers;
let skipped: number;
const providers = [randomUUID(), randomUUID()];
const VCPU = 0;

beforeEach(async () => {
  skipped = 0;
  consumers = new LiveConsumers(ours, { ...systemClock, now: () => systemClock.now() + skipped });
  for (const [at, uuid] of providers.entries()) {
    await createProvider(ours.ledger, { name: `host-${at}`, uuid });
    await stock(ours, uuid, 1000);
  }
});

async function put(
  process: ProcessDatabase,
  consumer: string,
  amounts: readonly number[],
  { projectId = 'p', generation = null as number | null } = {},
): Promise<void> {
  const allocations = amounts.flatMap((amount, at) =>
    amount === 0 ? [] : [{ resourceProvider: providers[at], resources: [{ resourceClass: 'VCPU', amount }] }],
  );
  await setAllocations(process.claims, {
    consumers: [{ consumer, generation, projectId, userId: 'u', allocations }],
  });
}

/** Every consumer with its project and its use of VCPU, by the table and by the database. */
async function known(): Promise<string[]> {
  const figures: ConsumerFigures = await consumers.current([VCPU]);
  const order = [{ field: 'used', classId: VCPU, isDescending: true } as const];
  const projects = await ours.prisma.project.findMany();
  return projects
    .flatMap(({ externalId }) =>
      figures
        .page({ projectId: externalId }, order, { limit: 1000 })
        .map(({ item, place }) => `${item} of ${externalId}: ${place[0]}`),
    )
    .sort();
}

const byAge = [{ field: 'age', classId: null, isDescending: false } as const];

async function stored(): Promise<string[]> {
  const rows = await ours.pool.query<{ id: number; project: string; used: number }[]>(
    `SELECT c.id, p.external_id AS project, CAST(SUM(a.used) AS SIGNED) AS used FROM consumers c
       JOIN projects p ON p.id = c.project_id JOIN allocations a ON a.consumer_id = c.uuid GROUP BY c.id, p.external_id`,
  );
  return rows.map(({ id, project, used }) => `${id} of ${project}: ${used}`).sort();
}

test('the next answer includes every commit of any server process', async () => {
  const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()];
  const writes: (() => Promise<unknown>)[] = [
    () => put(ours, one, [3, 4]),
    () => put(theirs, other, [5]),
    () => put(theirs, one, [0, 9], { generation: 1 }),
    () => put(theirs, other, [5, 1], { generation: 1, projectId: 'another' }),
    () => deleteConsumer(ours.claims, { consumer: one }),
    () => put(ours, third, [1]),
    () => put(theirs, third, [], { generation: 1 }),
    () => put(theirs, one, [2, 2]),
  ];
  for (const write of writes) {
    await write();
    expect(await known()).toEqual(await stored());
  }
  expect(await known()).toHaveLength(2);
});

test('with continuous writers no answer is older than its request', async () => {
  const uuids = Array.from({ length: 8 }, () => randomUUID());
  let isOver = false;
  const committed = new Map<string, number>();
  const writer = async (process: ProcessDatabase, mine: readonly string[]): Promise<void> => {
    for (let round = 1; !isOver; round++)
      for (const uuid of mine) {
        await put(process, uuid, [round], { generation: round === 1 ? null : round - 1 });
        committed.set(uuid, round);
      }
  };
  const writers = [writer(ours, uuids.slice(0, 4)), writer(theirs, uuids.slice(4))];
  for (let reads = 0; reads < 60; reads++) {
    const least = [...committed.values()].reduce((sum, used) => sum + used, 0);
    const sums = (await consumers.current([VCPU])).usesOf('projectId', VCPU);
    expect([...sums.values()].reduce((sum, used) => sum + used, 0)).toBeGreaterThanOrEqual(least);
  }
  isOver = true;
  await Promise.all(writers);
  expect(await known()).toEqual(await stored());
});

test('a write of another program is included once its providers are recorded as changed', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await put(ours, one, [3, 4]);
  await put(ours, other, [5]);
  await known();
  const place = { where: { uuid: providers[0] } };
  const { id } = await ours.prisma.resourceProvider.findUniqueOrThrow(place);
  // one loses what it had there, a third comes
  await ours.pool.query('DELETE FROM allocations WHERE consumer_id = ? AND resource_provider_id = ?', [
    one,
    id,
  ]);
  await ours.pool.query(
    `INSERT INTO consumers (uuid, project_id, user_id, generation) SELECT ?, project_id, user_id, 1 FROM consumers WHERE uuid = ?`,
    ['33333333-0000-4000-8000-000000000000', other],
  );
  await ours.pool.query(
    `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
     SELECT resource_provider_id, ?, resource_class_id, 7 FROM allocations WHERE consumer_id = ?`,
    ['33333333-0000-4000-8000-000000000000', other],
  );
  await recordForeignChanges(theirs.ledger, [id], []);
  expect(await known()).toEqual(await stored());
  expect(await known()).toHaveLength(3);
});

test('`reread` reads a consumer again', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await put(ours, one, [3]);
  await put(ours, other, [5]);
  const [gone] = (await consumers.current([VCPU])).page({}, byAge, { limit: 1 });
  await ours.pool.query('DELETE FROM allocations WHERE consumer_id = ?', [one]);
  await ours.pool.query('DELETE FROM consumers WHERE uuid = ?', [one]);
  expect(await known()).toHaveLength(2);
  consumers.reread([gone.item]);
  expect(await known()).toEqual(await stored());
});

test('`reread` has effect after a failed load, too', async () => {
  await put(ours, randomUUID(), [3]);
  const closed = openProcess(ours.url);
  await closed.close();
  let isFailing = false;
  const live = new LiveConsumers({
    ...ours,
    get longWork() {
      return isFailing ? closed.longWork : ours.longWork;
    },
  });
  const listed = async () => (await live.current([])).page({}, byAge, { limit: 9 }).map(({ item }) => item);
  const [id] = await listed();
  await ours.pool.query('DELETE FROM allocations');
  await ours.pool.query('DELETE FROM consumers');
  const more = Array.from({ length: 5_000 }, (_, at) => id + 1 + at); // so many that the whole table is read
  live.reread([id, ...more]);
  isFailing = true;
  await expect(listed()).rejects.toThrow();
  isFailing = false;
  expect(await listed()).toEqual([]);
  live.close();
});

test('the table is read again after ten minutes without a request, even if the machine slept', async () => {
  const one = randomUUID();
  await put(ours, one, [3]);
  await known();
  await ours.pool.query('DELETE FROM allocations WHERE consumer_id = ?', [one]);
  await ours.pool.query('DELETE FROM consumers WHERE uuid = ?', [one]);
  expect(await known()).toHaveLength(1);
  skipped = 10 * 60_000;
  expect(await known()).toEqual([]);
});

test('a load reads the allocations of the requested classes only, and later those of others', async () => {
  await put(ours, randomUUID(), [3]);
  const statements: string[] = [];
  const observed = openProcess(ours.url, { onStatement: (text) => statements.push(text) });
  const live = new LiveConsumers(observed);
  const scans = () => statements.splice(0).filter((text) => /^select.*allocations/.test(text));
  await live.current([]);
  expect(scans()).toEqual([]);
  const [use] = (await live.current([VCPU])).usesOf('projectId', VCPU);
  expect(use).toEqual(['p', 3]);
  expect(scans()).toEqual([expect.stringContaining(`WHERE resource_class_id IN (${VCPU})`)]);
  await live.current([VCPU]);
  expect(scans()).toEqual([]);
  live.close();
  await observed.close();
});

test('a load continues while a request waits for it, and then ends', async () => {
  await put(ours, randomUUID(), [3]);
  const isReading = () => ours.longWork.activeConnections() > 0;
  const lock = await theirs.pool.getConnection();
  await lock.query('LOCK TABLES consumers WRITE');
  const [one, other] = [new AbortController(), new AbortController()];
  const reason = new Error('cancelled');
  const first = consumers.current([VCPU], one.signal);
  const second = consumers.current([VCPU], other.signal);
  await until(isReading);
  one.abort(reason);
  await expect(first).rejects.toBe(reason);
  expect(isReading()).toBe(true);
  other.abort(reason);
  await expect(second).rejects.toBe(reason);
  await until(() => !isReading());
  await lock.query('UNLOCK TABLES');
  await lock.release();
  expect(await known()).toEqual(await stored());
});

test('a fleet whose consumers exceed the memory is refused before their rows are read', async () => {
  for (let at = 0; at < 3; at++) await put(ours, randomUUID(), [3]);
  const statements: string[] = [];
  const observed = openProcess(ours.url, { onStatement: (text) => statements.push(text) });
  const live = new LiveConsumers(observed, systemClock, 200);
  await expect(live.current([VCPU])).rejects.toThrow(MemoryExceeded);
  expect(statements.filter((text) => /`uuid`|consumer_id/.test(text))).toEqual([]);
  live.close();
  await observed.close();
});

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!isTrue() && performance.now() < end) await setTimeout(5);
  expect(isTrue()).toBe(true);
}
