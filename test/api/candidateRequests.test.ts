import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { amounts, requestOf, setAllocations } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import type { AllocationRequest, Named } from '../support/shapes.js';

const DOCUMENT = `query ($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request) {
    allocationRequests {
      allocations { resourceProvider { uuid name } resources { resourceClass { name } amount } }
      mappings { suffix resourceProviders { name } }
    }
    providerSummaries { resourceProvider { name } }
  }
}`;

interface Found {
  readonly allocationRequests: readonly AllocationRequest[];
  readonly providerSummaries: readonly { readonly resourceProvider: Named }[];
}

const { api } = useApi();
/** A host with two NUMA nodes of 4 and 6 VCPU, a network card with functions below each. */
let host: Record<string, string>;

beforeAll(async () => {
  const node = (number: number, vcpu: number) => ({
    name: `numa${number}`,
    inventories: { VCPU: vcpu },
    children: [{ name: `nic${number}`, inventories: { SRIOV_NET_VF: 8 }, traits: ['HW_NUMA_ROOT'] }],
  });
  host = await createProviders(api, { name: 'host', children: [node(0, 4), node(1, 6)] });
});

const vcpu = (amount: number) => amounts({ VCPU: amount });
const vf = amounts({ SRIOV_NET_VF: 1 });

/** Each candidate as `numa0 VCPU:1 + nic1 SRIOV_NET_VF:1`, sorted. */
async function find(request: object): Promise<string[]> {
  const data = await api.read<{ allocationCandidates: Found }>(DOCUMENT, { request });
  return data.allocationCandidates.allocationRequests
    .map(({ allocations }) =>
      allocations
        .map(({ resourceProvider: { name }, resources }) => {
          const taken = resources.map(({ resourceClass, amount }) => `${resourceClass.name}:${amount}`);
          return [name, ...taken].join(' ');
        })
        .sort()
        .join(' + '),
    )
    .sort();
}

describe('over HTTP', () => {
  test('isolate: a network function by itself', async () => {
    const groups = ['_A', '_B', '_C'].map((suffix) => ({ suffix, resources: vf }));
    expect(await find({ groups, isolate: '_A' })).toEqual([
      'nic0 SRIOV_NET_VF:1 + nic1 SRIOV_NET_VF:2',
      'nic0 SRIOV_NET_VF:2 + nic1 SRIOV_NET_VF:1',
    ]);
  });

  test('sameSubtree.except: the function behind the other NUMA node', async () => {
    const groups = [
      { suffix: '_C', resources: vcpu(1) },
      { suffix: '_V', resources: vf },
    ];
    expect(await find({ groups, sameSubtree: { groups: '_C', except: '_V' } })).toEqual([
      'nic0 SRIOV_NET_VF:1 + numa1 VCPU:1',
      'nic1 SRIOV_NET_VF:1 + numa0 VCPU:1',
    ]);
  });

  test('inSubtree: one NUMA node and what is below it, in any spelling of its uuid', async () => {
    const resources = [...vcpu(1), ...vf];
    const inSubtree = { uuid: host.numa1.replaceAll('-', '').toUpperCase() };
    expect(await find({ groups: { resources, inSubtree } })).toEqual(['nic1 SRIOV_NET_VF:1 + numa1 VCPU:1']);
    expect(await find({ groups: { resources, inSubtree: { uuid: randomUUID() } } })).toEqual([]);
  });

  test('canSplit: over both NUMA nodes, which the mapping and the summaries show, and the claim as it stands', async () => {
    const request = requestOf({ VCPU: 9 }, { canSplit: 'VCPU' });
    expect(await find(requestOf({ VCPU: 9 }))).toEqual([]);
    expect(await find(request)).toEqual(['numa0 VCPU:3 + numa1 VCPU:6']);

    const { allocationCandidates } = await api.read<{ allocationCandidates: Found }>(DOCUMENT, { request });
    const { allocationRequests, providerSummaries } = allocationCandidates;
    const [{ suffix, resourceProviders }] = allocationRequests[0].mappings;
    expect(suffix).toBe('');
    expect(resourceProviders.map(({ name }) => name).sort()).toEqual(['numa0', 'numa1']);
    expect(providerSummaries.map(({ resourceProvider }) => resourceProvider.name)).toEqual(
      expect.arrayContaining(['host', 'numa0', 'nic0', 'numa1', 'nic1']),
    );

    const consumer = randomUUID();
    const providers = allocationRequests[0].allocations.map(({ resourceProvider, resources }) => ({
      resourceProvider: { uuid: resourceProvider.uuid },
      resources: resources.map(({ resourceClass: { name }, amount }) => ({ resourceClass: name, amount })),
    }));
    const owner = { generation: null, projectId: 'a-project', userId: 'a-user' };
    expect(await setAllocations(api, { consumer, ...owner, allocations: { providers } })).toMatchObject({
      __typename: 'SetAllocationsPayload',
    });
    expect(await find(request)).toEqual([]);
    await api.mutate('deleteConsumer', { consumer });
  });
});

test.each<[string, object, string]>([
  [
    'a suffix in except that no group has',
    { sameSubtree: [{ groups: ['_A', '_N'] }, { groups: '_A', except: '_X' }] },
    'sameSubtree.1.except.0',
  ],
  [
    'an unknown class in orderBy',
    { orderBy: { freeShare: { resourceClass: 'CUSTOM_NOPE', strategy: 'PACK' } } },
    'orderBy.0.freeShare.resourceClass',
  ],
])('%s is INVALID_INPUT, with its path', async (_what, change, path) => {
  const groups = [
    { suffix: '_A', resources: vf },
    { suffix: '_N', requiredTraits: 'HW_NUMA_ROOT' },
  ];
  const request = { groups, sameSubtree: { groups: ['_A', '_N'] }, ...change };
  expect(await api.failure(DOCUMENT, { request })).toMatchObject(invalidInput(path));
});
