import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Command, LocalCommand } from '../cli/command.js';
import type { TestDatabase } from '../support/database.js';
import { fingerprint, placementDatabase, tableNames, TRAIN } from './placementDatabase.js';
import { MIGRATION_NAMES } from '../support/migrations.js';

const INSTANCE = '0c000000-0000-4000-8000-000000000001';
const NUMA = '0a000000-0000-4000-8000-000000000002';

describe('the commands, one after the other', () => {
  let database: TestDatabase;
  let before: Record<string, unknown>;
  beforeAll(async () => {
    database = await placementDatabase();
    before = await fingerprint(database);
  });
  afterAll(() => database.close());

  const environment = () => ({ DATABASE_URL: database.url });

  async function run(...options: string[]): Promise<{ code: unknown; lines: string[] }> {
    const { code, said } = await new LocalCommand(options, environment()).ended();
    const lines = said.trim().split('\n');
    // tests beside this one migrate databases of the same server
    return { code, lines: lines.filter((line) => !line.startsWith('waiting for another process')) };
  }

  test.each([['serve', '--port', '0'], ['migrate'], ['audit-database']])(
    '%s names adopt',
    async (...options) => {
      const { code, lines } = await run(...options);
      expect(code).toBe(1);
      expect(lines).toEqual([
        expect.stringMatching(
          'it is a database of OpenStack Placement: `placement-graphql adopt --dry-run` ',
        ),
      ]);
      expect(await fingerprint(database)).toEqual(before);
    },
  );

  test('adopt --undo has nothing to undo', async () => {
    expect(await run('adopt', '--undo')).toEqual({
      code: 1,
      lines: ['this database was not adopted'],
    });
  });

  test('adopt --dry-run lists the changes, and adopt makes and lists them', async () => {
    const linesWith = (did: string, done: string): unknown[] => [
      'OpenStack Placement, 2023.2 (Bobcat) and later, version a082b8bb98d0',
      'note: names of utf8mb3_general_ci that differ only by case or accents are equal to the database',
      'note: names of utf8mb3_general_ci cannot have every character (such as emoji): writes of such are INVALID_INPUT',
      expect.stringMatching(/^note: the default isolation level is REPEATABLE READ: /),
      `${did}: create the table placement_feed_writers`,
      `${did}: create the table placement_feed_changes`,
      `${did}: create the table placement_aggregate_names`,
      `${did}: create the table placement_quota_groups`,
      `${did}: create the table placement_quota_group_projects`,
      `${did}: create the table placement_quotas`,
      `${did}: create the table placement_quota_usages`,
      `${did}: create the table placement_kept_consumers`,
      `${did}: create the table placement_quota_state`,
      `${did}: create the table placement_holds`,
      `${did}: create the table placement_requests`,
      `${did}: create the table placement_consumer_requests`,
      `${did}: create the table placement_workloads`,
      `${did}: create the table placement_workload_members`,
      `${did}: create the table placement_ownerships`,
      `${did}: create the table placement_consumptions`,
      `${did}: record ${MIGRATION_NAMES.join(', ')} in _prisma_migrations`,
      done,
    ];
    expect(await run('adopt', '--dry-run')).toEqual({
      code: 0,
      lines: linesWith('would', 'nothing is changed'),
    });
    expect(await fingerprint(database)).toEqual(before);
    expect(await run('adopt')).toEqual({ code: 0, lines: linesWith('done', 'the database is adopted') });
    expect((await run('adopt')).lines.at(-1)).toBe('the database was adopted before');
  });

  test('the server claims from what OpenStack Placement has, beside what that has allocated', async () => {
    const server = new Command(['serve', '--port', '0'], { DATABASE_URL: database.url });
    await server.says('is serving');
    const url = /is serving (\S+)/.exec(server.said)![1];
    const query = async (document: string): Promise<unknown> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: document }),
      });
      return response.json();
    };
    expect(
      await query(`{
        resourceProviders { nodes { name generation } }
        consumer(uuid: "${INSTANCE}") { type { name } allocations { resourceProvider { name } amount } }
        allocationCandidates(request: { groups: { resources: { resourceClass: "VCPU", amount: 16 } } }) {
          allocationRequests { allocations { resourceProvider { name } } }
        }
      }`),
    ).toMatchObject({
      data: {
        resourceProviders: {
          nodes: [
            { name: 'cn1', generation: 4 },
            { name: 'cn1-größe', generation: 2 },
            { name: 'cn1-numa0', generation: 2 },
          ],
        },
        consumer: {
          type: null,
          allocations: [
            { resourceProvider: { name: 'cn1' }, amount: 40 },
            { resourceProvider: { name: 'cn1-numa0' }, amount: 4 },
          ],
        },
        allocationCandidates: {
          allocationRequests: expect.arrayContaining([
            { allocations: [{ resourceProvider: { name: 'cn1-numa0' } }] },
            { allocations: [{ resourceProvider: { name: 'cn1-größe' } }] },
          ]) as unknown,
        },
      },
    });
    expect(
      await query(`mutation {
        createResourceProvider(input: { name: "cn2", uuid: "0a000000-0000-4000-8000-000000000009" }) { __typename }
        updateResourceProvider(input: { resourceProvider: { uuid: "0a000000-0000-4000-8000-000000000009" },
          inventories: { add: { resourceClass: "PCPU", total: 8 } } }) { __typename }
        createResourceClass(input: { name: "CUSTOM_FIRST" }) { __typename }
        mine: claim(input: { members: { name: "vm", requests: { groups: { resources: { resourceClass: "PCPU", amount: 2 } } },
          consumers: { consumer: "0c000000-0000-4000-8000-000000000008", projectId: "a-project", userId: "new" } } }) { __typename }
        theirs: claim(input: { members: { name: "vm", requests: { groups: { inTree: { uuid: "${NUMA}" }, requiredTraits: "CUSTOM_GOLD",
            resources: { resourceClass: "VCPU", amount: 9 } } },
          consumers: { consumer: "0c000000-0000-4000-8000-000000000009", projectId: "a-project", userId: "a-user" } } }) { __typename }
      }`),
    ).toMatchObject({
      data: {
        createResourceProvider: { __typename: 'CreateResourceProviderPayload' },
        updateResourceProvider: { __typename: 'UpdateResourceProviderPayload' },
        createResourceClass: { __typename: 'CreateResourceClassPayload' },
        mine: { __typename: 'ClaimPayload' },
        theirs: { __typename: 'ClaimPayload' },
      },
    });
    server.signal('SIGTERM');
    await server.ended();
    expect(
      await database.pool.query(
        `SELECT c.uuid, p.name, a.used FROM allocations a JOIN consumers c ON c.uuid = a.consumer_id
           JOIN resource_providers p ON p.id = a.resource_provider_id WHERE c.uuid <> '${INSTANCE}' ORDER BY 1`,
      ),
    ).toEqual([
      { uuid: '0c000000-0000-4000-8000-000000000008', name: 'cn2', used: 2 },
      { uuid: '0c000000-0000-4000-8000-000000000009', name: 'cn1-größe', used: 9 },
    ]);
    // as OpenStack Placement numbers its own
    expect(await database.pool.query("SELECT id FROM resource_classes WHERE name = 'CUSTOM_FIRST'")).toEqual([
      { id: 10000 },
    ]);
  });

  test('adopt --undo takes our tables away, and what was written stays', async () => {
    const names = Object.keys(before);
    const rows = await fingerprint(database, names);
    const { code, lines } = await run('adopt', '--undo');
    expect(code).toBe(0);
    expect(lines).toEqual([
      'dropped: the table placement_feed_writers',
      'dropped: the table placement_feed_changes',
      'dropped: the table placement_aggregate_names',
      'dropped: the table placement_quota_groups',
      'dropped: the table placement_quota_group_projects',
      'dropped: the table placement_quotas',
      'dropped: the table placement_quota_usages',
      'dropped: the table placement_kept_consumers',
      'dropped: the table placement_quota_state',
      'dropped: the table placement_holds',
      'dropped: the table placement_requests',
      'dropped: the table placement_consumer_requests',
      'dropped: the table placement_workloads',
      'dropped: the table placement_workload_members',
      'dropped: the table placement_ownerships',
      'dropped: the table placement_consumptions',
      'dropped: the table _prisma_migrations',
    ]);
    expect(await tableNames(database.pool)).toEqual(names);
    expect(await fingerprint(database)).toEqual(rows);
  });
});

test("a database of OpenStack Placement's that is empty is not filled with the demo data", async () => {
  const database = await placementDatabase(['newest']);
  await new LocalCommand(['adopt'], { DATABASE_URL: database.url }).ended();
  const server = new Command(['serve', '--port', '0', '--demo'], { DATABASE_URL: database.url });
  await server.says('is serving');
  server.signal('SIGTERM');
  await server.ended();
  const counted = await database.pool.query<unknown>('SELECT COUNT(*) AS n FROM resource_providers');
  await database.close();
  expect(counted).toEqual([{ n: 0 }]);
});

test('adopt reports each obstacle in a line and ends with code 1', async () => {
  const database = await placementDatabase(TRAIN);
  const { code, said } = await new LocalCommand(['adopt'], { DATABASE_URL: database.url }).ended();
  await database.close();
  expect(code).toBe(1);
  const lines = said.trim().split('\n');
  expect(lines).toContain('this database cannot be adopted:');
  expect(lines.filter((line) => line.startsWith('error: '))).toHaveLength(5);
});

test('without DATABASE_URL there is nothing to adopt', async () => {
  expect(await new LocalCommand(['adopt'], {}).ended()).toEqual({
    code: 1,
    said: 'DATABASE_URL must name the database to adopt\n',
  });
});
