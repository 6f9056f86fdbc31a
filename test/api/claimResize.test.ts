import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimInput, newConsumers, requestOf, shown } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';

const { api, database } = useApi({ hasBackground: false });

/** Six equal hosts. */
useForest(database, [1, 2, 3, 4, 5, 6].map((at) => `host${at} VCPU:8`).join('\n'));

type Consumers = ReturnType<typeof newConsumers>;

/** A claim of so many VCPU for each consumer, with a seed. */
const sized = (amount: number, consumers: Consumers, generation: number | null, topology: object[] = []) => ({
  ...claimInput(
    { ...requestOf({ VCPU: amount }), seed: amount },
    consumers.map((one) => ({ ...one, generation })),
  ),
  topology,
});

async function claim(input: object): Promise<void> {
  expect(await api.mutate('claim', input)).toMatchObject({ __typename: 'ClaimPayload' });
}

/** What each consumer has, by the name of the host. */
const held = async (consumers: Consumers) =>
  Promise.all(consumers.map(async ({ consumer }) => (await shown(api, consumer))!.has));

const DIFFERENT = { level: { tree: true }, members: ['member'], rule: 'DIFFERENT' };

test.each([
  ['a consumer', 1, []],
  ['each of three consumers in DIFFERENT trees', 3, [DIFFERENT]],
])('%s that grows or shrinks stays at its host, which has room', async (_, count, topology) => {
  const consumers = newConsumers(count);
  await claim(sized(1, consumers, null, topology));
  const hosts = (await held(consumers)).map((has) => Object.keys(has));
  for (const [at, amount] of [2, 3, 4, 5, 2].entries()) {
    await claim(sized(amount, consumers, at + 1, topology));
    expect(await held(consumers)).toEqual(hosts.map(([host]) => ({ [host]: { VCPU: amount } })));
  }
});

test('a consumer that grows leaves its host if this is full', async () => {
  const [one, other] = [newConsumers(), newConsumers()];
  await claim(sized(2, one, null));
  const [host] = Object.keys((await held(one))[0]);
  await claim(claimInput(requestOf({ VCPU: 6 }, { inTree: { uuid: uuidOf('provider', host) } }), other));
  await claim(sized(3, one, 1));
  expect(Object.keys((await held(one))[0])).not.toEqual([host]);
});

test('movedCount of a plan counts a resize, whose allocations change', async () => {
  const consumers = newConsumers();
  await claim(sized(2, consumers, null));
  const [host] = Object.keys((await held(consumers))[0]);
  const { planWorkload } = await api.read<{ planWorkload: unknown }>(
    `query ($input: ClaimInput!) { planWorkload(input: $input) { plans { optimal movedCount consumers {
       allocationRequest { allocations { resourceProvider { name } } } } } } }`,
    { input: sized(3, consumers, 1) },
  );
  const allocations = [{ resourceProvider: { name: host } }];
  expect(planWorkload).toEqual({
    plans: [{ optimal: true, movedCount: 1, consumers: [{ allocationRequest: { allocations } }] }],
  });
});
