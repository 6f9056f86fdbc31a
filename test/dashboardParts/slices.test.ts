import { expect, test } from '@jest/globals';
import { slicesIn } from '../../dashboard/components/tree/slices';
import { withoutPartitions, type TreeProvider } from '../../dashboard/components/tree/treeLayout';
import {
  devicesIn,
  type Device,
  type DeviceInventory,
  type DeviceProvider,
} from '../../dashboard/views/host/devices';

const counter = (name: string, total = 1, given: Partial<DeviceInventory> = {}): DeviceInventory => {
  const used = given.used ?? 0;
  const amounts = { used, capacity: total, available: total - used, minUnit: 1 };
  return { resourceClass: { name }, ...amounts, isCounter: true, consumes: [], ...given };
};

/** A partition of 4 TOKENS of a device for each slice, with the class `WIDTHn`. */
function partition(device: string, first: number, last: number, used = 0): DeviceProvider {
  const slices = Array.from({ length: last - first + 1 }, (_, at) => `LANE${first + at}`);
  const consumes = [...slices.map((name) => [name, 1] as const), ['TOKENS', 4 * slices.length] as const].map(
    ([name, amount]) => ({ resourceProvider: { uuid: device }, resourceClass: { name }, amount }),
  );
  const name = `${device}/${first}-${last}`;
  const of = counter(`WIDTH${slices.length}`, 1, { used, isCounter: false, consumes });
  return { uuid: name, name, inventories: [of] };
}

const device = (uuid: string, used: readonly number[], tokens: number): DeviceProvider => ({
  uuid,
  name: uuid,
  inventories: [
    ...[10, 9, 8, 7].map((lane) => counter(`LANE${lane}`, 1, { used: Number(used.includes(lane)) })),
    counter('TOKENS', 16, { used: tokens }),
  ],
});

const takes = (provider: string, ...classes: string[]) =>
  classes.map((name) => ({ resourceProvider: { uuid: provider }, resourceClass: { name } }));

const drawingOf = ({ rows }: Device): string[] =>
  rows.flatMap(({ blocks }) =>
    blocks.map(
      ({ first, last, state, occupants }) =>
        `${first}-${last} ${state} ${occupants.map((each) => `${each.partition?.name} ${each.consumer}`).join()}`,
    ),
  );
const statesOf = ({ partitions }: Device): Record<string, string> =>
  Object.fromEntries(partitions.map(({ name, state, lacking }) => [name, [state, ...lacking].join(' ')]));

test('classes with a capacity of 1 that differ in a final number are a row, by number', () => {
  const names = ['LANE10', 'LANE9', 'LANE_X', 'PORT1', 'TOKENS1', 'TOKENS2'];
  const { rows, others } = slicesIn(names.map((name) => counter(name, name.startsWith('TOKENS') ? 2 : 1)));
  expect(rows.map(({ label, slices }) => [label, slices.map(({ number }) => number)])).toEqual([
    ['LANE9–10', [9, 10]],
  ]);
  expect(others.map(({ resourceClass }) => resourceClass.name)).toEqual([
    'LANE_X',
    'PORT1',
    'TOKENS1',
    'TOKENS2',
  ]);
});

test('adjacent slices of a partition are one block, and those of another partition are not', () => {
  const tree = [
    device('d', [7, 8, 9], 12),
    partition('d', 7, 8, 1),
    partition('d', 9, 9, 1),
    partition('d', 9, 10),
    partition('d', 10, 10),
  ];
  const consumers = [
    { uuid: 'c', allocations: [...takes('d/7-8', 'WIDTH2'), ...takes('d', 'LANE7', 'LANE8', 'TOKENS')] },
    { uuid: 'e', allocations: [...takes('d/9-9', 'WIDTH1'), ...takes('d', 'LANE9', 'TOKENS')] },
  ];
  const [found] = devicesIn(tree, consumers);
  expect(drawingOf(found)).toEqual(['7-8 used d/7-8 c', '9-9 used d/9-9 e', '10-10 free ']);
  expect(statesOf(found)).toEqual({
    'd/7-8': 'used LANE7 LANE8 TOKENS',
    'd/9-9': 'used LANE9',
    'd/9-10': 'blocked LANE9 TOKENS',
    'd/10-10': 'free',
  });
  expect(found.amounts.map(({ resourceClass, used }) => [resourceClass.name, used])).toEqual([
    ['TOKENS', 12],
  ]);
});

test('a partition that another program allocated without its counters occupies its slices', () => {
  const tree = [device('d', [], 0), partition('d', 7, 8, 1), partition('d', 8, 9), partition('d', 9, 10)];
  const [found] = devicesIn(tree, [{ uuid: 'c', allocations: takes('d/7-8', 'WIDTH2') }]);
  expect(drawingOf(found)).toEqual(['7-8 used d/7-8 c', '9-9 free ', '10-10 free ']);
  expect(statesOf(found)).toMatchObject({ 'd/8-9': 'blocked LANE8', 'd/9-10': 'free' });
  expect(found.amounts[0].used).toBe(8);
});

test('slices are drawn that an unknown consumer, a counter alone or two partitions use, and reserved ones', () => {
  const { inventories, ...rest } = device('d', [7, 8], 0);
  const tree = [
    {
      ...rest,
      inventories: inventories.map((of) =>
        of.resourceClass.name === 'LANE10' ? { ...of, available: 0 } : of,
      ),
    },
    partition('d', 9, 9, 1),
    partition('d', 9, 10, 1),
    partition('d', 10, 10),
  ];
  const [found] = devicesIn(tree, [
    { uuid: 'c', allocations: takes('d', 'LANE8') },
    { uuid: 'e', allocations: takes('d/9-9', 'WIDTH1') },
    { uuid: 'f', allocations: takes('d/9-10', 'WIDTH2') },
  ]);
  expect(drawingOf(found)).toEqual([
    '7-7 used ',
    '8-8 used undefined c',
    '9-9 over d/9-9 e,d/9-10 f',
    '10-10 used d/9-10 f',
  ]);
  const unused = devicesIn(tree.slice(0, 1), []);
  expect(drawingOf(unused[0]).at(-1)).toBe('10-10 reserved ');
});

test('an ordinary tree has no devices', () => {
  expect(
    devicesIn([{ uuid: 'h', name: 'h', inventories: [counter('VCPU', 8, { isCounter: false })] }], []),
  ).toEqual([]);
});

test('a drawing omits partitions without children, unless they are kept, and counts them', () => {
  const node = (uuid: string, parent: string | null, consumesCounters: boolean): TreeProvider => ({
    uuid,
    name: uuid,
    isSharing: false,
    parent: parent === null ? null : { uuid: parent },
    inventories: [{ resourceClass: { name: 'X' }, used: 0, capacity: 1, consumesCounters }],
  });
  const tree = [
    node('host', null, false),
    node('card', 'host', false),
    node('a', 'card', true),
    node('b', 'card', true),
    node('parent', 'card', true),
    node('child', 'parent', false),
    { ...node('empty', 'card', true), inventories: [] },
  ];
  const drawn = withoutPartitions(tree, new Set(['b']));
  expect(drawn.map(({ uuid, omittedChildren }) => [uuid, omittedChildren])).toEqual([
    ['host', undefined],
    ['card', 1],
    ['b', undefined],
    ['parent', undefined],
    ['child', undefined],
    ['empty', undefined],
  ]);
});
