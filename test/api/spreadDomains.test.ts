import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, requestOf } from '../support/claims.js';

const DISABLED = 'COMPUTE_STATUS_DISABLED';
const { api } = useApi({ excludedRootTraits: [DISABLED] });
const RACKS = ['a2000000-0000-4000-8000-000000000001', 'a2000000-0000-4000-8000-000000000002'];
const HOSTS = ['e2000000-0000-4000-8000-000000000001', 'e2000000-0000-4000-8000-000000000002'];

test.each([
  ['a consumer that the request is away from', false],
  ['maintenance of its host', true],
])('a rule SPREAD that a claim has met holds if %s excludes the other rack', async (_, isDisabled) => {
  for (const [at, uuid] of HOSTS.entries())
    await api.mutate('applyProviderTree', {
      root: {
        uuid,
        name: uuid,
        inventories: [{ resourceClass: 'VCPU', total: 8 }],
        aggregates: [{ uuid: RACKS[at] }],
        traits: isDisabled && at === 0 ? [DISABLED] : [],
      },
    });
  const other = await claimed(api, { [HOSTS[0]]: { VCPU: 1 } });
  const request = { ...requestOf({ VCPU: 1 }), awayFromConsumers: isDisabled ? [] : [other] };
  const consumers = [1, 2].map((each) => ({
    consumer: `ec200000-0000-4000-8000-00000000000${each}`,
    projectId: 'p',
    userId: 'u',
  }));
  const input = {
    workload: { name: 'w' },
    members: [{ name: 'm', requests: [request], consumers }],
    topology: [{ level: { aggregates: RACKS.map((uuid) => ({ uuid })) }, members: ['m'], rule: 'SPREAD' }],
  };
  expect(await api.mutate('claim', input, 'topology { domains { consumerCount } }')).toEqual({
    __typename: 'ClaimPayload',
    topology: [{ domains: [{ consumerCount: 2 }] }],
  });
  const found = await api.read('{ workload(projectId: "p", name: "w") { topology { rule holds } } }');
  for (const { consumer } of consumers) await api.mutate('deleteConsumer', { consumer });
  expect(found).toEqual({ workload: { topology: [{ rule: 'SPREAD', holds: true }] } });
});
