import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Random } from '../oracle/random.js';
import { aggregate, forest } from '../support/forest.js';
import { cases } from '../support/length.js';
import { loadForest } from '../support/loadForest.js';
import { endOf, type Client } from './client.js';
import { twoServers } from './twoServers.js';

const SECONDS = Number(process.env.PLACEMENT_RACE_SECONDS || cases(10, 2));
const CLIENTS_OF_SERVER = 3;
/** The maximum number of workloads that a client keeps. */
const MOST_HELD = 3;

const running = twoServers();
const SEED = cases(randomInt(2 ** 31), 1);
const random = new Random(SEED);
const RACKS = ['A', 'B', 'C'];

/** Three racks of four hosts with two devices each. */
const fleet = Array.from(
  { length: 12 },
  (_, n) => `host${n} VCPU:8 @${RACKS[n % 3]}\n  one${n} VGPU:1\n  two${n} VGPU:1`,
).join('\n');

interface Consumer {
  readonly consumer: string;
  readonly generation?: number;
  readonly projectId: string;
  readonly userId: string;
}

interface Member {
  readonly name: string;
  readonly requests: readonly object[];
  readonly consumers: readonly Consumer[];
}

interface Workload {
  readonly members: readonly Member[];
  readonly topology: readonly object[];
}

const request = (amounts: Record<string, number>): object => ({
  groups: Object.entries(amounts).map(([resourceClass, amount], at) => ({
    suffix: at === 0 ? '' : `_${at}`,
    resources: { resourceClass, amount },
  })),
});

/** A new workload of two members. Its project states how many consumers it has. */
function newWorkload(): Workload {
  const [workers, fronts] = [random.between(1, 4), random.between(1, 4)];
  const projectId = `${randomUUID()} ${workers + fronts}`;
  const people = (count: number): Consumer[] =>
    Array.from({ length: count }, () => ({ consumer: randomUUID(), projectId, userId: 'ann' }));
  const level = { aggregates: RACKS.map((letter) => ({ uuid: aggregate(letter) })) };
  return {
    members: [
      { name: 'worker', requests: [request({ VCPU: 2, VGPU: 1 })], consumers: people(workers) },
      { name: 'front', requests: [request({ VCPU: 3 }), request({ VCPU: 1 })], consumers: people(fronts) },
    ],
    topology: [
      { level, members: ['worker'], rule: random.pick(['SAME', 'SPREAD', 'PACK']) },
      { level: { tree: true }, members: ['front'], rule: 'DIFFERENT' },
    ],
  };
}

const ends: Record<string, number> = {};
const count = (end: string): unknown => (ends[end] = (ends[end] ?? 0) + 1);

/** Returns the workload with its generations if it was claimed. */
async function claim(client: Client, { members, topology }: Workload): Promise<Workload | null> {
  const outcome = await client.mutate<{ claims: { consumer: { uuid: string; generation: number } }[] }>(
    'claim',
    { members, topology },
    'claims { consumer { uuid generation } }',
  );
  count(endOf(outcome));
  if (outcome.kind !== 'done') return null;
  const generations = new Map(
    outcome.payload.claims.map(({ consumer }) => [consumer.uuid, consumer.generation]),
  );
  const claimed = members.map((member) => ({
    ...member,
    consumers: member.consumers.map((one) => ({ ...one, generation: generations.get(one.consumer)! })),
  }));
  return { members: claimed, topology };
}

async function release(client: Client, { members }: Workload): Promise<void> {
  const consumers = members.flatMap((member) =>
    member.consumers.map((one) => ({ ...one, allocations: { providers: [] } })),
  );
  const outcome = await client.mutate('setAllocations', { consumers }, '__typename');
  expect(outcome).toMatchObject({ kind: 'done' });
}

/** Claims, moves and releases workloads until the time is over. Returns those that it has then. */
async function work(own: Client, other: Client, isOver: () => boolean): Promise<Workload[]> {
  const held: Workload[] = [];
  while (!isOver()) {
    const at = random.between(0, MOST_HELD - 1);
    if (held.length > at && random.chance(50)) {
      const [gone] = held.splice(at, 1);
      await release(own, gone);
    } else if (held.length > at) {
      // the former state remains if there is no placement in addition to it
      held[at] = (await claim(own, held[at])) ?? held[at];
    } else {
      const workload = newWorkload();
      const isTwice = random.chance(20);
      const won = await Promise.all([claim(own, workload), isTwice ? claim(other, workload) : null]);
      const claimed = won.filter((one) => one !== null);
      expect(claimed.length).toBeLessThanOrEqual(1);
      held.push(...claimed);
    }
  }
  return held;
}

/**
 * Returns workloads of which only a part has allocations, and inventories whose usage exceeds the
 * capacity.
 */
async function violations(): Promise<unknown[]> {
  const partial = await running.database.pool.query<{ project: string; consumers: number }[]>(
    `SELECT p.external_id AS project, COUNT(DISTINCT a.consumer_id) AS consumers FROM projects p
     JOIN consumers c ON c.project_id = p.id JOIN allocations a ON a.consumer_id = c.uuid
     GROUP BY p.external_id`,
  );
  const exceeded = await running.database.pool.query<object[]>(
    `SELECT i.id, i.total FROM inventories i JOIN allocations a
       ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id
     GROUP BY i.id, i.total HAVING SUM(a.used) > i.total`,
  );
  const isPartial = ({ project, consumers }: (typeof partial)[number]): boolean =>
    Number(project.split(' ')[1]) !== Number(consumers);
  return [...partial.filter(isPartial), ...exceeded];
}

test(
  `workloads that race through two servers for ${SECONDS} s: whole ones only, nothing over capacity, a clean audit (seed ${SEED})`,
  async () => {
    await loadForest(running.database, forest(fleet));
    const [one, two] = running.clients;
    const end = performance.now() + 1000 * SECONDS;
    const isOver = (): boolean => performance.now() > end;
    const workers = Array.from({ length: CLIENTS_OF_SERVER }, () => [
      work(one, two, isOver),
      work(two, one, isOver),
    ]).flat();
    let checks = 0;
    for (; !isOver(); checks++) {
      expect(await violations()).toEqual([]);
      await sleep(20);
    }
    const held = (await Promise.all(workers)).flat();
    process.stderr.write(`workloads: ${JSON.stringify(ends)}, checked ${checks} times\n`);
    expect(await violations()).toEqual([]);
    const consumers = held.flatMap(({ members }) => members.flatMap((member) => member.consumers));
    const stored = await running.database.pool.query<{ uuid: string; generation: number }[]>(
      'SELECT uuid, generation FROM consumers',
    );
    expect(new Map(stored.map(({ uuid, generation }) => [uuid, generation]))).toEqual(
      new Map(consumers.map(({ consumer, generation }) => [consumer, generation])),
    );
    const { audit } = await one.read<{ audit: { totalCount: number } }>('{ audit(first: 0) { totalCount } }');
    expect(audit.totalCount).toBe(0);
    const known = ['done', 'NO_CANDIDATES', 'CONSUMER_GENERATION_CONFLICT', 'CONCURRENT_UPDATE'];
    expect(Object.keys(ends).filter((outcome) => !known.includes(outcome))).toEqual([]);
    expect(ends.done).toBeGreaterThan(0);
  },
  1000 * SECONDS + 60_000,
);
