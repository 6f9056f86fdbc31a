import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { requestOf } from '../support/claims.js';

const { api } = useApi();
const [A, B] = ['e3000000-0000-4000-8000-000000000001', 'e3000000-0000-4000-8000-000000000002'];
const [FIXED, MOVABLE, NEW] = [1, 2, 3].map((each) => `ec300000-0000-4000-8000-00000000000${each}`);

const input = (consumer: string, projectId: string, request: object): object => ({
  members: [{ name: 'm', requests: [request], consumers: [{ consumer, projectId, userId: 'u' }] }],
});

test.each([
  ['awayFromConsumers', 3],
  ['nearConsumers', 2],
])('moves that make room keep %s of a consumer that may not move itself', async (relation, amount) => {
  for (const uuid of [A, B])
    await api.mutate('applyProviderTree', {
      root: { uuid, name: uuid, inventories: [{ resourceClass: 'VCPU', total: 4 }] },
    });
  const onB = (amount: number): object => ({ ...requestOf({ VCPU: amount }), notInTrees: [{ uuid: A }] });
  await api.mutate('claim', input(MOVABLE, 'movable', onB(2)));
  const related = { ...requestOf({ VCPU: 1 }), [relation]: [MOVABLE] };
  expect(await api.mutate('claim', input(FIXED, 'fixed', related))).toEqual({ __typename: 'ClaimPayload' });
  // only a move of the movable consumer to A would make room, which the relation of the fixed one forbids
  const plan = await api.read(
    `query ($input: ClaimInput!) {
      planWorkload(input: $input, makeRoom: { movable: { projects: ["movable"] } }) {
        outcome plans { moves { consumer { uuid } } }
      }
    }`,
    { input: input(NEW, 'new', onB(amount)) },
  );
  for (const consumer of [FIXED, MOVABLE]) await api.mutate('deleteConsumer', { consumer });
  expect(plan).toEqual({ planWorkload: { outcome: 'IMPOSSIBLE', plans: [] } });
});
