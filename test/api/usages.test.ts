import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { insertAllocation, createProviders } from '../support/createProviders.js';

const { api, database } = useApi({ hasBackground: false });
let a: string;
let b: string;

/** Project p: user u has two instances and one untyped consumer, user v a migration. Project q: one instance. */
beforeAll(async () => {
  const inventories = { VCPU: 100, MEMORY_MB: 1000, DISK_GB: 500 };
  ({ a } = await createProviders(api, { name: 'a', inventories }));
  ({ b } = await createProviders(api, { name: 'b', inventories }));
  const p = { projectId: 'p', userId: 'u' };
  await claimed(
    api,
    { [a]: { VCPU: 2, MEMORY_MB: 100 }, [b]: { VCPU: 1 } },
    { ...p, consumerType: 'INSTANCE' },
  );
  await claimed(api, { [b]: { VCPU: 4 } }, { ...p, consumerType: 'INSTANCE' });
  await claimed(api, { [a]: { VCPU: 8 } }, { ...p, userId: 'v', consumerType: 'MIGRATION' });
  await claimed(api, { [a]: { VCPU: 16, DISK_GB: 50 } }, p);
  await claimed(api, { [a]: { VCPU: 32 } }, { projectId: 'q', userId: 'u', consumerType: 'INSTANCE' });
});

interface Group {
  consumerType: string | null;
  consumerCount: number;
  usages: { resourceClass: { name: string }; used: number }[];
}

const ask = (args: object) =>
  api.query<{ usages: Group[] | null }>(
    `query ($projectId: String!, $userId: String, $consumerType: String) {
       usages(projectId: $projectId, userId: $userId, consumerType: $consumerType) {
         consumerType consumerCount usages { resourceClass { name } used }
       }
     }`,
    args,
  );

/** Each group as [type, consumers, used by class]. */
async function usages(args: object) {
  const { data, errors } = await ask(args);
  expect(errors).toBeUndefined();
  return data.usages!.map((group) => [
    group.consumerType,
    group.consumerCount,
    group.usages.map(({ resourceClass, used }) => `${resourceClass.name} ${used}`).join(', '),
  ]);
}

const INSTANCES = ['INSTANCE', 2, 'MEMORY_MB 100, VCPU 7'];
const MIGRATIONS = ['MIGRATION', 1, 'VCPU 8'];
const UNTYPED = [null, 1, 'DISK_GB 50, VCPU 16'];

test('rule 108: a provider lists every class that it has an inventory of, with 0 where nothing is used', async () => {
  const { data } = await api.query(
    '{ resourceProvider(by: { name: "b" }) { generation usages { resourceClass { name } used } } }',
  );
  expect(data).toEqual({
    resourceProvider: {
      generation: 3,
      usages: [
        { resourceClass: { name: 'DISK_GB' }, used: 0 },
        { resourceClass: { name: 'MEMORY_MB' }, used: 0 },
        { resourceClass: { name: 'VCPU' }, used: 5 },
      ],
    },
  });
});

describe('rule 109: the usage of a project, by type and then class', () => {
  test('counts each consumer of a type once, on however many providers and classes (rule 111)', async () => {
    expect(await usages({ projectId: 'p' })).toEqual([INSTANCES, MIGRATIONS, UNTYPED]);
  });

  test('of one user only', async () => {
    expect(await usages({ projectId: 'p', userId: 'u' })).toEqual([INSTANCES, UNTYPED]);
    expect(await usages({ projectId: 'p', userId: 'v' })).toEqual([MIGRATIONS]);
  });

  test('names are compared exactly', async () => {
    expect(await usages({ projectId: 'P' })).toEqual([]);
    expect(await usages({ projectId: 'p', userId: 'U' })).toEqual([]);
  });
});

describe('rule 110: by type', () => {
  test('"all" is one group over every type, the untyped included', async () => {
    expect(await usages({ projectId: 'p', consumerType: 'all' })).toEqual([
      ['all', 4, 'DISK_GB 50, MEMORY_MB 100, VCPU 31'],
    ]);
    expect(await usages({ projectId: 'p', userId: 'v', consumerType: 'all' })).toEqual([
      ['all', 1, 'VCPU 8'],
    ]);
  });

  test('"unknown" is the group of the untyped', async () => {
    expect(await usages({ projectId: 'p', consumerType: 'unknown' })).toEqual([UNTYPED]);
    expect(await usages({ projectId: 'q', consumerType: 'unknown' })).toEqual([]);
  });

  test('a type is only that group', async () => {
    expect(await usages({ projectId: 'p', consumerType: 'INSTANCE' })).toEqual([INSTANCES]);
  });

  test.each([
    ['an unknown project', { projectId: 'nobody' }],
    ['an unknown project with "all"', { projectId: 'nobody', consumerType: 'all' }],
    ['an unknown user', { projectId: 'p', userId: 'nobody' }],
    ['an unknown type', { projectId: 'p', consumerType: 'NO_SUCH' }],
    ['a type that no consumer of the project has', { projectId: 'q', consumerType: 'MIGRATION' }],
    ['a type called ALL', { projectId: 'p', consumerType: 'ALL' }],
  ])('%s is an empty list', async (_what, args) => {
    expect(await usages(args)).toEqual([]);
  });
});

test('groups are told by an enum as well as by a word', async () => {
  const groups = `query ($consumerType: String, $group: ConsumerTypeGroup) {
    usages(projectId: "p", consumerType: $consumerType, consumerTypeGroup: $group) { consumerType consumerTypeGroup consumerCount } }`;
  const answer = async (args: object) => (await api.query<{ usages: object[] }>(groups, args)).data.usages;
  expect(await answer({ group: 'ALL' })).toEqual(await answer({ consumerType: 'all' }));
  expect(await answer({ group: 'ALL' })).toMatchObject([{ consumerType: 'all', consumerTypeGroup: 'ALL' }]);
  expect(await answer({ group: 'UNKNOWN' })).toEqual(await answer({ consumerType: 'unknown' }));
  expect(await answer({ group: 'UNKNOWN' })).toMatchObject([
    { consumerType: null, consumerTypeGroup: 'UNKNOWN' },
  ]);
  expect(await answer({ consumerType: 'INSTANCE' })).toMatchObject([
    { consumerType: 'INSTANCE', consumerTypeGroup: null },
  ]);
  const { errors } = await api.query(groups, { consumerType: 'INSTANCE', group: 'ALL' });
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path: ['consumerTypeGroup'] } }]);
});

test.each([
  ['projectId', { projectId: '' }],
  ['projectId', { projectId: 'p'.repeat(256) }],
  ['userId', { projectId: 'p', userId: '' }],
  ['consumerType', { projectId: 'p', consumerType: 'instance' }],
  ['consumerType', { projectId: 'p', consumerType: '' }],
])('a %s that no consumer can have is INVALID_INPUT: %j', async (argument, args) => {
  expect(await ask(args)).toMatchObject({
    data: null,
    errors: [{ path: ['usages'], extensions: { code: 'INVALID_INPUT', path: [argument] } }],
  });
});

test('sums pass 2^31, and allocations that are adrift are not counted', async () => {
  const inventories = { VCPU: { total: 2147483647, allocationRatio: 4 } };
  const { big } = await createProviders(api, { name: 'big', inventories });
  const owner = { projectId: 'large', userId: 'u', consumerType: 'INSTANCE' };
  for (let i = 0; i < 2; i++) await claimed(api, { [big]: { VCPU: 2147483647 } }, owner);
  await insertAllocation(database, big, 'VCPU', 5);
  expect(await usages({ projectId: 'large' })).toEqual([['INSTANCE', 2, 'VCPU 4294967294']]);
});

test('one statement answers', async () => {
  const statements = await api.statements(() => ask({ projectId: 'p', userId: 'u', consumerType: 'all' }));
  expect(statements).toHaveLength(1);
});
