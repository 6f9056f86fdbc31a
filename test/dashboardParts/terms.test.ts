import { expect, test } from '@jest/globals';
import { amountFault, onePerClass } from '../../dashboard/components/terms';
import { readFlavors, STANDARD_FLAVORS } from '../../dashboard/views/fleet/fit/flavors';
import { readRequest, writeRequest } from '../../dashboard/views/place/placeAddress';
import { nameFault, nodeOf, renameGroup, toggleSameNode } from '../../dashboard/views/place/groups';

test('sizes are amounts in the unit of their class', () => {
  const sizes = ['MEMORY_MB:256G', 'DISK_GB=1.5TiB', 'CUSTOM_CACHE_KB:1M', 'VCPU:4'];
  expect(onePerClass(sizes)).toEqual(['MEMORY_MB:262144', 'DISK_GB:1536', 'CUSTOM_CACHE_KB:1024', 'VCPU:4']);
});

test.each([
  ['VCPU', '"VCPU" needs a resource class and an amount, such as VCPU:4.'],
  ['vcpu:4', '"vcpu" is no resource class: names have A-Z, 0-9 and _.'],
  ['VCPU:many', '"many" is no amount of VCPU: write 4 or a size such as 16G.'],
  ['VCPU:4G', '"4G" is no amount of VCPU: only classes such as MEMORY_MB have sizes.'],
  ['DISK_GB:512M', '"512M" of DISK_GB must be a whole number of at most 2147483647 GB.'],
  ['VCPU:2147483648', '"2147483648" of VCPU must be a whole number of at most 2147483647.'],
])('%s is refused with what is wrong', (term, fault) => expect(amountFault(term)).toBe(fault));

test('flavors have sizes, and those of the default are well-formed', () => {
  expect(readFlavors(STANDARD_FLAVORS)).toHaveLength(3);
  expect(readFlavors('a=VCPU:2,MEMORY_MB:4G;b=VCPU:x;c')).toEqual([
    {
      name: 'a',
      resources: [expect.objectContaining({ amount: 2 }), expect.objectContaining({ amount: 4096 })],
    },
  ]);
});

const request = (address: string) => readRequest(new URLSearchParams(address));
const addressOf = (given: ReturnType<typeof request>) => decodeURIComponent(String(writeRequest(given)));

test('a group gets another name in every condition', () => {
  const renamed = renameGroup(
    request('resources_A=VCPU:1&resources_B=VGPU:1&isolate=_A&same_subtree=_B,!_A'),
    '_A',
    '_C',
  );
  expect(addressOf(renamed)).toBe('resources_C=VCPU:1&resources_B=VGPU:1&isolate=_C&same_subtree=_B,!_C');
  expect(nameFault('_B', ['', '_B'])).toBe('Another group is named "_B".');
  expect(nameFault('', [''])).toBe('Another group has no name already.');
  expect(nameFault('a b', [])).toMatch(/^"a b" is no name/);
});

test('groups join a NUMA node, which leaves with the last pair', () => {
  const start = request('resources=VCPU:4&resources_GPU=VGPU:1&resources_NET=SRIOV_NET_VF:1');
  const pair = toggleSameNode(start, '_GPU', '');
  expect(addressOf(pair)).toBe(
    'resources_MAIN=VCPU:4&resources_GPU=VGPU:1&resources_NET=SRIOV_NET_VF:1&resources_NUMA=&required_NUMA=HW_NUMA_ROOT' +
      '&same_subtree=_NUMA,_MAIN,_GPU',
  );
  const three = toggleSameNode(pair, '_NET', '_GPU');
  expect(nodeOf(three, '_NET', '_MAIN')).toBe('_NUMA,_MAIN,_GPU,_NET');
  const two = toggleSameNode(three, '_GPU', '_MAIN');
  expect(two.sameSubtree).toEqual(['_NUMA,_MAIN,_NET']);
  expect(addressOf(toggleSameNode(two, '_NET', '_MAIN'))).toBe(
    'resources_MAIN=VCPU:4&resources_GPU=VGPU:1&resources_NET=SRIOV_NET_VF:1',
  );
});
