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

test('rule 108: a provider lists the usage of each inventory, also 0', async () => {
  const usage = (name: string, used: number) => ({ resourceClass: { name }, used });
  const usages = [usage('DISK_GB', 0), usage('MEMORY_MB', 0), usage('VCPU', 5)];
  const document = '{ resourceProvider(by: { name: "b" }) { usages { resourceClass { name } used } } }';
  expect(await api.read(document)).toEqual({ resourceProvider: { usages } });
});

test('unknown owners, also in another case, use nothing', async () => {
  for (const args of [
    { projectId: 'nobody' },
    { projectId: 'p', userId: 'nobody' },
    { projectId: 'P' },
    { projectId: 'p', userId: 'U' },
  ])
    expect(await report(args)).toEqual({ consumerCount: 0, usages: [], byType: [] });
});

test('an id that no consumer can have is INVALID_INPUT', async () => {
  for (const [argument, args] of [
    ['projectId', { projectId: '' }],
    ['projectId', { projectId: 'p'.repeat(256) }],
    ['userId', { projectId: 'p', userId: '' }],
  ] as const)
    expect(await api.failure(DOCUMENT, args)).toMatchObject(invalidInput(argument));
});

test('sums exceed 2^31; allocations without a consumer are not counted', async () => {
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

test('a report takes one statement', async () => {
  const statements = await api.statements(() => report({ projectId: 'p', userId: 'u' }));
  expect(statements).toHaveLength(1);
});
