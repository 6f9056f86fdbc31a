import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { PACKAGE } from '../../src/store/migrations/migrator.js';
import { loadCatalog, readCatalog } from '../../src/store/sql/catalog.js';
import { startApi, type Api } from '../support/api.js';
import { newConsumers, requestOf } from '../support/claims.js';
import type { TestDatabase } from '../support/database.js';
import { startBackup, startRestore, temporaryFolder } from '../backup/backups.js';
import { ended, rowsOf, startExport, startImport, useDatabases } from './transferSupport.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const { ours, empty, placement } = useDatabases();

const TABLES = [
  'placement_requests',
  'placement_consumer_requests',
  'placement_workloads',
  'placement_workload_members',
];

const AVX = requestOf({ VCPU: 2 }, { requiredTraits: [['HW_CPU_X86_AVX2']] });
const PLAIN = requestOf({ VCPU: 1 });

/** A database with two hosts, a named workload and a consumer with a request of its own. */
async function filled(database: TestDatabase) {
  const api = await startApi(database);
  const hosts = [randomUUID(), randomUUID()];
  for (const [at, uuid] of hosts.entries())
    await api.mutate('applyProviderTree', {
      root: {
        uuid,
        name: `host ${at}`,
        traits: ['HW_CPU_X86_AVX2'],
        inventories: [{ resourceClass: 'VCPU', total: 16 }],
      },
    });
  const consumers = newConsumers(3).map((one) => ({ ...one, projectId: 'blue', userId: 'ann' }));
  const members = [
    { name: 'front', requests: [AVX, PLAIN], consumers: consumers.slice(0, 2) },
    { name: 'back', requests: [PLAIN], consumers: consumers.slice(2) },
  ];
  const topology = [{ level: { tree: true }, members: ['front'], rule: 'DIFFERENT' }];
  const claim = await api.mutate('claim', { members, topology, workload: { name: 'web' } });
  expect(claim).toMatchObject({ __typename: 'ClaimPayload' });
  return { database, api, consumers: consumers.map(({ consumer }) => consumer) };
}

/** What the API shows of the memory, and whether a drain uses it. */
async function seen(api: Api, [first]: readonly string[]): Promise<object> {
  return api.read<object>(
    `query ($first: UUID!) {
       consumer(uuid: $first) { request { input isOutdated } workload { name } }
       workload(projectId: "blue", name: "web") {
         members { name requests consumers { uuid } } topology { rule members holds } }
       planDrain(from: { providers: [{ name: "host 0" }, { name: "host 1" }] }) { moves { requestSource } } }`,
    { first },
  );
}

async function expectCopied(source: Awaited<ReturnType<typeof filled>>, target: TestDatabase): Promise<void> {
  const rows = await rowsOf(source.database, TABLES);
  for (const table of TABLES) expect(rows[table].length).toBeGreaterThan(0);
  expect(await rowsOf(target, TABLES)).toEqual(rows);
  const copy = await startApi(target);
  expect(await seen(copy, source.consumers)).toEqual(await seen(source.api, source.consumers));
  await copy.close();
}

test('a backup has the remembered requests and the workloads, and restore writes them', async () => {
  const source = await filled(await ours());
  expect(await seen(source.api, source.consumers)).toMatchObject({
    consumer: { request: { input: AVX, isOutdated: false }, workload: { name: 'web' } },
    workload: { members: [{ name: 'front', requests: [AVX, PLAIN] }, { name: 'back' }] },
    planDrain: { moves: Array(3).fill({ requestSource: 'REMEMBERED' }) },
  });
  const file = folder.path('remembered');
  expect((await ended(startBackup(source.database, file))).code).toBe(0);
  const target = await empty();
  const { code, lines } = await ended(startRestore(target, file));
  expect([code, lines.at(-1)]).toEqual([0, 'the database is restored, and equal to the backup']);
  await expectCopied(source, target);
  await source.api.close();
});

test('an import of an adopted database has them; an export to OpenStack Placement leaves them behind', async () => {
  const adopted = await placement(['newest'], 'utf8mb4 COLLATE utf8mb4_unicode_ci');
  await adopt(adopted);
  await loadCatalog(adopted.pool, readCatalog(PACKAGE));
  const source = await filled(adopted);
  const target = await ours();
  const imported = await ended(startImport(source.database, target));
  expect([imported.code, imported.lines.at(-1)]).toEqual([0, 'the copy is equal to the source']);
  await expectCopied(source, target);
  const other = await placement(['newest'], 'utf8mb4 COLLATE utf8mb4_unicode_ci');
  expect((await ended(startExport(source.database, other))).code).toBe(0);
  const [{ count }] = await other.pool.query<{ count: number }[]>('SELECT COUNT(*) AS count FROM consumers');
  expect(count).toBe(3);
  await source.api.close();
});
