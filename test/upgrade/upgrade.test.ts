import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readMigrations, PACKAGE } from '../../src/store/migrations/migrator.js';
import { Command } from '../cli/command.js';
import { audit } from '../races/audit.js';
import { CONNECTION_LOST } from '../races/client.js';
import { recordHistory } from '../races/history.js';
import { Load } from '../races/load.js';
import { ServerProcess } from '../races/process.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { readReleases } from '../support/releases.js';

/** Set by the set-up where the last release could be built, which says why where it could not. */
const release = process.env.PLACEMENT_RELEASE;
const last = readReleases().at(-1)!;
const migrations = readMigrations(PACKAGE).map(({ name }) => name);
const later = migrations.filter((name) => !(name in last.migrations));

/** How long both versions serve, and each alone (ms). */
const TOGETHER = 8_000;
const ALONE = 4_000;

let database: TestDatabase;
const servers: ServerProcess[] = [];
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
  await database.close();
});

async function start(checkout?: string, environment?: Record<string, string>): Promise<ServerProcess> {
  const server = await ServerProcess.start(database.url, checkout, environment);
  servers.push(server);
  return server;
}

async function done(): Promise<string[]> {
  const rows = await database.pool.query<{ name: string }[]>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name',
  );
  return rows.map(({ name }) => name);
}

describe(`from version ${last.version}`, () => {
  const run = release ? test : test.skip;

  run('servers of both serve and write while the database is migrated, and nothing is lost', async () => {
    await new Command(['migrate'], { DATABASE_URL: database.url }, release).ended();
    await recordHistory(database);
    const old = [await start(release), await start(release)];
    expect(await done()).toEqual(Object.keys(last.migrations));
    const clients = old.map(({ client }) => client);
    const load = new Load(clients, 1, 16);
    await load.prepare();
    const running = load.run();
    await sleep(ALONE);
    const next = await start();
    expect(await done()).toEqual(migrations);
    clients.push(next.client);
    await sleep(TOGETHER);
    clients.splice(0, old.length);
    await sleep(1_000); // for what they were asked before
    expect(await Promise.all(old.map((server) => server.stop()))).toEqual(['', '']);
    await sleep(ALONE);
    load.isOver = true;
    await running;

    const { findings, commits } = await audit(database, load);
    expect(findings.slice(0, 20)).toEqual([]);
    const unknown = load.log.unknown().filter(({ outcome }) => outcome.kind === 'unknown');
    expect(
      unknown.filter(({ outcome }) => 'reason' in outcome && outcome.reason !== CONNECTION_LOST),
    ).toEqual([]);
    expect(commits).toBeGreaterThan(100);
    const said = (await next.stop()).replaceAll(/^\[.*?\] INFO: /gm, '');
    expect(said).toBe(later.map((name) => `migrating the database: ${name}\n`).join(''));
    console.log(`${commits} commits, ${load.log.attempts.length} writes`);
  });

  run(
    'the first hold and the first quota wait for servers of this version, and older ones that start later are logged',
    async () => {
      const next = await start(undefined, { PLACEMENT_LOG_LEVEL: 'warn' });
      const old = await start(release);
      const { client } = next;
      await client.mutate(
        'createResourceProvider',
        { name: 'host', inventories: [{ resourceClass: 'VCPU', total: 8 }] },
        '__typename',
      );
      const hold = () => {
        const consumer = {
          consumer: randomUUID(),
          projectId: 'p',
          userId: 'u',
          expiresAt: new Date(Date.now() + 3_600_000),
        };
        const requests = [{ groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] }];
        return client.mutate(
          'claim',
          { members: [{ name: 'm', requests, consumers: [consumer] }] },
          '__typename',
        );
      };
      const holders = await database.pool.query<{ holder: string }[]>(
        'SELECT holder FROM placement_feed_writers WHERE version IS NULL',
      );
      expect(holders).toHaveLength(1);
      const limit = () => {
        const limits = { resourceClass: 'VCPU', limit: 4 };
        return client.mutate('setQuotas', { projects: { projectId: 'p', limits } }, '__typename');
      };
      expect(await hold()).toMatchObject({ kind: 'refused', code: 'OLDER_SERVER' });
      expect(await limit()).toMatchObject({ kind: 'refused', code: 'OLDER_SERVER' });
      for (const table of ['placement_holds', 'placement_quotas', 'placement_quota_usages'])
        expect(await database.pool.query(`SELECT * FROM ${table}`)).toEqual([]);
      // without holds and quotas, both versions claim
      expect(await old.client.mutate('createTrait', { name: 'CUSTOM_OF_OLD' }, '__typename')).toMatchObject({
        kind: 'done',
      });
      await old.stop();
      expect(await hold()).toMatchObject({ kind: 'done' });
      expect(await limit()).toMatchObject({ kind: 'done' });
      await (await start(release)).client.mutate('createTrait', { name: 'CUSTOM_OLD' }, '__typename');
      await sleep(20_000); // a server looks for them every 15 s
      expect(await next.stop()).toContain(
        ' is of version 1.0, which lacks holds, quotas and remembered requests: upgrade or stop it',
      );
    },
  );

  run('an older server that runs is not disturbed, and may be started again after an expansion', async () => {
    await new Command(['migrate'], { DATABASE_URL: database.url }, release).ended();
    const old = await start(release);
    await (await start()).stop();
    const made = await old.client.mutate('createResourceProvider', { name: 'host' }, '__typename');
    expect(made.kind).toBe('done');
    expect(await old.stop()).toBe('');
    if (later.every((name) => name.includes('_expand_'))) await (await start(release)).stop();
  });
});
