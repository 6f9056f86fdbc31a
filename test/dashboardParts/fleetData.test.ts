import { expect, test } from '@jest/globals';
import { fleetDataOf, shareOf, shareOfGroup, withChanges } from '../../dashboard/views/fleet/fleetData';

type Answer = Parameters<typeof fleetDataOf>[0];

const ANSWER = {
  names: ['a', 'b', 'c'],
  capacities: [10, 0, 30],
  used: [5, 0, 3],
  available: [5, 0, 27],
  aggregates: [
    { aggregate: { uuid: '11111111-1111-4111-8111-111111111111', name: 'zone-10' }, trees: [0] },
    { aggregate: { uuid: '22222222-2222-4222-8222-222222222222', name: 'zone-9' }, trees: [2] },
    { aggregate: { uuid: '33333333-3333-4333-8333-333333333333', name: null }, trees: [2, 0] },
  ],
  traits: [
    { trait: { name: 'HW_GPU' }, trees: [2] },
    { trait: { name: 'COMPUTE_STATUS_DISABLED' }, trees: [1] },
  ],
} as unknown as Answer;

const groupsBy = (grouping: Parameters<typeof fleetDataOf>[1]) => fleetDataOf(ANSWER, grouping, null).groups;

test('hosts are grouped by zones in the order of their numbers, by a trait, or not', () => {
  expect(groupsBy({ kind: 'zone' })).toEqual([
    { label: 'zone-9', hosts: [2] },
    { label: 'zone-10', hosts: [0] },
    { label: 'others', hosts: [1] },
  ]);
  expect(groupsBy({ kind: 'trait', trait: 'HW_GPU' })).toEqual([
    { label: 'HW_GPU', hosts: [2] },
    { label: 'others', hosts: [0, 1] },
  ]);
  expect(groupsBy({ kind: 'none' })).toEqual([{ label: '', hosts: [0, 1, 2] }]);
});

test('unchanged hosts and groups keep their objects, and changes of usage are applied', () => {
  const data = fleetDataOf(ANSWER, { kind: 'zone' }, null);
  const again = fleetDataOf({ ...ANSWER, used: [6, 0, 3] }, { kind: 'zone' }, data);
  expect(again.groups).toBe(data.groups);
  expect(again.used).toEqual([6, 0, 3]);
  const changes = { names: ['c'], capacities: [40], used: [10], available: [30] } as unknown as Answer;
  const changed = withChanges(data, changes)!;
  expect([changed.capacities, changed.used, changed.available]).toEqual([
    [10, 0, 40],
    [5, 0, 10],
    [5, 0, 30],
  ]);
  expect(withChanges(data, { ...changes, names: ['new'] })).toBe(null);
});

test('a share is of the capacity, and null without any', () => {
  const data = fleetDataOf(ANSWER, { kind: 'none' }, null);
  expect([0, 1, 2].map((host) => shareOf(data, host))).toEqual([0.5, null, 0.1]);
  expect(shareOfGroup(data, { label: '', hosts: [0, 2] })).toBe(0.2);
  expect(shareOfGroup(data, { label: '', hosts: [1] })).toBe(null);
  expect([...data.inMaintenance]).toEqual([1]);
});
