import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { ensureDatabase } from '../../src/database/ensure.js';
import { startApi } from '../support/api.js';
import { takes } from '../support/claims.js';
import {
  claimOn,
  ClusterProcesses,
  DATABASE,
  readiness,
  testWritesOnAllNodes,
  times,
} from '../support/clusterProcesses.js';
import { GaleraCluster } from './cluster.js';

let cluster: GaleraCluster;
let on: ClusterProcesses;

beforeAll(async () => {
  cluster = await GaleraCluster.start();
  on = await ClusterProcesses.start(cluster.nodes);
}, 180_000);

afterAll(async () => {
  await on.close();
  await cluster.stop();
}, 60_000);

testWritesOnAllNodes(() => on);

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
  const uuid = await on.provider(1_000);
  await untilOn('node1');
  await cluster.nodes[0].kill();
  const answers = await Promise.all(times(6, () => claimOn(api, uuid)));
  expect(answers.map((answer) => answer.__typename)).toEqual(times(6, () => 'SetAllocationsPayload'));
  await untilOn('node2');
  await cluster.nodes[0].start();
  await untilOn('node1');
  expect(await claimOn(api, uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  expect(await on.used(uuid, 2)).toBe(7);
  await api.close();
  await database.close();
});

test('a node without a majority is not ready, and says so to writers and readers in a way that can be tried again', async () => {
  const uuid = await on.provider(10);
  const [api] = on.apis;
  expect(await readiness(api)).toMatchObject({ status: 200 });
  await cluster.nodes[1].kill();
  await cluster.nodes[2].kill();
  await cluster.nodes[0].until('wsrep_cluster_status', 'non-Primary');
  expect(await readiness(api)).toMatchObject({
    status: 503,
    body: { reason: 'the node of the cluster has no majority (non-Primary)' },
  });
  expect((await fetch(new URL('/livez', api.url))).status).toBe(200);

  const began = Date.now();
  const mutation = `mutation ($input: SetAllocationsInput!) { setAllocations(input: $input) { __typename } }`;
  const consumers = [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } })];
  const [written, read] = await Promise.all([
    api.query(mutation, { input: { consumers } }),
    api.query('{ resourceProviders(first: 1) { totalCount } }'),
  ]);
  expect(written.errors).toMatchObject([{ extensions: { code: 'DATABASE_UNAVAILABLE', retryAfter: 1 } }]);
  expect(read.errors).toMatchObject([{ extensions: { code: 'DATABASE_UNAVAILABLE', retryAfter: 1 } }]);
  expect(Date.now() - began).toBeLessThan(15_000);

  await cluster.nodes[0].bootstrap();
  await cluster.nodes[0].until('wsrep_ready', 'ON');
  expect(await on.claim(0, uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  for (const node of cluster.nodes.slice(1)) await node.start();
  expect(await on.used(uuid, 2)).toBe(1);
});
