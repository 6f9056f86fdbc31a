import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { amounts, claimInput, newConsumers, requestOf, setAllocations, takes } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import { unchanged } from '../support/unchanged.js';

// Decision D17: inputs that the tables store as INT are Int.
const { database, api } = useApi();
const host = uuidOf('provider', 'host');

useForest(database, 'host VCPU:8\nother VCPU:8');

const LARGEST = 2147483647;
const REQUEST = `query ($request: AllocationCandidatesInput!, $limit: Int, $resources: [ResourceAmountInput!]!) {
  allocationCandidates(limit: $limit, request: $request) {
    complete
    allocationRequests { mappings { suffix } }
    explanation { summary }
  }
  headroom(request: $request) { count }
  resourceProviders(filter: { resources: $resources }) { totalCount }
}`;
const ask = (amount: number, limit?: number) => {
  const resources = amounts({ VCPU: amount });
  const groups = [
    { resources, canSplit: ['VCPU'] },
    { suffix: 'a', resources },
  ];
  return api.query(REQUEST, { request: { groups }, resources, limit });
};
const claimOf = (amount: number) => claimInput(requestOf({ VCPU: amount }), newConsumers());
const allocationOf = (amount: number) => takes(randomUUID(), null, { [host]: { VCPU: amount } });

test('the largest amount finds nothing, whichever way it is searched or claimed', async () => {
  const { data, errors } = await ask(LARGEST);
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    allocationCandidates: { complete: true, allocationRequests: [] },
    headroom: { count: 0 },
    resourceProviders: { totalCount: 0 },
  });
  expect(await api.mutate('claim', claimOf(LARGEST))).toMatchObject({ code: 'NO_CANDIDATES' });
  // the sum of the consumers exceeds 32 bits
  const all = [1, 2, 3].map(() => allocationOf(LARGEST));
  expect(await unchanged(database, () => setAllocations(api, ...all))).toMatchObject({
    code: 'CAPACITY_EXCEEDED',
    requested: 3 * LARGEST,
  });
  expect((await ask(1, LARGEST)).errors).toBeUndefined();
});

test.each([LARGEST + 1, Number.MAX_SAFE_INTEGER, -LARGEST - 2, 1.5])(
  '%d is no Int: not as an amount, a limit or a field of an inventory',
  async (number) => {
    for (const { errors } of [await ask(number), await ask(1, number)])
      expect(errors![0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    await expect(api.mutate('claim', claimOf(number))).rejects.toThrow('BAD_USER_INPUT');
    await expect(setAllocations(api, allocationOf(number))).rejects.toThrow('BAD_USER_INPUT');
    for (const field of ['total', 'reserved', 'minUnit', 'maxUnit', 'stepSize']) {
      const inventories = [{ resourceClass: 'VCPU', total: 8, [field]: number }];
      const write = api.mutate('applyProviderTree', { root: { name: 'host', inventories } });
      await expect(write).rejects.toThrow(`input.root.inventories[0].${field}`);
    }
  },
);

test.each([0, -1, -LARGEST - 1])('%d is INVALID_INPUT as an amount or a limit', async (number) => {
  const limited = await ask(1, number);
  expect(limited.errors).toMatchObject([{ extensions: invalidInput('limit') }]);
  const { data, errors } = await ask(number);
  expect(Object.values(data as object)).toEqual([null, null, null]);
  const within = ['groups', '0'];
  const paths = [['filter'], within, within].map((path) => [...path, 'resources', '0', 'amount']);
  const inputs = errors!.map(({ extensions: { code, path } }) => `${code} ${String(path)}`);
  expect(inputs.sort()).toEqual(paths.map((path) => `INVALID_INPUT ${String(path)}`).sort());
  expect(await api.mutate('claim', claimOf(number))).toMatchObject(
    invalidInput('members.0.requests.0.groups.0.resources.0.amount'),
  );
  expect(await setAllocations(api, allocationOf(number))).toMatchObject(
    invalidInput('consumers.0.allocations.providers.0.resources.0.amount'),
  );
});
