import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { lateBound, startApi, type Api } from './api.js';
import { setAllocations, takes } from './claims.js';
import type { Cluster, ClusterNode } from './clusterNode.js';
import { createProviders } from './createProviders.js';
import { MigratingProcess } from './migratingProcess.js';
import { MIGRATIONS } from './migrations.js';

export const DATABASE = 'placement';

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Starts server processes on a cluster of three nodes that all accept writes: one on each node. */
async function startProcesses(nodes: readonly ClusterNode[]) {
  const urls = nodes.map((node) => node.url(DATABASE));
  await ensureDatabase(urls[0]);
  const databases = urls.map((url) => openDatabase(url));
  await migrate(databases[0]);
  const apis = await Promise.all(databases.map((database) => startApi(database)));
  return {
    nodes,
    apis,
    provider: (total: number) => providerOf(apis[0], total),
    used: (uuid: string, node: number) => usedOn(databases[node], uuid),
    claim: (node: number, uuid: string) => claimOn(apis[node], uuid),
    async close() {
      for (const each of [...apis, ...databases]) await each.close();
    },
  };
}

type ClusterProcesses = Awaited<ReturnType<typeof startProcesses>>;

/** Starts a cluster with a server process on each node before the tests of a file, and stops them afterwards. */
export function useCluster<Node extends ClusterNode>(start: () => Promise<Cluster<Node>>) {
  const parts: { cluster?: Cluster<Node>; on?: ClusterProcesses } = {};
  beforeAll(async () => {
    parts.cluster = await start();
    parts.on = await startProcesses(parts.cluster.nodes);
  }, 180_000);
  afterAll(async () => {
    await parts.on?.close();
    await parts.cluster?.stop();
  }, 60_000);
  return lateBound(parts as Required<typeof parts>);
}

export async function providerOf(api: Api, total: number): Promise<string> {
  const name = randomUUID();
  return (await createProviders(api, { name, inventories: { VCPU: total } }))[name];
}

export async function usedOn({ pool }: Database, uuid: string): Promise<number> {
  const [{ sum }] = await pool.query<{ sum: number | null }[]>(
    `SELECT SUM(a.used) AS sum FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid = ?`,
    [uuid],
  );
  return Number(sum ?? 0);
}

export const claimOn = (api: Api, uuid: string) =>
  setAllocations(api, takes(randomUUID(), null, { [uuid]: { VCPU: 1 } }));

/** Sends a write and a read at the same time. Returns the errors of both answers. */
export async function errorsOfWriteAndRead(api: Api, uuid: string) {
  const mutation = `mutation ($input: SetAllocationsInput!) { setAllocations(input: $input) { __typename } }`;
  const consumers = [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } })];
  const [written, read] = await Promise.all([
    api.query(mutation, { input: { consumers } }),
    api.query('{ resourceProviders(first: 1) { totalCount } }'),
  ]);
  return [written.errors, read.errors];
}

/** Waits until all connections of a process with several hosts go to the node on which a server variable has this value. */
export async function untilConnected(database: Database, variable: string, value: string): Promise<void> {
  const pools = [database.pool, database.transactions, database.longWork, database.probe];
  const values = async (): Promise<string[]> => {
    const sql = `SELECT ${variable} AS value`;
    const rows = await Promise.all(pools.map((pool) => pool.query<{ value: unknown }[]>(sql)));
    return [...new Set(rows.map(([row]) => String(row.value)))];
  };
  let found: string[] = [];
  for (const end = Date.now() + 20_000; Date.now() < end && found.join() !== value;)
    found = await values().catch(() => []);
  expect(found).toEqual([value]);
}

/** The results of writers that claim one unit after the other on several servers. */
export class ClaimLoad {
  acknowledged = 0;
  /** Claims with an unknown outcome. An error that excludes any change does not count. */
  unknown = 0;
  private isOver = false;
  private readonly writers: Promise<void[]>;

  constructor(apis: readonly Api[], uuid: string) {
    this.writers = Promise.all(times(6, (n) => this.write(apis[n % apis.length], uuid)));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.writers;
  }

  private async write(api: Api, uuid: string): Promise<void> {
    while (!this.isOver) {
      const answer = await claimOn(api, uuid).catch((error: unknown) => String(error));
      if (typeof answer === 'string') this.unknown += answer.includes('DATABASE_UNAVAILABLE') ? 0 : 1;
      else if (answer.__typename === 'SetAllocationsPayload') this.acknowledged += 1;
    }
  }
}

interface Candidates {
  readonly allocationRequests: {
    readonly allocations: { readonly resourceProvider: { readonly uuid: string } }[];
  }[];
}

/**
 * Tests the guarantees on any cluster whose nodes all accept writes. The last node is killed and
 * started again.
 */
export function testWritesOnAllNodes(on: ClusterProcesses): void {
  test.each([1, 2, 3, 4, 5])(
    'processes migrate on three nodes at once: one does it, round %d',
    async (round) => {
      const { nodes } = on;
      const name = `${DATABASE}_${round}`;
      await ensureDatabase(nodes[0].url(name));
      const started = [0, 1, 2, 0].map((at) => new MigratingProcess(nodes[at].url(name)));
      const ends = await Promise.all(started.map((each) => each.ended()));
      expect(ends).toEqual(ends.map(() => expect.objectContaining({ code: 0 })));
      const applied = ends.map(({ said }) => said.match(/^migrating the database: /gm)?.length ?? 0);
      expect(applied.sort((a, b) => a - b)).toEqual([0, 0, 0, MIGRATIONS]);
      for (const node of nodes) {
        const [{ n }] = await node.query<{ n: bigint }[]>(
          `SELECT COUNT(*) AS n FROM ${name}._prisma_migrations`,
        );
        expect(n).toBe(BigInt(MIGRATIONS));
      }
    },
  );

  test('claims on three nodes at once take no more than there is, and none that was acknowledged is lost', async () => {
    const uuid = await on.provider(40);
    const answers = await Promise.all(times(90, (n) => on.claim(n % 3, uuid)));
    const count = (type: string): number => answers.filter((answer) => answer.__typename === type).length;
    expect(count('SetAllocationsPayload') + count('CapacityExceededError')).toBe(90);
    expect(count('SetAllocationsPayload')).toBe(40);
    for (const node of [0, 1, 2]) expect(await on.used(uuid, node)).toBe(40);
  });

  test('what was written on one node is read on another, 200 times, by a list and by a search', async () => {
    const { apis } = on;
    let stale = 0;
    for (let n = 0; n < 200; n++) if (await isStale(apis[n % 3], apis[(n + 1) % 3], n)) stale += 1;
    expect(stale).toBe(0);
  });

  test('no write is refused because its node is behind, 200 times', async () => {
    const refused: unknown[] = [];
    for (let n = 0; n < 200; n++) {
      const uuid = await on.provider(10);
      const answer = await on.claim(1 + (n % 2), uuid);
      if (answer.__typename !== 'SetAllocationsPayload') refused.push(answer);
    }
    expect(refused).toEqual([]);
  });

  test('a node is killed under load and comes back: nothing acknowledged is lost', async () => {
    const uuid = await on.provider(100_000);
    const load = new ClaimLoad(on.apis, uuid);
    await sleep(1_000);
    await on.nodes[2].kill();
    const before = load.acknowledged;
    await sleep(6_000);
    expect(load.acknowledged).toBeGreaterThan(before);
    await on.nodes[2].start();
    await sleep(1_000);
    await load.end();
    for (const node of [0, 1, 2]) {
      const sum = await on.used(uuid, node);
      expect(sum).toBeGreaterThanOrEqual(load.acknowledged);
      expect(sum).toBeLessThanOrEqual(load.acknowledged + load.unknown);
    }
    expect(await on.claim(2, uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  });
}

/** Returns whether a reader misses a write that a writer has just acknowledged. */
export async function isStale(writer: Api, reader: Api, n: number): Promise<boolean> {
  const name = `read-${n}`;
  const amount = 1_000 + n;
  const uuid = (await createProviders(writer, { name, inventories: { VCPU: amount } }))[name];
  const { data } = await reader.query<{ resourceProvider: unknown; allocationCandidates: Candidates }>(
    `query ($uuid: UUID!, $amount: Int!) {
      resourceProvider(by: { uuid: $uuid }) { name }
      allocationCandidates(request: { groups: { resources: { resourceClass: "VCPU", amount: $amount } } }) {
        allocationRequests { allocations { resourceProvider { uuid } } }
      }
    }`,
    { uuid, amount },
  );
  const [found] = data.allocationCandidates.allocationRequests;
  return data.resourceProvider === null || found?.allocations[0].resourceProvider.uuid !== uuid;
}

/** Returns the answer of a server's `/readyz`. */
export async function readiness(api: Api): Promise<{ status: number; body: unknown }> {
  const response = await fetch(new URL('/readyz', api.url));
  return { status: response.status, body: await response.json() };
}
