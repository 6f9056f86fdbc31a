import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { COMPUTE, createClasses, newHost } from '../ledger/partitionSupport.js';
import { useApi } from '../support/api.js';
import { claimInput, requestOf, takes } from '../support/claims.js';

const { api, database } = useApi({ hasBackground: false });
const host = randomUUID();

beforeAll(async () => {
  const inventories = { resourceClass: 'VCPU', total: 100 };
  await api.mutate('createResourceProvider', { name: 'host', uuid: host, inventories }, '__typename');
});

const newConsumers = (...projects: readonly string[]) =>
  projects.map((projectId) => ({ consumer: randomUUID(), projectId, userId: 'u' }));

interface PlannedQuota {
  readonly projectId: string;
  readonly fits: boolean;
  readonly limits: readonly object[];
}

async function planned(input: object): Promise<PlannedQuota[]> {
  const { planWorkload } = await api.read<{ planWorkload: { quotas: PlannedQuota[] } }>(
    `query ($input: ClaimInput!) { planWorkload(input: $input) {
       quotas { projectId fits limits { asked left quota { group { name } limit } } }
     } }`,
    { input },
  );
  return planWorkload.quotas;
}

async function claimed(input: object): Promise<string> {
  return (await api.mutate<{ __typename: string }>('claim', input, '__typename')).__typename;
}

describe('the limit of a group', () => {
  const share = (group: string, projects: readonly string[], limit: number) =>
    api.mutate(
      'setQuotas',
      { groups: { group, projects, limits: [{ resourceClass: 'VCPU', limit }] } },
      '__typename',
    );
  const ofGroup = (name: string, limit: number, asked: number, left: number) => ({
    ...{ asked, left },
    quota: { group: { name }, limit },
  });

  test('is compared with the sum of its projects in a plan, as in the claim', async () => {
    await share('sum', ['a', 'b'], 3);
    const input = claimInput(requestOf({ VCPU: 2 }), newConsumers('a', 'b', 'free'));
    const limits = [ofGroup('sum', 3, 4, 3)];
    expect(await planned(input)).toEqual([
      { projectId: 'a', fits: false, limits },
      { projectId: 'b', fits: false, limits },
      { projectId: 'free', fits: true, limits: [] },
    ]);
    expect(await claimed(input)).toBe('QuotaExceededError');
  });

  test('allows a consumer to move within the group, and to grow by what is left', async () => {
    await share('move', ['c', 'd'], 3);
    const [consumer] = newConsumers('c');
    expect(await claimed(claimInput(requestOf({ VCPU: 2 }), [consumer]))).toBe('ClaimPayload');
    const moved = [{ ...consumer, projectId: 'd', generation: 1 }];
    const toFour = claimInput(requestOf({ VCPU: 4 }), moved);
    expect(await planned(toFour)).toEqual([
      { projectId: 'd', fits: false, limits: [ofGroup('move', 3, 2, 1)] },
    ]);
    expect(await claimed(toFour)).toBe('QuotaExceededError');
    const toThree = claimInput(requestOf({ VCPU: 3 }), moved);
    expect(await planned(toThree)).toEqual([
      { projectId: 'd', fits: true, limits: [ofGroup('move', 3, 1, 1)] },
    ]);
    expect(await claimed(toThree)).toBe('ClaimPayload');
  });

  test('does not count as released what a consumer of another group holds', async () => {
    await share('from', ['e'], 2);
    await share('to', ['f'], 1);
    const consumer = randomUUID();
    const consumers = [takes(consumer, null, { [host]: { VCPU: 2 } }, { projectId: 'e' })];
    await api.mutate('setAllocations', { consumers }, '__typename');
    const moved = [{ consumer, generation: 1, projectId: 'f', userId: 'u' }];
    const input = claimInput(requestOf({ VCPU: 2 }), moved);
    expect(await planned(input)).toEqual([{ projectId: 'f', fits: false, limits: [ofGroup('to', 1, 2, 1)] }]);
    expect(await claimed(input)).toBe('QuotaExceededError');
  });
});

test('the limit of a counter is compared with what partitions consume, in a plan as in a claim', async () => {
  await createClasses(database);
  const card = await newHost(database, 1);
  const limits = { resourceClass: COMPUTE, limit: 3 };
  await api.mutate('setQuotas', { projects: { projectId: 'counted', limits } }, '__typename');
  const inputOf = (resourceClass: string, consumers = newConsumers('counted')) =>
    claimInput(requestOf({ [resourceClass]: 1 }, { inTree: { name: card.host } }), consumers);
  const [consumer] = newConsumers('counted');
  const small = inputOf('CUSTOM_2G', [consumer]);
  expect(await planned(small)).toMatchObject([{ fits: true, limits: [{ asked: 2, left: 3 }] }]);
  expect(await claimed(small)).toBe('ClaimPayload');
  const second = inputOf('CUSTOM_2G');
  expect(await planned(second)).toMatchObject([{ fits: false, limits: [{ asked: 2, left: 1 }] }]);
  expect(await claimed(second)).toBe('QuotaExceededError');
  const staying = { ...consumer, generation: 1 };
  expect(await planned(inputOf('CUSTOM_2G', [staying, ...newConsumers('counted')]))).toMatchObject([
    { fits: false, limits: [{ asked: 2, left: 1 }] },
  ]);
  const larger = inputOf('CUSTOM_4G', [staying]);
  expect(await planned(larger)).toMatchObject([{ fits: false, limits: [{ asked: 2, left: 1 }] }]);
  expect(await claimed(larger)).toBe('QuotaExceededError');
  expect(await claimed(inputOf('CUSTOM_1G'))).toBe('ClaimPayload');
  expect(await api.read('{ project(projectId: "counted") { quotas { used } } }')).toEqual({
    project: { quotas: [{ used: 3 }] },
  });
});
