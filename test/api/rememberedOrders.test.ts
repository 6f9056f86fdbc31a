import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { requestOf } from '../support/claims.js';

const { api } = useApi();
const HOSTS = ['e1000000-0000-4000-8000-000000000001', 'e1000000-0000-4000-8000-000000000002'];
const CONSUMER = 'ec100000-0000-4000-8000-000000000001';

test.each([
  [{ leastStranding: {} }],
  [{ leastStranding: { weights: [{ resourceClass: 'VCPU', weight: 1 }] } }],
  [{ nearConsumers: [] }],
  [{ preferTraits: [] }],
  [{ preferAggregates: [] }],
  [{ freeShare: { resourceClass: 'VCPU', strategy: 'PACK', aggregates: [] } }],
  [{ fewestProviders: true }],
])('a remembered request with the order %j is a valid input, and its host can be drained', async (term) => {
  for (const uuid of HOSTS)
    await api.mutate('applyProviderTree', {
      root: { uuid, name: uuid, inventories: [{ resourceClass: 'VCPU', total: 8 }] },
    });
  const { groups } = requestOf({ VCPU: 1 });
  const request = { groups: [{ ...groups[0], inTree: { uuid: HOSTS[0] } }], orderBy: [term] };
  const consumers = [{ consumer: CONSUMER, projectId: 'p', userId: 'u' }];
  const claim = await api.mutate('claim', { members: [{ name: 'vm', requests: [request], consumers }] });
  expect(claim).toEqual({ __typename: 'ClaimPayload' });
  const { consumer } = await api.read<{ consumer: { request: { input: object } } }>(
    `{ consumer(uuid: "${CONSUMER}") { request { input } } }`,
  );
  const again = await api.query(
    'query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) { complete } }',
    { request: consumer.request.input },
  );
  const drain = await api.query(`{ planDrain(from: { providers: { uuid: "${HOSTS[0]}" } }) { complete } }`);
  await api.mutate('deleteConsumer', { consumer: CONSUMER });
  expect([again.errors, drain.errors]).toEqual([undefined, undefined]);
  expect(drain.data).toEqual({ planDrain: { complete: true } });
});
