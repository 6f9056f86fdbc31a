import { beforeAll, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { insertAllocation, createProviders } from '../support/createProviders.js';

const { api, database } = useApi({ hasBackground: false });
beforeAll(async () => {
  const inventories = { VCPU: 100, MEMORY_MB: 1000, DISK_GB: 500 };
  const { b } = await createProviders(api, { name: 'b', inventories });
  for (const VCPU of [1, 4]) await claimed(api, { [b]: { VCPU } }, { projectId: 'p', userId: 'u' });
});

const DOCUMENT = `query ($projectId: String!, $userId: String) {
  usages(projectId: $projectId, userId: $userId) {
    consumerCount usages { resourceClass { name } used }
    byType { type { name } consumerCount usages { resourceClass { name } used } }
  }
}`;

const report = async (args: object) => (await api.read(DOCUMENT, args)).usages;

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

test.each([
  ['an unknown project', { projectId: 'nobody' }],
  ['an unknown user', { projectId: 'p', userId: 'nobody' }],
  ['a project in another case', { projectId: 'P' }],
  ['a user in another case', { projectId: 'p', userId: 'U' }],
])('%s uses nothing', async (_what, args) => {
  expect(await report(args)).toEqual({ consumerCount: 0, usages: [], byType: [] });
});

test.each([
  ['projectId', { projectId: '' }],
  ['projectId', { projectId: 'p'.repeat(256) }],
  ['userId', { projectId: 'p', userId: '' }],
])('a %s that no consumer can have is INVALID_INPUT: %j', async (argument, args) => {
  expect(await api.failure(DOCUMENT, args)).toMatchObject(invalidInput(argument));
});

test('sums pass 2^31, and allocations that are adrift are not counted', async () => {
  const inventories = { VCPU: { total: 2147483647, allocationRatio: 4 } };
  const { big } = await createProviders(api, { name: 'big', inventories });
  const owner = { projectId: 'large', userId: 'u', consumerType: 'INSTANCE' };
  for (let i = 0; i < 2; i++) await claimed(api, { [big]: { VCPU: 2147483647 } }, owner);
  await insertAllocation(database, big, 'VCPU', 5);
  const usages = [{ resourceClass: { name: 'VCPU' }, used: 4294967294 }];
  const group = { consumerCount: 2, usages };
  expect(await report({ projectId: 'large' })).toEqual({
    ...group,
    byType: [{ ...group, type: { name: 'INSTANCE' } }],
  });
});

test('one statement answers', async () => {
  const statements = await api.statements(() => report({ projectId: 'p', userId: 'u' }));
  expect(statements).toHaveLength(1);
});
