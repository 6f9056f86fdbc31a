import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, jest, test } from '@jest/globals';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { addedUsages, storedUsages } from '../ledger/quotaSupport.js';
import { startApi, type Api } from '../support/api.js';
import { takes } from '../support/claims.js';
import type { TestDatabase } from '../support/database.js';
import { ended, startExport, startImport, useDatabases } from '../transfer/transferSupport.js';
import { startBackup, startRestore, temporaryFolder } from './backups.js';

jest.setTimeout(120_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());

const { empty, ours, placement } = useDatabases();

const [host, held] = [randomUUID(), randomUUID()];
/** A time with milliseconds. */
const EXPIRES_AT = new Date(86_400_000 * Math.floor(Date.now() / 86_400_000 + 300) + 123).toISOString();

async function withServer(database: TestDatabase, work: (api: Api) => Promise<void>): Promise<void> {
  const api = await startApi(database);
  try {
    await work(api);
  } finally {
    await api.close();
  }
}

async function claim(
  api: Api,
  projectId: string,
  amount: number,
  { consumer = randomUUID(), ...more }: { consumer?: string; expiresAt?: string; type?: string } = {},
): Promise<string> {
  const consumers = [takes(consumer, null, { [host]: { VCPU: amount } }, { projectId, ...more })];
  const { __typename } = await api.mutate<{ __typename: string }>(
    'setAllocations',
    { consumers },
    '__typename',
  );
  return __typename;
}

/** Writes a host, limits of a project, a group and all others, and a consumer that ends by itself. */
async function fill(api: Api): Promise<void> {
  const inventories = { resourceClass: 'VCPU', total: 100 };
  await api.mutate('createResourceProvider', { name: 'host', uuid: host, inventories }, '__typename');
  const limit = (most: number) => ({ resourceClass: 'VCPU', limit: most });
  const quotas = {
    projects: { projectId: 'a', limits: [limit(5), { limit: 2 }] },
    groups: { group: 'team', projects: ['a', 'b'], limits: limit(7) },
    defaults: limit(3),
  };
  expect(await api.mutate('setQuotas', quotas, '__typename')).toEqual({ __typename: 'SetQuotasPayload' });
  expect(await claim(api, 'a', 2, { consumer: held, expiresAt: EXPIRES_AT })).toBe('SetAllocationsPayload');
  expect(await claim(api, 'b', 3)).toBe('SetAllocationsPayload');
}

interface Shown {
  readonly consumer: { readonly expiresAt: string } | null;
}

const SHOW = 'query ($uuid: UUID!) { consumer(uuid: $uuid) { expiresAt } }';

/** Expects that the limits and the time of {@link fill} have effect. */
async function expectFilled(database: TestDatabase): Promise<void> {
  await withServer(database, async (api) => {
    const { quotas } = await api.read<{ quotas: { nodes: unknown[] } }>(
      '{ quotas { nodes { kind limit used held } } }',
    );
    expect(quotas.nodes).toEqual([
      { kind: 'PROJECT', limit: 5, used: 2, held: 2 },
      { kind: 'PROJECT', limit: 2, used: 1, held: 1 },
      { kind: 'GROUP', limit: 7, used: 5, held: 2 },
      { kind: 'DEFAULT', limit: 3, used: null, held: null },
    ]);
    expect((await api.read<Shown>(SHOW, { uuid: held })).consumer).toEqual({ expiresAt: EXPIRES_AT });
    // the group has 2 left, and other projects have 3
    for (const [project, amount] of [
      ['a', 3],
      ['c', 4],
    ] as const)
      expect(await claim(api, project, amount)).toBe('QuotaExceededError');
    expect(await claim(api, 'c', 3)).toBe('SetAllocationsPayload');
    await database.pool.query('UPDATE placement_holds SET expires_at = UTC_TIMESTAMP(3)');
    for (let tries = 0; (await api.read<Shown>(SHOW, { uuid: held })).consumer !== null; tries++) {
      expect(tries).toBeLessThan(200);
      await sleep(50);
    }
    expect(await storedUsages(database)).toEqual(await addedUsages(database, ['MIGRATION']));
  });
}

test('a restored database has the quotas, and consumers end at their times', async () => {
  const [source, target] = [await ours(), await empty()];
  await withServer(source, fill);
  const file = folder.path('quotas');
  expect((await ended(startBackup(source, file))).code).toBe(0);
  const { code, lines } = await ended(startRestore(target, file));
  expect(code).toBe(0);
  expect(lines).toContainEqual(expect.stringMatching(/^equal: placement_quotas: rows 4; checksum \d+$/));
  expect(lines).toContainEqual(expect.stringMatching(/^equal: placement_holds: rows 1; checksum \d+$/));
  await expectFilled(target);
});

test('an import from an adopted database has the quotas and times, also for a server that runs', async () => {
  const [source, target] = [await placement(), await ours()];
  await adopt(source);
  await migrate(source);
  await withServer(source, fill);
  await withServer(target, async (api) => {
    const others = { resourceClass: 'VCPU', limit: 1 };
    await api.mutate(
      'setQuotas',
      { defaults: others, groups: { group: 'old', limits: others } },
      '__typename',
    );
    const { code, lines } = await ended(startImport(source, target));
    expect([code, lines.at(-1)]).toEqual([0, 'the copy is equal to the source']);
    expect(lines).toContainEqual(expect.stringMatching(/^equal: placement_holds: rows 1; checksum \d+$/));
    expect(await claim(api, 'd', 3)).toBe('SetAllocationsPayload');
    expect(await claim(api, 'd', 1)).toBe('QuotaExceededError');
  });
  await expectFilled(target);
});

test('a server without quotas counts the types of imported quotas at once', async () => {
  const [source, target] = [await placement(), await ours()];
  await adopt(source);
  await migrate(source);
  await withServer(source, fill);
  await withServer(target, async (api) => {
    expect((await ended(startImport(source, target))).code).toBe(0);
    expect(await claim(api, 'd', 40, { type: 'MIGRATION' })).toBe('SetAllocationsPayload');
    expect(await claim(api, 'd', 4)).toBe('QuotaExceededError');
    expect(await storedUsages(target)).toEqual(await addedUsages(target, ['MIGRATION']));
  });
});

test('an export to an adopted database keeps the quotas and times', async () => {
  const [source, target] = [await ours(), await placement(['newest'])];
  await adopt(target);
  await migrate(target);
  await withServer(source, fill);
  const { code, lines } = await ended(startExport(source, target));
  expect([code, lines.at(-1)]).toEqual([0, 'the copy is equal to the source']);
  expect(lines).toContainEqual(expect.stringMatching(/^equal: placement_holds: rows 1; checksum \d+$/));
  await expectFilled(target);
});

test('an export to Placement says how many quotas and times it does not copy', async () => {
  const [source, target] = [await ours(), await placement(['newest'])];
  await withServer(source, fill);
  const { code, lines } = await ended(startExport(source, target));
  expect(code).toBe(0);
  expect(lines).toEqual(
    expect.arrayContaining([
      'not copied: 4 quotas',
      'not copied: 1 times at which consumers end: they stay until they are deleted',
    ]),
  );
});

test('an import from Placement alone removes the holds and limits of deleted projects, and counts nothing of them', async () => {
  const [source, target] = [await placement(), await ours()];
  await target.pool.query("INSERT INTO placement_holds VALUES (1, '2126-01-01 00:00:00.000', 0)");
  await target.pool.query(
    "INSERT INTO placement_quotas VALUES (1, 'PROJECT', 1, -1, 0, UTC_TIMESTAMP(), NULL)",
  );
  expect((await ended(startImport(source, target))).code).toBe(0);
  for (const table of ['placement_holds', 'placement_quotas', 'placement_quota_usages'])
    expect(await target.pool.query(`SELECT * FROM ${table}`)).toEqual([]);
});
