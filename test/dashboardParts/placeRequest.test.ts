import { expect, test } from '@jest/globals';
import { amountFaults, readRequest, writeRequest } from '../../dashboard/views/place/placeAddress';
import { inputOf } from '../../dashboard/views/place/placeRequest';

const NEAR = '3a9cbd2e-6d0a-4d5e-9f1c-0f6f0f3d7c11';
const ADDRESS = {
  resources: 'VCPU:8',
  split: 'VCPU',
  required: 'HW_CPU_X86_AVX2|HW_NUMA_ROOT,!CUSTOM_PHYSNET_2',
  member_of: 'zone-01|zone-02',
  resources_A: 'SRIOV_NET_VF:1',
  resources_B: 'SRIOV_NET_VF:1',
  in_tree_B: NEAR,
  root_required: 'CUSTOM_RACK,!CUSTOM_OLD',
  same_subtree: '_A,_B',
  not_in_trees: 'host-00001',
  order: 'VCPU:spread,MEMORY_MB:pack,leastStranding',
  isolate: '_A',
  near: NEAR,
  away: 'other',
};

test('an address with every kind of condition is read as the input of the API', () => {
  expect(inputOf(readRequest(new URLSearchParams(ADDRESS)))).toEqual({
    groups: [
      {
        resources: [{ resourceClass: 'VCPU', amount: 8 }],
        requiredTraits: [['HW_CPU_X86_AVX2', 'HW_NUMA_ROOT']],
        forbiddenTraits: ['CUSTOM_PHYSNET_2'],
        memberOf: [[{ name: 'zone-01' }, { name: 'zone-02' }]],
        canSplit: ['VCPU'],
      },
      { suffix: '_A', resources: [{ resourceClass: 'SRIOV_NET_VF', amount: 1 }] },
      { suffix: '_B', resources: [{ resourceClass: 'SRIOV_NET_VF', amount: 1 }], inTree: { uuid: NEAR } },
    ],
    isolate: ['_A'],
    rootRequiredTraits: [['CUSTOM_RACK']],
    rootForbiddenTraits: ['CUSTOM_OLD', 'COMPUTE_STATUS_DISABLED'],
    sameSubtree: [{ groups: ['_A', '_B'], except: [] }],
    notInTrees: [{ name: 'host-00001' }],
    orderBy: [
      { freeShare: { resourceClass: 'VCPU', strategy: 'SPREAD' } },
      { freeShare: { resourceClass: 'MEMORY_MB', strategy: 'PACK' } },
      { leastStranding: {} },
    ],
    nearConsumers: [NEAR],
    awayFromConsumers: ['other'],
    seed: 1,
  });
});

test('a request is written to the address from which it is read', () => {
  for (const more of [{}, { group_policy: 'isolate', maintenance: 'allow' }]) {
    const address = new URLSearchParams({ ...ADDRESS, ...more });
    const written = writeRequest(readRequest(address));
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(address));
    expect(readRequest(written)).toEqual(readRequest(address));
  }
});

test('an address without a request selects the standard request, with the fewest providers first', () => {
  const { groups, orderBy } = inputOf(readRequest(new URLSearchParams({ colour: 'red' })));
  expect(groups[0].resources).toEqual([
    { resourceClass: 'VCPU', amount: 4 },
    { resourceClass: 'MEMORY_MB', amount: 8192 },
  ]);
  expect(orderBy).toEqual([{ fewestProviders: true }]);
});

test('the last amount of a class counts, VCPU=4 is an amount, and others are malformed', () => {
  const address = new URLSearchParams({
    resources: 'VCPU=2,MEMORY_MB:8192,VCPU:4,nonsense',
    resources_A: 'X:',
  });
  expect(readRequest(address).groups[0].resources).toEqual(['VCPU:4', 'MEMORY_MB:8192']);
  expect(amountFaults(address)).toEqual([
    '"nonsense" needs a resource class and an amount, such as VCPU:4.',
    '"" is no amount of X: write 4 or a size such as 16G.',
  ]);
});
