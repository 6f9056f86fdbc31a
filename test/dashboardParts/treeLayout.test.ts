import { describe, expect, test } from '@jest/globals';
import {
  indentTree,
  placeTree,
  type PlacedProvider,
  type TreeLayout,
  type TreeProvider,
} from '../../dashboard/components/tree/treeLayout';

const provider = (uuid: string, parent: string | null, ...classes: string[]): TreeProvider => ({
  uuid,
  name: uuid,
  isSharing: false,
  parent: parent === null ? null : { uuid: parent },
  inventories: classes.map((name) => ({ resourceClass: { name }, used: 1, capacity: 2 })),
});

const HOST = [
  provider('host', null, 'DISK_GB'),
  provider('numa0', 'host', 'VCPU', 'MEMORY_MB'),
  provider('pf0', 'numa0', 'SRIOV_NET_VF'),
  provider('pf1', 'numa0'),
  provider('numa1', 'host', 'VCPU', 'MEMORY_MB', 'CUSTOM_A_VERY_LONG_RESOURCE_CLASS_NAME'),
];
const POOLS = [provider('pool-1', null, 'DISK_GB'), provider('pool-2', null, 'DISK_GB', 'CUSTOM_IOPS')];

const widthOf = (resourceClass: string): number => 7 * resourceClass.length;

const LAYOUTS: readonly (readonly [string, TreeLayout<TreeProvider>])[] = [
  ['a wide screen', placeTree(HOST, POOLS, widthOf)],
  ['a narrow screen', indentTree(HOST, POOLS, 340)],
];

describe.each(LAYOUTS)('the layout of a tree on %s', (_name, { providers, links, width, height }) => {
  const at = (uuid: string): PlacedProvider => providers.find((placed) => placed.provider.uuid === uuid)!;

  test('has each provider once, within its size', () => {
    expect(providers.map((placed) => placed.provider)).toHaveLength(HOST.length + POOLS.length);
    expect(new Set(providers.map((placed) => placed.provider))).toEqual(new Set([...HOST, ...POOLS]));
    for (const one of providers) {
      expect(Math.min(one.x, one.y)).toBeGreaterThanOrEqual(0);
      expect(one.x + one.width).toBeLessThanOrEqual(width);
      expect(one.y + one.height).toBeLessThanOrEqual(height);
    }
  });

  test('has no overlapping boxes', () => {
    for (const [index, one] of providers.entries())
      for (const other of providers.slice(index + 1)) {
        const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
        const isAbove = one.y + one.height <= other.y || other.y + other.height <= one.y;
        expect([one.provider.uuid, other.provider.uuid, isBeside || isAbove]).toEqual([
          one.provider.uuid,
          other.provider.uuid,
          true,
        ]);
      }
  });

  test('has children at the right of their parents, and links to children and sharing providers', () => {
    expect(at('host').x).toBeLessThan(at('numa0').x);
    expect(at('numa0').x).toBeLessThan(at('pf0').x);
    expect(at('pf0').x).toBe(at('pf1').x);
    const names = links.map(({ from, to, isSharing }) => [from.provider.uuid, to.provider.uuid, isSharing]);
    expect(new Set(names)).toEqual(
      new Set([
        ['host', 'numa0', false],
        ['host', 'numa1', false],
        ['numa0', 'pf0', false],
        ['numa0', 'pf1', false],
        ['host', 'pool-1', true],
        ['host', 'pool-2', true],
      ]),
    );
  });
});

test('the boxes of a column are as wide as their longest resource class, up to a limit', () => {
  const widths = (classes: string[]): number[] =>
    placeTree(
      [provider('host', null, 'VCPU'), provider('child', 'host', ...classes)],
      [],
      widthOf,
    ).providers.map((placed) => placed.width);
  expect(widths(['VCPU'])).toEqual([208, 208]);
  expect(widths(['CUSTOM_OF_SOME_LENGTH'])).toEqual([279, 208]);
  expect(widths(['C'.repeat(200)])).toEqual([360, 208]);
});
