import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { startApi } from '../support/api.js';
import {
  claimOn,
  DATABASE,
  errorsOfWriteAndRead,
  readiness,
  testWritesOnAllNodes,
  times,
  untilConnected,
  useCluster,
} from '../support/clusterProcesses.js';
import { startGalera } from './cluster.js';

const { cluster, on } = useCluster(startGalera);

testWritesOnAllNodes(on);

test('a process with several hosts uses the first that is well, and goes back to it', async () => {
  const hosts = cluster.nodes.map(({ host }) => host).join(',');
  const url = `mysql://root@${hosts}/${DATABASE}`;
  await ensureDatabase(url);
  const database = openDatabase(url);
  const api = await startApi({ url });
  const untilOn = (node: string) => untilConnected(database, '@@wsrep_node_name', node);
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

test('a node without a majority is not ready, and rejects writes and reads with a retryable error', async () => {
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
  const unavailable = [{ extensions: { code: 'DATABASE_UNAVAILABLE', retryAfter: 1 } }];
  expect(await errorsOfWriteAndRead(api, uuid)).toMatchObject([unavailable, unavailable]);
  expect(Date.now() - began).toBeLessThan(15_000);

  await cluster.nodes[0].bootstrap();
  await cluster.nodes[0].until('wsrep_ready', 'ON');
  expect(await on.claim(0, uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  for (const node of cluster.nodes.slice(1)) await node.start();
  expect(await on.used(uuid, 2)).toBe(1);
});
