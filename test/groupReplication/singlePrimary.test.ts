import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { startApi, type Api } from '../support/api.js';
import type { Cluster } from '../support/clusterNode.js';
import {
  ClaimLoad,
  claimOn,
  DATABASE,
  errorsOfWriteAndRead,
  isStale,
  providerOf,
  readiness,
  untilConnected,
  usedOn,
} from '../support/clusterProcesses.js';
import { startGroup, type GroupNode } from './group.js';

jest.setTimeout(120_000);

let group: Cluster<GroupNode>;
/** Connects to the node that accepts writes. */
let database: Database;
let api: Api;
/** One server on each node. */
let onNodes: Api[];

beforeAll(async () => {
  group = await startGroup(false);
  const url = `mysql://root@${group.nodes.map(({ host }) => host).join(',')}/${DATABASE}`;
  await ensureDatabase(url);
  database = openDatabase(url);
  await migrate(database);
  api = await startApi({ url });
  onNodes = await Promise.all(group.nodes.map((node) => startApi({ url: node.url(DATABASE) })));
}, 180_000);

afterAll(async () => {
  for (const each of [api, ...onNodes]) await each.close();
  await database.close();
  await group.stop();
}, 60_000);

async function primary(): Promise<GroupNode> {
  const roles = await Promise.all(group.nodes.map((node) => node.isPrimary().catch(() => false)));
  return group.nodes[roles.indexOf(true)];
}

const untilOn = (node: GroupNode) =>
  untilConnected(database, '@@server_id', String(group.nodes.indexOf(node) + 1));

test('a list and a search on other nodes show a write on the primary, 100 times', async () => {
  let stale = 0;
  for (let n = 0; n < 100; n++) if (await isStale(api, onNodes[1 + (n % 2)], n)) stale += 1;
  expect(stale).toBe(0);
});

test('a secondary is not ready, because it is read-only', async () => {
  expect(await readiness(onNodes[0])).toMatchObject({ status: 200 });
  expect(await readiness(onNodes[1])).toMatchObject({
    status: 503,
    body: { reason: 'the database server is read-only (read_only, super_read_only)' },
  });
});

test('a user without further privileges can work on a group', async () => {
  const [node] = group.nodes;
  await node.query("CREATE USER plain@'%'");
  await node.query(`GRANT ALL ON ${DATABASE}.* TO plain@'%'`);
  const own = await startApi({ url: node.url(DATABASE).replace('root@', 'plain@') });
  expect(await readiness(own)).toMatchObject({ status: 200 });
  expect(await claimOn(own, await providerOf(own, 1))).toMatchObject({ __typename: 'SetAllocationsPayload' });
  await own.close();
});

test('the primary is killed under load: the next one is used, and nothing acknowledged is lost', async () => {
  const first = await primary();
  await untilOn(first);
  const uuid = await providerOf(api, 100_000);
  const load = new ClaimLoad([api], uuid);
  await sleep(1_000);
  await first.kill();
  const before = load.acknowledged;
  const end = Date.now() + 30_000;
  while (load.acknowledged < before + 20 && Date.now() < end) await sleep(100);
  await load.end();
  expect(load.acknowledged).toBeGreaterThanOrEqual(before + 20);
  const next = await primary();
  await untilOn(next);
  const check = async (): Promise<void> => {
    const sum = await usedOn(database, uuid);
    expect(sum).toBeGreaterThanOrEqual(load.acknowledged);
    expect(sum).toBeLessThanOrEqual(load.acknowledged + load.unknown);
  };
  await check();
  // it returns as a secondary, first in the URL
  await first.start();
  await sleep(5_000);
  await untilOn(next);
  await check();
});

test('a node that is not part of its group is not ready', async () => {
  const last = await primary();
  const at = group.nodes.findIndex((node) => node !== last);
  await group.nodes[at].query('STOP GROUP_REPLICATION');
  expect(await readiness(onNodes[at])).toMatchObject({
    status: 503,
    body: { reason: 'the node of the cluster is not ready (OFFLINE)' },
  });
  await group.nodes[at].join();
  await group.nodes[at].until('ONLINE');
});

test('a node without a majority is not ready, and answers each request within the time limit of an operation', async () => {
  const last = await primary();
  const own = onNodes[group.nodes.indexOf(last)];
  const uuid = await providerOf(own, 10);
  expect(await readiness(own)).toMatchObject({ status: 200 });
  const others = group.nodes.filter((node) => node !== last);
  for (const node of others) await node.kill();
  await last.eventually('no majority', async () => (await readiness(own)).status === 503);
  expect(await readiness(own)).toMatchObject({
    body: { reason: 'the node of the cluster has no majority (it reaches 1 of 3 members)' },
  });

  const began = Date.now();
  const timeout = [{ extensions: { code: 'TIMEOUT' } }];
  expect(await errorsOfWriteAndRead(own, uuid)).toMatchObject([timeout, timeout]);
  expect(Date.now() - began).toBeLessThan(40_000);

  await last.goOnAlone();
  await last.eventually('a majority', async () => (await readiness(own)).status === 200);
  expect(await claimOn(own, uuid)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  for (const node of others) await node.start();
  for (const node of group.nodes) {
    const its = openDatabase(node.url(DATABASE));
    expect(await usedOn(its, uuid)).toBe(1);
    await its.close();
  }
}, 300_000);
