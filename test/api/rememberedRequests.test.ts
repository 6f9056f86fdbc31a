import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { textOfRequest, requestOfText, requestOf, groupOf } from '../../src/model/request.js';
import { refusal, useApi } from '../support/api.js';
import {
  claimed,
  claimInput,
  newConsumers,
  requestOf as inputOf,
  setAllocations,
  takes,
} from '../support/claims.js';

const file = useApi({ hasOther: true });

const TREE = `mutation ($input: ApplyProviderTreeInput!) { applyProviderTree(input: $input) { __typename } }`;
const hosts = [randomUUID(), randomUUID()];

beforeAll(async () => {
  for (const [at, uuid] of hosts.entries())
    await file.api.read(TREE, {
      input: {
        root: {
          uuid,
          name: `host ${at}`,
          inventories: [
            { resourceClass: 'VCPU', total: 64 },
            { resourceClass: 'MEMORY_MB', total: 64_000 },
          ],
          traits: ['HW_CPU_X86_AVX2'],
        },
      },
    });
});

interface Remembered {
  readonly input: object;
  readonly isOutdated: boolean;
  readonly createdAt: string;
}

async function rememberedOf(uuid: string, api = file.api): Promise<Remembered | null> {
  const { consumer } = await api.read<{ consumer: { request: Remembered | null } }>(
    'query ($uuid: UUID!) { consumer(uuid: $uuid) { request { input isOutdated createdAt } } }',
    { uuid },
  );
  return consumer.request;
}

async function claim(request: object, consumers: readonly object[], api = file.api): Promise<void> {
  const { __typename, ...rest } = await api.mutate('claim', claimInput(request, consumers));
  if (__typename !== 'ClaimPayload') throw new Error(JSON.stringify(rest));
}

const AVX = inputOf({ VCPU: 2 }, { requiredTraits: [['HW_CPU_X86_AVX2']] });

test('a claim remembers its request, without defaults and seed; the answer is an input again', async () => {
  const [consumer] = newConsumers();
  await claim({ ...AVX, seed: 7, groupPolicy: 'NONE', rootMemberOf: [], notInTrees: [{ name: 'host 1' }] }, [
    consumer,
  ]);
  const found = await rememberedOf(consumer.consumer);
  expect(found).toEqual({
    input: {
      groups: [{ requiredTraits: [['HW_CPU_X86_AVX2']], resources: [{ amount: 2, resourceClass: 'VCPU' }] }],
      notInTrees: [{ uuid: hosts[1] }],
    },
    isOutdated: false,
    createdAt: expect.any(String),
  });
  const { allocationCandidates } = await file.api.read<{ allocationCandidates: object }>(
    `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) {
       allocationRequests { allocations { resourceProvider { uuid } } } } }`,
    { request: found!.input },
  );
  expect(allocationCandidates).toEqual({
    allocationRequests: [{ allocations: [{ resourceProvider: { uuid: hosts[0] } }] }],
  });
});

test('servers store equal requests once, and each claim sets the request of its consumer', async () => {
  const consumers = newConsumers(3);
  const request = inputOf({ VCPU: 1, MEMORY_MB: 100 });
  await claim(request, [consumers[0]]);
  await claim({ groups: [{ ...request.groups[0], suffix: '' }], seed: 3 }, [consumers[1]], file.other);
  await claim(request, [consumers[2]]);
  const rows = await file.database.pool.query<{ count: number }[]>(
    'SELECT COUNT(*) AS count FROM placement_requests WHERE body LIKE \'%"amount":100%\'',
  );
  expect(rows).toEqual([{ count: 1 }]);
  for (const { consumer } of consumers) expect((await rememberedOf(consumer))?.input).toEqual(request);
  await claim(AVX, [{ ...consumers[1], generation: 1 }]);
  expect((await rememberedOf(consumers[1].consumer))?.input).toEqual(AVX);
});

test('claims of different requests in one transaction are remembered each with its own', async () => {
  const consumers = newConsumers(12);
  await Promise.all(
    consumers.map((consumer, at) => claim(inputOf({ VCPU: 1, MEMORY_MB: 1 + (at % 4) }), [consumer])),
  );
  for (const [at, { consumer }] of consumers.entries())
    expect((await rememberedOf(consumer))?.input).toEqual(inputOf({ VCPU: 1, MEMORY_MB: 1 + (at % 4) }));
});

test('a claim finds out that the audit has removed its request', async () => {
  const [one, other] = newConsumers(2);
  const request = inputOf({ VCPU: 1, MEMORY_MB: 777 });
  await claim(request, [one]);
  await file.database.pool.query('DELETE FROM placement_requests WHERE body LIKE \'%"amount":777%\'');
  expect(await rememberedOf(one.consumer)).toBeNull();
  await claim(request, [other]);
  expect((await rememberedOf(other.consumer))?.input).toEqual(request);
});

test('a consumer of setAllocations has no request until rememberRequests, which changes no generation', async () => {
  const consumer = await claimed(file.api, { [hosts[0]]: { VCPU: 2 } });
  expect(await rememberedOf(consumer)).toBeNull();
  const remember = (input: object) =>
    file.api.mutate('rememberRequests', input, 'consumers { uuid generation request { isOutdated input } }');
  expect(await remember({ consumers: [consumer], request: AVX })).toEqual({
    __typename: 'RememberRequestsPayload',
    consumers: [{ uuid: consumer, generation: 1, request: { isOutdated: false, input: AVX } }],
  });
  await setAllocations(file.api, takes(consumer, 1, { [hosts[0]]: { VCPU: 3 } }));
  expect(await rememberedOf(consumer)).toMatchObject({ isOutdated: true, input: AVX });
  const unknown = randomUUID();
  expect(await remember({ consumers: [consumer], request: AVX })).toMatchObject(
    refusal('INVALID_INPUT', 'consumers.0'),
  );
  expect(await remember({ consumers: [unknown], request: AVX })).toMatchObject(
    refusal('NOT_FOUND', 'consumers.0'),
  );
  const twice = { consumers: [consumer, consumer], request: inputOf({ VCPU: 3 }) };
  expect(await remember(twice)).toMatchObject(refusal('INVALID_INPUT', 'consumers.1'));
  const badTrait = inputOf({ VCPU: 3 }, { requiredTraits: [['CUSTOM_NONE']] });
  expect(await remember({ consumers: [consumer], request: badTrait })).toMatchObject({
    code: 'INVALID_INPUT',
  });
  expect(await rememberedOf(consumer)).toMatchObject({ isOutdated: true, input: AVX });
});

test('a write that deletes a consumer deletes its row; with keepOldAs the request stays with the named consumer', async () => {
  const [one, kept] = newConsumers(2);
  const rows = async (): Promise<number> => {
    const [{ count }] = await file.database.pool.query<{ count: number }[]>(
      'SELECT COUNT(*) AS count FROM placement_consumer_requests',
    );
    return count;
  };
  const before = await rows();
  await claim({ ...AVX, notInTrees: [{ uuid: hosts[1] }] }, [one]);
  expect(await rows()).toBe(before + 1);
  await claim({ ...AVX, notInTrees: [{ uuid: hosts[0] }] }, [
    { ...one, generation: 1, keepOldAs: { consumer: kept.consumer } },
  ]);
  expect(await rows()).toBe(before + 1);
  expect(await rememberedOf(kept.consumer)).toBeNull();
  await file.api.mutate('deleteConsumer', { consumer: one.consumer });
  expect(await rows()).toBe(before);
});

test('with keepRequest, a claim with further conditions keeps the remembered request of the consumer', async () => {
  const [one, other] = newConsumers(2);
  const plain = { ...inputOf({ VCPU: 2 }), notInTrees: [{ uuid: hosts[1] }] };
  await claim(plain, [one]);
  const narrower = { ...AVX, notInTrees: [{ uuid: hosts[0] }] };
  await claim(narrower, [{ ...one, generation: 1, keepRequest: true }]);
  expect(await rememberedOf(one.consumer)).toMatchObject({ input: plain, isOutdated: false });
  await claim(inputOf({ VCPU: 3 }), [{ ...one, generation: 2, keepRequest: true }]);
  expect(await rememberedOf(one.consumer)).toMatchObject({ input: plain, isOutdated: true });
  await claim(plain, [{ ...other, keepRequest: true }]);
  expect(await rememberedOf(other.consumer)).toBeNull();
});

test('a request that is too long to be remembered removes an older one', async () => {
  const [consumer] = newConsumers();
  await claim(AVX, [consumer]);
  const forbidden = Array.from({ length: 1_024 }, () => ({ uuid: randomUUID() }));
  const groups = Array.from({ length: 10 }, (_, at) => ({
    suffix: `_${at}`,
    resources: [{ resourceClass: 'VCPU', amount: 1 }],
    forbiddenAggregates: forbidden,
  }));
  const long = { groups };
  await claim(long, [{ ...consumer, generation: 1 }]);
  expect(await rememberedOf(consumer.consumer)).toBeNull();
});

test('the text of a request gives the same request again', () => {
  const input = {
    groups: [
      {
        ...groupOf('_A', [{ resourceClass: 'VCPU', amount: 1 }], {
          memberOf: [[hosts[0], hosts[1]]],
          inTree: hosts[0],
        }),
        canSplit: [],
      },
      groupOf('', [{ resourceClass: 'DISK_GB', amount: 5 }], {
        forbiddenTraits: ['A'],
        canSplit: ['DISK_GB'],
      }),
    ],
    sameSubtree: [{ groups: ['_A'], except: [] }],
    orderBy: [
      {
        preferTraits: [
          { trait: 'A', weight: 1 },
          { trait: 'B', weight: -2 },
        ],
      },
      { preferAggregates: [{ aggregate: hosts[0], weight: 1 }] },
      { freeShare: { resourceClass: 'VCPU', strategy: 'PACK' as const } },
      { fewestProviders: true },
      { nearConsumers: [hosts[1]] },
    ],
    awayFromConsumers: [hosts[0]],
    notInTrees: [hosts[1]],
    groupPolicy: 'ISOLATE' as const,
  };
  const body = textOfRequest({ ...input, includeExcluded: false, seed: 4 })!;
  expect(requestOfText(body, ['X', 'Y'])).toEqual(
    requestOf(input.groups, { ...input, excludedRootTraits: ['X', 'Y'] }),
  );
  const including = textOfRequest({ ...input, includeExcluded: true })!;
  expect(requestOfText(including, ['X']).excludedRootTraits).toEqual([]);
});

test('a request with more values than are remembered has no text', () => {
  const long = Array<string>(1_000).fill('A');
  expect(textOfRequest({ groups: [{ requiredTraits: Array(1_000).fill(long) }] })).toBeNull();
});

test('a remembered request is charged by its length under each alias, as are those of a workload', async () => {
  const notInTrees = Array.from({ length: 500 }, () => ({ uuid: randomUUID() }));
  const consumers = newConsumers();
  const workload = { name: 'long requests' };
  const written = await file.api.mutate('claim', {
    ...claimInput({ ...AVX, notInTrees }, consumers),
    workload,
  });
  expect(written.__typename).toBe('ClaimPayload');
  const aliases = (field: string): string =>
    Array.from({ length: 10 }, (_, at) => `a${at}: ${field}`).join(' ');
  const costOf = async (selection: string): Promise<number> => {
    const query = `query ($uuid: UUID!) { consumer(uuid: $uuid) { ${selection} } }`;
    const { errors, extensions } = await file.api.query(query, { uuid: consumers[0].consumer });
    expect(errors).toBeUndefined();
    return extensions!.cost!.actual;
  };
  const length = JSON.stringify(notInTrees).length;
  const least = (10 * length) / 512;
  expect(await costOf(`request { ${aliases('input')} }`)).toBeGreaterThan(least);
  expect(await costOf(`workload { members { ${aliases('requests')} } }`)).toBeGreaterThan(least);
  expect(await costOf(`request { ${aliases('isOutdated')} }`)).toBeLessThan(10);
});
