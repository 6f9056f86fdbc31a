import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { unsetAllocations } from '../../src/store/ledger/allocation/unsetAllocations.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { freeOf } from '../../src/fleet/snapshot.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { cases } from '../support/length.js';
import { useDatabase } from '../support/useDatabase.js';
import { endOf, generationOf, inventory, times, uniqueNames } from './support.js';
import {
  COMPUTE,
  createClasses,
  created,
  hostWithCards,
  MEMORY,
  wants,
  wrongCounters,
} from './partitionSupport.js';

const database = useDatabase();
let servers: readonly ProcessDatabase[] = [];

beforeAll(async () => {
  await createClasses(database);
  servers = [database, openProcess(database.url)];
});
afterAll(() => servers[1].close());

const CONSUMERS = 4;
const PARTS = ['1g-0', '1g-1', '1g-2', '1g-3', '2g-0', '2g-2', '4g-0'];
const classOf = (part: number): string => `CUSTOM_${PARTS[part % PARTS.length][0]}G`;
const COUNTERS = [...MEMORY, COMPUTE];
const capacityOf = (counter: string): number => (counter === COMPUTE ? 4 : 1);

/** The amounts of the counters of a card. */
type Amounts = Readonly<Record<string, number>>;

/** The model: the partitions of each consumer, its stored counters by card, and what each partition consumes. */
interface Model {
  readonly has: Set<number>[];
  readonly stored: Map<string, number>[];
  readonly consumes: Amounts[];
}

const cardOf = (part: number): number => Math.floor(part / PARTS.length);

function initial(): Model {
  const consumes = times(2 * PARTS.length, (part): Amounts => {
    const [size, position] = [
      Number(PARTS[part % PARTS.length][0]),
      Number(PARTS[part % PARTS.length].at(-1)),
    ];
    const slices = MEMORY.slice(position, position + size).map((name) => [name, 1] as const);
    return { ...Object.fromEntries(slices), [COMPUTE]: size };
  });
  return {
    has: times(CONSUMERS, () => new Set<number>()),
    stored: times(CONSUMERS, () => new Map<string, number>()),
    consumes,
  };
}

/** Returns what partitions consume, by card and counter. */
function sums({ consumes }: Model, parts: Iterable<number>): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of parts)
    for (const [counter, amount] of Object.entries(consumes[part])) {
      const key = `${cardOf(part)} ${counter}`;
      found.set(key, (found.get(key) ?? 0) + amount);
    }
  return found;
}

const total = (maps: readonly ReadonlyMap<string, number>[], key: string): number =>
  maps.reduce((sum, map) => sum + (map.get(key) ?? 0), 0);

/** Writes the partitions of some consumers, if they fit. Returns whether they do. */
function write(model: Model, wanted: ReadonlyMap<number, ReadonlySet<number>>, before = model): boolean {
  const others = times(CONSUMERS, (at) => at).filter((at) => !wanted.has(at));
  const implied = model.has.map((has) => sums(model, has));
  const former = before.has.map((has) => sums(before, has));
  for (const [at, parts] of wanted)
    for (const part of parts)
      for (const [other, has] of [...others.map((each) => [each, model.has[each]] as const), ...wanted])
        if (other !== at && has.has(part) && !(model.has[at].has(part) && model.has[other].has(part)))
          return false;
  const needs = Array.from(wanted.values(), (parts) => sums(model, parts));
  for (const key of new Set(needs.flatMap((need) => [...need.keys()]))) {
    const used = Math.max(
      total(
        others.map((at) => model.stored[at]),
        key,
      ),
      total(
        others.map((at) => implied[at]),
        key,
      ),
    );
    const now = used + total(needs, key);
    const stored = total(model.stored, key);
    const most = Math.max(capacityOf(key.split(' ')[1]), stored, before === model ? total(former, key) : 0);
    if (now > most) return false;
  }
  for (const [at, parts] of wanted) {
    model.has[at] = new Set(parts);
    model.stored[at] = sums(model, parts);
  }
  return true;
}

type Op =
  | {
      readonly kind: 'set';
      readonly sets: readonly (readonly [consumer: number, parts: readonly number[]])[];
    }
  | {
      readonly kind: 'unset';
      readonly consumer: number;
      readonly parts: readonly number[];
      readonly byClass: boolean;
    }
  | { readonly kind: 'external'; readonly consumer: number; readonly part: number }
  | { readonly kind: 'reshape'; readonly part: number; readonly consumes: Amounts };

const part = fc.nat(2 * PARTS.length - 1);
const parts = fc.uniqueArray(part, { maxLength: 3 });
const consumer = fc.nat(CONSUMERS - 1);
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      sets: fc.uniqueArray(fc.tuple(consumer, parts), { selector: ([at]) => at, minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('unset' as const),
      consumer,
      parts: fc.uniqueArray(part, { minLength: 1, maxLength: 2 }),
      byClass: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('external' as const), consumer, part }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reshape' as const),
      part,
      consumes: fc
        .uniqueArray(fc.tuple(fc.constantFrom(...COUNTERS), fc.integer({ min: 1, max: 2 })), {
          selector: ([name]) => name,
          minLength: 1,
          maxLength: 3,
        })
        .map((entries) => Object.fromEntries(entries)),
    }),
  },
);

/** A host with two cards, and the consumers of a case. */
async function start() {
  const host = uniqueNames()('host');
  const uuids = await created(database, hostWithCards(host, 2));
  const names = times(2 * PARTS.length, (at) => `${host}-gpu${cardOf(at)}-${PARTS[at % PARTS.length]}`);
  const consumers = times(CONSUMERS, () => randomUUID());
  return { host, uuids, consumers, partOf: (at: number): string => uuids[names[at]] };
}

type Case = Awaited<ReturnType<typeof start>>;

async function generation(uuid: string): Promise<number | null> {
  const [row] = await database.pool.query<{ generation: number }[]>(
    'SELECT generation FROM consumers WHERE uuid = ?',
    [uuid],
  );
  return row?.generation ?? null;
}

/** Runs an operation on a server and on the model; both must agree whether it is accepted. */
async function run(
  { uuids, host, consumers, partOf }: Case,
  server: ProcessDatabase,
  model: Model,
  each: Op,
): Promise<string> {
  if (each.kind === 'set') {
    const inputs = await Promise.all(
      each.sets.map(async ([at, chosen]) => {
        const takes = Object.fromEntries(chosen.map((one) => [partOf(one), { [classOf(one)]: 1 }]));
        return wants(consumers[at], await generation(consumers[at]), takes);
      }),
    );
    const end = await endOf(setAllocations(server.claims, { consumers: inputs }));
    const fits = write(model, new Map(each.sets.map(([at, chosen]) => [at, new Set(chosen)])));
    expect([end === 'done', each]).toEqual([fits, each]);
    return end;
  }
  if (each.kind === 'unset') {
    const chosen = (at: number): boolean =>
      each.parts.some((one) => (each.byClass ? classOf(one) === classOf(at) : one === at));
    const has = model.has[each.consumer];
    const end = await endOf(
      unsetAllocations(server.ledger, {
        consumer: consumers[each.consumer],
        resourceProviders: each.byClass ? [] : each.parts.map(partOf),
        resourceClasses: each.byClass ? [...new Set(each.parts.map(classOf))] : [],
      }),
    );
    expect(end).toBe(has.size === 0 ? 'NOT_FOUND' : 'done');
    if (has.size > 0) {
      model.has[each.consumer] = new Set([...has].filter((at) => !chosen(at)));
      model.stored[each.consumer] = sums(model, model.has[each.consumer]);
    }
    return end;
  }
  if (each.kind === 'external') {
    // another program adds a partition to a consumer without its counters
    if (model.has[each.consumer].size === 0 || model.has.some((has) => has.has(each.part))) return 'skipped';
    const uuid = partOf(each.part);
    await database.pool.query(
      `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
       SELECT p.id, ?, k.id, 1 FROM resource_providers p JOIN resource_classes k WHERE p.uuid = ? AND k.name = ?`,
      [consumers[each.consumer], uuid, classOf(each.part)],
    );
    await database.pool.query('UPDATE resource_providers SET generation = generation + 1 WHERE uuid = ?', [
      uuid,
    ]);
    model.has[each.consumer].add(each.part);
    const [{ id }] = await database.pool.query<{ id: number }[]>(
      'SELECT id FROM resource_providers WHERE uuid = ?',
      [uuid],
    );
    for (const one of servers) await one.snapshots.recheck(new Set([id]));
    return 'external';
  }
  const counters = Object.entries(each.consumes).map(([resourceClass, amount]) => {
    return { resourceProvider: { name: `${host}-gpu${cardOf(each.part)}` }, resourceClass, amount };
  });
  const inventories = [inventory(classOf(each.part), 1, { consumes: counters })];
  const resourceProvider = partOf(each.part);
  const stated = {
    resourceProvider,
    generation: await generationOf(database, resourceProvider),
    inventories,
  };
  const end = await endOf(reshape(server.ledger, { inventories: [stated], allocations: [] }));
  const after = { ...model, consumes: model.consumes.with(each.part, each.consumes) };
  const isSame =
    JSON.stringify(Object.entries(each.consumes).sort()) ===
    JSON.stringify(Object.entries(model.consumes[each.part]).sort());
  const users = model.has.flatMap((has, at) => (has.has(each.part) && !isSame ? [at] : []));
  const fits = write(after, new Map(users.map((at) => [at, model.has[at]])), model);
  expect([end === 'done', each]).toEqual([fits, each]);
  if (fits) model.consumes[each.part] = each.consumes;
  expect(uuids).toBeDefined();
  return end;
}

/** Compares the stored rows and the free amounts of both servers with the model. */
async function compare({ host, consumers, partOf, uuids }: Case, model: Model): Promise<void> {
  const rows = await database.pool.query<{ text: string }[]>(
    `SELECT CONCAT(a.consumer_id, ' ', p.uuid, ' ', k.name, ' ', a.used) AS text FROM allocations a
       JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_classes k ON k.id = a.resource_class_id
      WHERE a.consumer_id IN (?)`,
    [consumers],
  );
  const expected = model.has.flatMap((has, at) => [
    ...Array.from(has, (one) => `${consumers[at]} ${partOf(one)} ${classOf(one)} 1`),
    ...Array.from(model.stored[at], ([key, amount]) => {
      const [card, counter] = key.split(' ');
      return `${consumers[at]} ${uuids[`${host}-gpu${card}`]} ${counter} ${amount}`;
    }),
  ]);
  expect(rows.map(({ text }) => text).sort()).toEqual(expected.sort());
  const implied = model.has.map((has) => sums(model, has));
  const left = (key: string): number =>
    capacityOf(key.split(' ')[1]) - Math.max(total(model.stored, key), total(implied, key));
  const free = times(2 * PARTS.length, (at) => {
    const own = model.has.some((has) => has.has(at)) ? 0 : 1;
    const least = Object.entries(model.consumes[at]).map(([counter, amount]) =>
      Math.floor(left(`${cardOf(at)} ${counter}`) / amount),
    );
    return Math.max(0, Math.min(own, ...least));
  });
  for (const server of servers) {
    const snapshot = await server.snapshots.current();
    expect(
      times(2 * PARTS.length, (at) =>
        freeOf(snapshot.locate(partOf(at))!, snapshot.names.classes.idOf(classOf(at))!),
      ),
    ).toEqual(free);
  }
}

test('random sequences on two servers agree with a model', async () => {
  const ends: Record<string, number> = {};
  const counted = [
    'set done',
    'set CAPACITY_EXCEEDED',
    'unset done',
    'reshape done',
    'reshape RESHAPE_REFUSED',
    'external external',
  ];
  await assertEnough(
    fc.asyncProperty(fc.array(fc.tuple(op, fc.nat(1)), { minLength: 4, maxLength: 14 }), async (sequence) => {
      const running = await start();
      const model = initial();
      for (const [each, server] of sequence) {
        const end = `${each.kind} ${await run(running, servers[server], model, each)}`;
        ends[end] = (ends[end] ?? 0) + 1;
        await compare(running, model);
      }
    }),
    { numRuns: cases(100, 12) },
    () => counted.every((end) => ends[end] !== undefined),
  );
}, 300_000);

test('concurrent writes of two servers use no slice twice', async () => {
  const running = await start();
  const { uuids, host, partOf } = running;
  const before = await wrongCounters(database);
  const own = times(8, () => randomUUID());
  for (let round = 0; round < 15; round++) {
    await Promise.all(
      own.map(async (uuid, at) => {
        const chosen = Math.floor(Math.random() * 2 * PARTS.length);
        const takes = Math.random() < 0.3 ? {} : { [partOf(chosen)]: { [classOf(chosen)]: 1 } };
        const input = wants(uuid, await generation(uuid), takes);
        return endOf(setAllocations(servers[at % 2].claims, { consumers: [input] }));
      }),
    );
    const used = await database.pool.query<{ name: string; used: number }[]>(
      `SELECT k.name, CAST(SUM(a.used) AS SIGNED) AS used FROM allocations a
         JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_classes k ON k.id = a.resource_class_id
        WHERE p.uuid IN (?) GROUP BY p.id, k.name`,
      [[uuids[`${host}-gpu0`], uuids[`${host}-gpu1`]]],
    );
    expect(used.filter(({ name, used: amount }) => amount > capacityOf(name))).toEqual([]);
    expect(await wrongCounters(database)).toEqual(before);
  }
}, 60_000);
