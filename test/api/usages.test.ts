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
  consumerCount: number;
  usages: { resourceClass: { name: string }; used: number }[];
}

interface Report extends Group {
  byType: (Group & { type: { name: string } | null })[];
}

const ask = (args: object) =>
  api.query<{ usages: Report | null }>(
    `query ($projectId: String!, $userId: String) {
       usages(projectId: $projectId, userId: $userId) {
         consumerCount usages { resourceClass { name } used }
         byType { type { name } consumerCount usages { resourceClass { name } used } }
       }
     }`,
    args,
  );

async function report(args: object): Promise<Report> {
  const { data, errors } = await ask(args);
  expect(errors).toBeUndefined();
  return data.usages!;
}

const amountsOf = ({ usages }: Group): string =>
  usages.map(({ resourceClass, used }) => `${resourceClass.name} ${used}`).join(', ');

/** Each type as [type, consumers, used by class]. */
async function usages(args: object) {
  return (await report(args)).byType.map((group) => [
    group.type?.name ?? null,
    group.consumerCount,
    amountsOf(group),
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

describe('rule 110: in total', () => {
  const total = async (args: object) => {
    const all = await report(args);
    return [all.consumerCount, amountsOf(all)];
  };

  test('all types together, consumers without a type included', async () => {
    expect(await total({ projectId: 'p' })).toEqual([4, 'DISK_GB 50, MEMORY_MB 100, VCPU 31']);
    expect(await total({ projectId: 'p', userId: 'v' })).toEqual([1, 'VCPU 8']);
  });

  test.each([
    ['an unknown project', { projectId: 'nobody' }],
    ['an unknown user', { projectId: 'p', userId: 'nobody' }],
  ])('%s uses nothing', async (_what, args) => {
    expect(await report(args)).toEqual({ consumerCount: 0, usages: [], byType: [] });
  });
});

test.each([
  ['projectId', { projectId: '' }],
  ['projectId', { projectId: 'p'.repeat(256) }],
  ['userId', { projectId: 'p', userId: '' }],
])('a %s that no consumer can have is INVALID_INPUT: %j', async (argument, args) => {
  expect(await ask(args)).toMatchObject({
    data: { usages: null },
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
  const statements = await api.statements(() => ask({ projectId: 'p', userId: 'u' }));
  expect(statements).toHaveLength(1);
});
