import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { startApi } from '../support/api.js';
import { takes } from '../support/claims.js';
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

test('a quota holds on all nodes at once, and a lower limit counts at once', async () => {
  const uuid = await on.provider(1_000);
  const projectId = 'limited on a cluster';
  const setLimit = (node: number, limit: number) =>
    on.apis[node].mutate(
      'setQuotas',
      { projects: { projectId, limits: { resourceClass: 'VCPU', limit } } },
      '__typename',
    );
  const claim = async (node: number): Promise<string> => {
    const consumers = [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } }, { projectId })];
    const answer = await on.apis[node].mutate<{ __typename: string }>(
      'setAllocations',
      { consumers },
      '__typename',
    );
    return answer.__typename;
  };
  expect(await setLimit(0, 10)).toEqual({ __typename: 'SetQuotasPayload' });
  const ends = await Promise.all(times(30, (at) => claim(at % 3)));
  expect(ends.filter((end) => end === 'SetAllocationsPayload')).toHaveLength(10);
  expect(ends.filter((end) => end === 'QuotaExceededError')).toHaveLength(20);
  expect(await on.used(uuid, 2)).toBe(10);
  expect(await setLimit(1, 12)).toEqual({ __typename: 'SetQuotasPayload' });
  const more = await Promise.all(times(6, (at) => claim(at % 3)));
  expect(more.filter((end) => end === 'SetAllocationsPayload')).toHaveLength(2);
  expect(await setLimit(2, 5)).toEqual({ __typename: 'SetQuotasPayload' });
  expect(await Promise.all(times(3, claim))).toEqual(times(3, () => 'QuotaExceededError'));
  const rows = await cluster.nodes[1].query<{ used: number }[]>(
    `SELECT u.used FROM ${DATABASE}.placement_quota_usages u JOIN ${DATABASE}.projects p ON p.id = u.owner_id
      WHERE u.owner_kind = 'PROJECT' AND p.external_id = '${projectId}'`,
  );
  expect(rows.map(({ used }) => Number(used))).toEqual([12]);
});

test('consumers end at their time once, whichever node has claimed and confirmed them', async () => {
  const uuid = await on.provider(1_000);
  const consumers = times(30, () => randomUUID());
  const expiresAt = new Date(Date.now() + 4_000).toISOString();
  const claims = consumers.map((consumer, at) =>
    on.apis[at % 3].mutate<{ __typename: string }>(
      'setAllocations',
      { consumers: [{ ...takes(consumer, null, { [uuid]: { VCPU: 1 } }), expiresAt }] },
      '__typename',
    ),
  );
  expect((await Promise.all(claims)).map((end) => end.__typename)).toEqual(
    times(30, () => 'SetAllocationsPayload'),
  );
  // confirmations race with the expiries: each of them has one outcome, which both sides know
  await sleep(3_900);
  const confirmed = await Promise.all(
    consumers.slice(0, 12).map(async (consumer, at) => {
      await sleep(30 * at);
      const input = { consumers: [{ consumer, generation: 1 }] };
      const api = on.apis[(at + 1) % 3];
      return (await api.mutate<{ __typename: string }>('confirmConsumers', input, '__typename')).__typename;
    }),
  );
  const stay = consumers.slice(0, 12).filter((_, at) => confirmed[at] === 'ConfirmConsumersPayload');
  expect(new Set(confirmed)).toEqual(
    new Set(confirmed.filter((end) => ['ConfirmConsumersPayload', 'NotFoundError'].includes(end))),
  );
  const left = async (node: number): Promise<string[]> => {
    const rows = await cluster.nodes[node].query<{ uuid: string }[]>(
      `SELECT uuid FROM ${DATABASE}.consumers WHERE uuid IN (${consumers.map((each) => `'${each}'`).join()})`,
    );
    return rows.map((row) => row.uuid).sort();
  };
  for (let tries = 0; tries < 100 && (await left(2)).length > stay.length; tries++) await sleep(100);
  for (const node of [0, 1, 2]) expect(await left(node)).toEqual([...stay].sort());
  expect(await on.used(uuid, 1)).toBe(stay.length);
  expect(await cluster.nodes[0].query(`SELECT 1 FROM ${DATABASE}.placement_holds`)).toEqual([]);
});

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
