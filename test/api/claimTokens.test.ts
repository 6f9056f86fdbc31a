import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { claimToken } from '../../src/moves/claim/claimToken.js';
import { useApi } from '../support/api.js';
import { claimed, generations, requestOf, setAllocations, shown } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest, useForest } from '../support/loadForest.js';
import type { AllocationRequest } from '../support/shapes.js';
import { unchanged } from '../support/unchanged.js';

const { database, api } = useApi({ hasBackground: false });

useForest(
  database,
  `
    host     VCPU:8 MEMORY_MB:4096 @rack
    storage  DISK_GB:100 @rack sharing
  `,
);

const HOST = uuidOf('provider', 'host');
const request = requestOf({ VCPU: 6, MEMORY_MB: 1024, DISK_GB: 10 });

/** The token of a candidate, resolved field by field or written as text. */
async function token(isText = true): Promise<string> {
  const data = await api.read<{ allocationCandidates: { allocationRequests: AllocationRequest[] } }>(
    `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request, limit: 1) {
       allocationRequests { claimToken ${isText ? '' : 'allocations { resourceProvider { inventories { total } } }'} }
     } }`,
    { request },
  );
  return data.allocationCandidates.allocationRequests[0].claimToken;
}

const claim = (given: unknown, consumer = randomUUID()) =>
  setAllocations(api, { consumer, projectId: 'p', userId: 'u', allocations: { claimToken: given } });

describe('a claim token', () => {
  test('stands for the allocations of its candidate, whether it is resolved or written as text', async () => {
    const consumer = randomUUID();
    const given = await token();
    expect(given).toMatch(/^[\w-]+$/);
    expect(await token(false)).toBe(given);
    expect(await claim(given, consumer)).toMatchObject({ consumers: [{ uuid: consumer, generation: 1 }] });
    expect(await shown(api, consumer)).toMatchObject({
      has: { host: { VCPU: 6, MEMORY_MB: 1024 }, storage: { DISK_GB: 10 } },
    });
  });

  test('remains valid after changes that leave enough capacity', async () => {
    const given = await token();
    await claimed(api, { [HOST]: { VCPU: 2 } });
    expect(await claim(given)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  });

  test('of a candidate that no longer fits is CAPACITY_EXCEEDED', async () => {
    const given = await token();
    await claimed(api, { [HOST]: { VCPU: 3 } });
    expect(await unchanged(database, () => claim(given))).toMatchObject({
      code: 'CAPACITY_EXCEEDED',
      resourceProviderUuid: HOST,
    });
  });

  test('works in reshape and in applyProviderTree', async () => {
    const consumers = [randomUUID(), randomUUID()];
    const wanted = (consumer: string, given: string, generation: number | null = null) => [
      { consumer, generation, projectId: 'p', userId: 'u', allocations: { claimToken: given } },
    ];
    const [generation] = await generations(api, HOST);
    const provider = { resourceProvider: { uuid: HOST }, generation };
    const inventories = [
      { resourceClass: 'VCPU', total: 12 },
      { resourceClass: 'MEMORY_MB', total: 4096 },
    ];
    const reshaped = await api.mutate(
      'reshape',
      { inventories: [{ ...provider, inventories }], allocations: wanted(consumers[0], await token()) },
      'consumers { uuid }',
    );
    expect(reshaped).toMatchObject({ consumers: [{ uuid: consumers[0] }] });
    const root = { uuid: HOST, name: 'host', traits: ['HW_CPU_X86_AVX2'] };
    const allocations = wanted(consumers[1], await token());
    expect(await api.mutate('applyProviderTree', { root, allocations }, 'reshaped')).toMatchObject({
      reshaped: true,
    });
  });
});

describe('INVALID_INPUT, with the path', () => {
  const path = ['consumers', '0', 'allocations', 'claimToken'];
  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  const decoded = (text: string) => Buffer.from(text, 'base64url').toString();

  test('a token of another database', async () => {
    const names = { has: () => true, idOf: () => 0, nameOf: () => 'VCPU' };
    expect(claimToken('00000000-0000', names, [])).toBe(encoded('1;00000000;.'));
    const whole = decoded(await token());
    const theirs = encoded(whole.replace(whole.split(';')[1], '00000000'));
    expect(await unchanged(database, () => claim(theirs))).toMatchObject({
      code: 'INVALID_INPUT',
      path,
      message: expect.stringContaining('another database') as unknown,
    });
  });

  test('a token that is no token', async () => {
    const whole = decoded(await token());
    const malformed = {
      empty: '',
      'any text': 'token',
      'cut at its end': encoded(whole.slice(0, -2)),
      'cut at its beginning': encoded(whole.slice(1)),
      'of another version': encoded(`9${whole.slice(1)}`),
      'without providers': encoded(`${whole.slice(0, 11)}.`),
      'with an amount of 0': encoded(whole.replace(':6', ':0')),
      'with an amount above 2^31-1': encoded(whole.replace(':6', ':2147483648')),
      'with a provider that is no uuid': encoded(whole.replace(HOST, 'host')),
    };
    await unchanged(database, async () => {
      for (const [what, given] of Object.entries(malformed))
        expect([what, await claim(given)]).toMatchObject([what, { code: 'INVALID_INPUT', path }]);
    });
  });

  test.each([{}, { claimToken: 'x', providers: [] }])('not exactly one of both: %j', async (allocations) => {
    const consumer = { consumer: randomUUID(), projectId: 'p', userId: 'u', allocations };
    await expect(setAllocations(api, consumer)).rejects.toThrow('BAD_USER_INPUT');
  });
});

test('a token whose provider was deleted is NOT_FOUND', async () => {
  const given = await token();
  await loadForest(database, forest('other VCPU:8'));
  expect(await unchanged(database, () => claim(given))).toMatchObject({ code: 'NOT_FOUND' });
});
