import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, generations, setAllocations, shown, takes, usedOf } from '../support/claims.js';
import { damage } from '../support/damage.js';
import { emptyDatabase } from '../support/database.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { unchanged } from '../support/unchanged.js';
import { Command, LocalCommand } from './command.js';

const { api, database } = useApi();
const [host, spare] = ['host', 'spare'].map((name) => uuidOf('provider', name));
let instance: string;

const GHOST = 'cccccccc-0000-4000-8000-000000000001';
const HUSK = 'cccccccc-0000-4000-8000-000000000002';
const STRAY = 'cccccccc-0000-4000-8000-000000000003';

beforeEach(async () => {
  await loadForest(
    database,
    forest(`
      host   VCPU:10  +HW_NUMA_ROOT
      spare  VCPU:10
    `),
  );
  instance = await claimed(api, { [host]: { VCPU: 4 } });
});

/** The columns and the values of a new consumer. */
const consumerRow = (uuid: string, generation: number) =>
  `('${uuid}', (SELECT id FROM projects), (SELECT id FROM users), ${generation})`;
const insertConsumers = (rows: readonly string[]) =>
  `INSERT INTO consumers (uuid, project_id, user_id, generation) VALUES ${rows.join(', ')}`;

async function audit(...options: string[]): Promise<{ code: unknown; lines: string[] }> {
  const { code, said } = await new LocalCommand(['audit-database', ...options], {
    DATABASE_URL: database.url,
  }).ended();
  return { code, lines: said.trim().split('\n') };
}

/** An allocation without a consumer, a consumer without allocations, one whose only allocation has no provider, and dangling links. */
async function spoil(): Promise<void> {
  const allocation = (provider: string, consumer: string) =>
    `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used) VALUES (${provider}, 0, '${consumer}', 2)`;
  const hostId = `(SELECT id FROM resource_providers WHERE uuid = '${host}')`;
  await damage(
    database,
    allocation(hostId, GHOST),
    allocation('99', STRAY),
    allocation('99', instance),
    insertConsumers([consumerRow(HUSK, 3), consumerRow(STRAY, 1)]),
    `INSERT INTO resource_provider_traits (resource_provider_id, trait_id) VALUES (${hostId}, 99999)`,
    'INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (99, 99)',
  );
}

test('the audit of a correct database says so and ends with code 0', async () => {
  expect(await audit()).toEqual({ code: 0, lines: ['no findings'] });
  expect(await unchanged(database, () => audit('--fix'))).toEqual({
    code: 0,
    lines: ['0 fixed', 'no findings'],
  });
});

test('a line for each finding, a sum by check, the end with 1; and nothing is changed', async () => {
  await spoil();
  const { code, lines } = await unchanged(database, () => audit());
  expect(code).toBe(1);
  expect(lines).toEqual([
    `DANGLING_ALLOCATION: consumer ${GHOST} takes 2 VCPU of provider host (${host}), but the consumer does not exist`,
    `DANGLING_ALLOCATION: consumer ${STRAY} takes 2 VCPU of provider 99, but the provider does not exist`,
    `DANGLING_ALLOCATION: consumer ${instance} takes 2 VCPU of provider 99, but the provider does not exist`,
    `EMPTY_CONSUMER: consumer ${HUSK} has no allocations`,
    `UNKNOWN_REFERENCE: provider host (${host}) has the trait 99999, but the trait does not exist`,
    'UNKNOWN_REFERENCE: provider 99 has the aggregate 99, but the provider and the aggregate do not exist',
    'DANGLING_ALLOCATION: 3',
    'EMPTY_CONSUMER: 1',
    'UNKNOWN_REFERENCE: 2',
    '6 findings',
  ]);
});

describe('--fix', () => {
  test('--fix removes the request of a consumer that another program has deleted, and no other', async () => {
    const remember = (consumer: string) =>
      api.mutate('rememberRequests', {
        consumers: [consumer],
        request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 4 }] }] },
      });
    const gone = await claimed(api, { [spare]: { VCPU: 4 } });
    for (const consumer of [instance, gone])
      expect(await remember(consumer)).toMatchObject({ __typename: 'RememberRequestsPayload' });
    const [{ id }] = await database.pool.query<{ id: number }[]>('SELECT id FROM consumers WHERE uuid = ?', [
      gone,
    ]);
    await damage(
      database,
      `DELETE FROM allocations WHERE consumer_id = '${gone}'`,
      `DELETE FROM consumers WHERE id = ${id}`,
    );
    const finding = `LOST_REQUEST: a request is remembered for the consumer with the id ${id}, which does not exist`;
    expect((await audit()).lines).toContain(finding);
    expect((await audit('--fix')).lines).toContainEqual(expect.stringMatching(/^1 fixed/));
    expect(await audit()).toEqual({ code: 0, lines: ['no findings'] });
    const rows = await database.pool.query<object[]>('SELECT consumer_id FROM placement_consumer_requests');
    expect(rows).toHaveLength(1);
  });

  test('--fix deletes dangling rows and empty consumers, reports them, and changes nothing else', async () => {
    const before = [await shown(api, instance), ...(await generations(api, host, spare))] as const;
    await spoil();
    const { code, lines } = await audit('--fix');
    expect(lines).toEqual([
      expect.stringMatching(`^fixed DANGLING_ALLOCATION: consumer ${GHOST} `),
      expect.stringMatching(`^fixed DANGLING_ALLOCATION: consumer ${STRAY} `),
      expect.stringMatching(`^fixed DANGLING_ALLOCATION: consumer ${instance} `),
      `fixed EMPTY_CONSUMER: consumer ${HUSK} has no allocations`,
      // it had nothing left
      `fixed EMPTY_CONSUMER: consumer ${STRAY} has no allocations`,
      expect.stringMatching('^fixed UNKNOWN_REFERENCE: provider host .* has the trait 99999'),
      expect.stringMatching('^fixed UNKNOWN_REFERENCE: provider 99 has the aggregate 99'),
      '7 fixed',
      'no findings',
    ]);
    expect(code).toBe(0);
    // one generation for the allocation without a consumer, one for the trait; the consumer lost an allocation
    const [consumer, ofHost, ofSpare] = before;
    expect(await generations(api, host, spare)).toEqual([ofHost + 2, ofSpare]);
    expect(await shown(api, instance)).toEqual({ ...consumer, generation: consumer!.generation + 1 });
    expect(await shown(api, STRAY)).toBeNull();
    expect(await usedOf(api, host)).toEqual({ VCPU: 4 });
  });

  test('running servers use the capacity of repaired allocations immediately', async () => {
    const room = async () => {
      const { data } = await api.query<{ allocationCandidates: { allocationRequests: unknown[] } }>(
        `{ allocationCandidates(request: { groups: { resources: { resourceClass: "VCPU", amount: 6 }, inTree: { uuid: "${host}" } } }) {
             allocationRequests { mappings { suffix } } } }`,
      );
      return data.allocationCandidates.allocationRequests.length;
    };
    expect(await room()).toBe(1);
    await spoil();
    // whatever is announced of the host but claims lets the server see the damage
    const input = { resourceProvider: { uuid: host }, aggregates: { add: [{ uuid: spare }] } };
    const { __typename } = await api.mutate('updateResourceProvider', input);
    expect(__typename).toBe('UpdateResourceProviderPayload');
    expect(await room()).toBe(0);
    await audit('--fix');
    expect(await room()).toBe(1);
  });

  test('leaves what needs a decision, and then ends with 1', async () => {
    await damage(
      database,
      'UPDATE inventories SET total = 3, max_unit = 3',
      'UPDATE resource_providers SET root_provider_id = NULL',
      'UPDATE consumers SET project_id = 99',
    );
    const { code, lines } = await unchanged(database, () => audit('--fix'));
    expect(code).toBe(1);
    expect(lines.slice(-6)).toEqual([
      expect.stringMatching('^UNKNOWN_REFERENCE: consumer'),
      'OVER_CAPACITY: 1',
      'UNIT_VIOLATION: 1',
      'BROKEN_TREE: 2',
      'UNKNOWN_REFERENCE: 1',
      '5 findings',
    ]);
    expect(lines[0]).toBe('0 fixed');
  });

  test('of more than one transaction takes, while writers run who give consumers what they lacked', async () => {
    const husks = Array.from(
      { length: 1200 },
      (_, n) => `dddddddd-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    await damage(database, insertConsumers(husks.map((uuid) => consumerRow(uuid, 1))));
    const fixing = new Command(['audit-database', '--fix'], { DATABASE_URL: database.url }).ended();
    const kept: string[] = [];
    for (const consumer of husks.slice(-8)) {
      const answer = await setAllocations(api, takes(consumer, 1, { [spare]: { VCPU: 1 } }));
      if (answer.__typename === 'SetAllocationsPayload') kept.push(consumer);
    }
    const { code } = await fixing;
    expect(code).toBe(0);
    const rows = await database.pool.query<{ uuid: string }[]>(
      "SELECT uuid FROM consumers WHERE uuid LIKE 'dddd%' ORDER BY 1",
    );
    expect(rows.map(({ uuid }) => uuid)).toEqual(kept);
    expect(await usedOf(api, spare)).toEqual({ VCPU: kept.length });
  });
});

test('the audit reports a database that is not migrated in one line', async () => {
  const bare = await emptyDatabase();
  const { code, said } = await new LocalCommand(['audit-database'], { DATABASE_URL: bare.url }).ended();
  await bare.close();
  expect(code).toBe(1);
  expect(said.trim().split('\n')).toEqual([expect.stringMatching('^cannot use the database ')]);
});
