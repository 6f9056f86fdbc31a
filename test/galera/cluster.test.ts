import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import { ensureDatabase } from '../../src/database/ensure.js';
import { migrate } from '../../src/database/migrator.js';
import { startApi, type Api } from '../support/api.js';
import { setAllocations, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { MigratingProcess } from '../support/migratingProcess.js';
import { GaleraCluster } from './cluster.js';

const DATABASE = 'placement';

let cluster: GaleraCluster;
let databases: Database[] = [];
let apis: Api[] = [];

beforeAll(async () => {
  cluster = await GaleraCluster.start();
  const urls = cluster.nodes.map((node) => node.url(DATABASE));
  await ensureDatabase(urls[0]);
  databases = urls.map((url) => openDatabase(url));
  await migrate(databases[0]);
  apis = await Promise.all(databases.map((database) => startApi(database)));
}, 180_000);

afterAll(async () => {
  for (const api of apis) await api.close();
  for (const database of databases) await database.close();
  await cluster.stop();
}, 60_000);

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

async function provider(total: number): Promise<string> {
  const name = randomUUID();
  return (await createProviders(apis[0], { name, inventories: { VCPU: total } }))[name];
}

async function used(uuid: string, database = databases[0]): Promise<number> {
  const [{ sum }] = await database.pool.query<{ sum: number | null }[]>(
    `SELECT SUM(a.used) AS sum FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid = ?`,
    [uuid],
  );
  return Number(sum ?? 0);
}

const claim = (api: Api, uuid: string, amount = 1) =>
  setAllocations(api, takes(randomUUID(), null, { [uuid]: { VCPU: amount } }));

test.each([1, 2, 3, 4, 5])(
  'processes migrate on three nodes at once: one does it, round %d',
  async (round) => {
    const name = `${DATABASE}_${round}`;
    await ensureDatabase(cluster.nodes[0].url(name));
    const processes = [0, 1, 2, 0].map((at) => new MigratingProcess(cluster.nodes[at].url(name)));
    const ends = await Promise.all(processes.map((each) => each.ended()));
    expect(ends).toEqual(ends.map(() => expect.objectContaining({ code: 0 })));
    const applied = ends.map(({ said }) => said.match(/^migrating the database: /gm)?.length ?? 0);
    expect(applied.sort()).toEqual([0, 0, 0, 3]);
    for (const node of cluster.nodes) {
      const [{ n }] = await node.query<{ n: bigint }[]>(
        `SELECT COUNT(*) AS n FROM ${name}._prisma_migrations`,
      );
      expect(n).toBe(3n);
    }
  },
);

test('claims on three nodes at once take no more than there is, and none that was acknowledged is lost', async () => {
  const uuid = await provider(40);
  const answers = await Promise.all(times(90, (n) => claim(apis[n % 3], uuid)));
  const count = (type: string): number => answers.filter((answer) => answer.__typename === type).length;
  expect(count('SetAllocationsPayload') + count('CapacityExceededError')).toBe(90);
  expect(count('SetAllocationsPayload')).toBe(40);
  for (const database of databases) expect(await used(uuid, database)).toBe(40);
});

test('what was written on one node is read on another, 200 times, by a list and by a search', async () => {
  let stale = 0;
  for (let n = 0; n < 200; n++) {
    const name = `read-${n}`;
    const amount = 1_000 + n;
    const uuid = (await createProviders(apis[n % 3], { name, inventories: { VCPU: amount } }))[name];
    const { data } = await apis[(n + 1) % 3].query<{
      resourceProvider: unknown;
      allocationCandidates: Candidates;
    }>(
      `query ($uuid: UUID!, $amount: SafeInt!) {
        resourceProvider(by: { uuid: $uuid }) { name }
        allocationCandidates(request: { groups: { resources: { resourceClass: "VCPU", amount: $amount } } }) {
          allocationRequests { allocations { resourceProvider { uuid } } }
        }
      }`,
      { uuid, amount },
    );
    const [found] = data.allocationCandidates.allocationRequests;
    if (data.resourceProvider === null || found?.allocations[0].resourceProvider.uuid !== uuid) stale += 1;
  }
  expect(stale).toBe(0);
});

interface Candidates {
  readonly allocationRequests: {
    readonly allocations: { readonly resourceProvider: { readonly uuid: string } }[];
  }[];
}

test('no write is refused because its node is behind, 200 times', async () => {
  const refused: unknown[] = [];
  for (let n = 0; n < 200; n++) {
    const uuid = await provider(10);
    const answer = await claim(apis[1 + (n % 2)], uuid);
    if (answer.__typename !== 'SetAllocationsPayload') refused.push(answer);
  }
  expect(refused).toEqual([]);
});

test('a node is killed under load and comes back: nothing acknowledged is lost', async () => {
  const uuid = await provider(100_000);
  let acknowledged = 0;
  let unknown = 0;
  let isOver = false;
  const load = Promise.all(
    times(6, async (n) => {
      while (!isOver) {
        const answer = await claim(apis[n % 3], uuid).catch((error: unknown) => String(error));
        if (typeof answer === 'string') unknown += 1;
        else if (answer.__typename === 'SetAllocationsPayload') acknowledged += 1;
      }
    }),
  );
  await sleep(1_000);
  await cluster.nodes[2].kill();
  const before = acknowledged;
  await sleep(6_000);
  expect(acknowledged).toBeGreaterThan(before);
  await cluster.nodes[2].start();
  await sleep(1_000);
  isOver = true;
  await load;
  for (const database of databases) {
    const sum = await used(uuid, database);
    expect(sum).toBeGreaterThanOrEqual(acknowledged);
    expect(sum).toBeLessThanOrEqual(acknowledged + unknown);
  }
  expect(await claim(apis[2], uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
});

test('a process with several hosts uses the first that is well, and goes back to it', async () => {
  const hosts = cluster.nodes.map(({ host }) => host).join(',');
  const url = `mysql://root@${hosts}/${DATABASE}`;
  await ensureDatabase(url);
  const database = openDatabase(url);
  const api = await startApi({ url });
  const nodes = async (): Promise<string[]> => {
    const pools = [database.pool, database.transactions, database.longWork, database.probe];
    const names = await Promise.all(
      pools.map((pool) => pool.query<{ name: string }[]>('SELECT @@wsrep_node_name AS name')),
    );
    return [...new Set(names.map(([{ name }]) => name))];
  };
  const untilOn = async (node: string): Promise<void> => {
    const end = Date.now() + 20_000;
    let found: string[] = [];
    while (Date.now() < end && found[0] !== node) found = await nodes().catch(() => []);
    expect(found).toEqual([node]);
  };
  const uuid = await provider(1_000);
  await untilOn('node1');
  await cluster.nodes[0].kill();
  const answers = await Promise.all(times(6, () => claim(api, uuid)));
  expect(answers.map((answer) => answer.__typename)).toEqual(times(6, () => 'SetAllocationsPayload'));
  await untilOn('node2');
  await cluster.nodes[0].start();
  await untilOn('node1');
  expect(await claim(api, uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  expect(await used(uuid, databases[2])).toBe(7);
  await api.close();
  await database.close();
});

test('a node without a majority is not ready, and says so to writers and readers in a way that can be tried again', async () => {
  const uuid = await provider(10);
  const ready = async (): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(new URL('/readyz', apis[0].url));
    return { status: response.status, body: await response.json() };
  };
  expect(await ready()).toMatchObject({ status: 200 });
  await cluster.nodes[1].kill();
  await cluster.nodes[2].kill();
  await cluster.nodes[0].until('wsrep_cluster_status', 'non-Primary');
  expect(await ready()).toMatchObject({
    status: 503,
    body: { reason: 'the node of the cluster has no majority (non-Primary)' },
  });
  expect((await fetch(new URL('/livez', apis[0].url))).status).toBe(200);

  const began = Date.now();
  const mutation = `mutation ($input: SetAllocationsInput!) { setAllocations(input: $input) { __typename } }`;
  const consumers = [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } })];
  const [written, read] = await Promise.all([
    apis[0].query(mutation, { input: { consumers } }),
    apis[0].query('{ resourceProviders(first: 1) { totalCount } }'),
  ]);
  expect(written.errors).toMatchObject([{ extensions: { code: 'DATABASE_UNAVAILABLE', retryAfter: 1 } }]);
  expect(read.errors).toMatchObject([{ extensions: { code: 'DATABASE_UNAVAILABLE', retryAfter: 1 } }]);
  expect(Date.now() - began).toBeLessThan(15_000);

  await cluster.nodes[0].query("SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'");
  await cluster.nodes[0].until('wsrep_ready', 'ON');
  expect(await claim(apis[0], uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  for (const node of cluster.nodes.slice(1)) await node.start();
  expect(await used(uuid, databases[2])).toBe(1);
});
