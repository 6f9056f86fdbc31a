import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimInput, newConsumers, requestOf } from '../support/claims.js';

const { api } = useApi({ hasBackground: false });

/** The source and the target of a live migration, the guest, and the consumer that keeps its former allocations. */
let [source, target, guest, kept] = ['', '', '', ''];
/** The aggregate of the hosts of a test. */
let rack = '';

async function host(): Promise<string> {
  const uuid = randomUUID();
  const inventories = [{ resourceClass: 'VCPU', total: 4 }];
  const root = { uuid, name: uuid, inventories, aggregates: [{ uuid: rack }] };
  const answer = await api.mutate('applyProviderTree', { root });
  expect(answer).toMatchObject({ __typename: 'ApplyProviderTreePayload' });
  return uuid;
}

async function claim(inTree: string, consumer: object): Promise<void> {
  const answer = await api.mutate(
    'claim',
    claimInput(requestOf({ VCPU: 1 }, { inTree: { uuid: inTree } }), [consumer]),
  );
  expect(answer).toMatchObject({ __typename: 'ClaimPayload' });
}

beforeEach(async () => {
  rack = randomUUID();
  [source, target, kept] = [await host(), await host(), randomUUID()];
  const [vm] = newConsumers();
  guest = vm.consumer;
  await claim(source, vm);
  await claim(target, { ...vm, generation: 1, keepOldAs: { consumer: kept, type: 'MIGRATION' } });
});

interface DrainMoves {
  readonly planDrain: { readonly complete: boolean; readonly moves: readonly object[] };
}

async function drained(): Promise<DrainMoves['planDrain']> {
  const { planDrain } = await api.read<DrainMoves>(
    `query ($from: TreesInput!) { planDrain(from: $from) { complete moves {
       consumer { uuid } code allocationRequest { claimToken } explanation { summary } } } }`,
    { from: { providers: { uuid: source } } },
  );
  return planDrain;
}

test('a drain lists what `keepOldAs` keeps with a code, until the client deletes it', async () => {
  const stays = { consumer: { uuid: kept }, code: 'KEPT', allocationRequest: null, explanation: null };
  expect(await drained()).toEqual({ complete: false, moves: [stays] });
  await api.mutate('deleteConsumer', { consumer: kept });
  expect(await drained()).toEqual({ complete: true, moves: [] });
});

/** Returns the number of moves that free a host of the rack. */
async function movesToFreeHosts(): Promise<number> {
  const { planRebalance } = await api.read<{ planRebalance: { moves: readonly object[] } }>(
    'query ($input: RebalanceInput!) { planRebalance(input: $input) { moves { consumer { uuid } } } }',
    { input: { goal: 'FREE_HOSTS', scope: { uuid: rack }, keep: [guest] } },
  );
  return planRebalance.moves.length;
}

test('a rebalancing does not move what `keepOldAs` keeps', async () => {
  expect(await movesToFreeHosts()).toBe(0);
});

test.each([
  ['of its project', () => ({ projects: ['p'] })],
  ['that are named', () => ({ consumers: [kept] })],
])('moves of consumers %s make no room by what `keepOldAs` keeps', async (_, movable) => {
  const input = claimInput(requestOf({ VCPU: 4 }, { inTree: { uuid: source } }), newConsumers());
  const { planWorkload } = await api.read<{ planWorkload: object }>(
    `query ($input: ClaimInput!, $movable: MovableInput!) {
       planWorkload(input: $input, makeRoom: { maxMoves: 3, movable: $movable }) { outcome plans { moveCount } } }`,
    { input, movable: movable() },
  );
  expect(planWorkload).toEqual({ outcome: 'IMPOSSIBLE', plans: [] });
});
