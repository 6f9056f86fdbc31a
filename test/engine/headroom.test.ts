import { describe, expect, test } from '@jest/globals';
import { naiveHeadroom } from '../oracle/headroom.js';
import { query } from '../support/caseRequests.js';
import { engineHeadroom } from '../support/engine.js';
import { forest, type Forest } from '../support/forest.js';

interface Case {
  title: string;
  forest: Forest;
  query: string;
  count: number;
  trees: number;
  /** Where the count is not proven to be the maximum. */
  inexact?: true;
}

const UP_TO = 12;

const nodes = forest(`
  host
    numa0  VCPU:4  MEMORY_MB:64
    numa1  VCPU:6  MEMORY_MB:32
`);

const functions = forest(`
  host
    pf0  VF:4
    pf1  VF:2
    pf2  VF:2
`);

describe('how many more fit', () => {
  test.each<Case>([
    {
      title: 'one provider: what is free by the amount',
      forest: forest('cn  VCPU:10(used=1)'),
      query: 'resources=VCPU:2',
      count: 4,
      trees: 1,
    },
    {
      title: 'units bind each claim by itself, not their sum',
      forest: forest('cn  VGPU:8(max=2,min=2)'),
      query: 'resources=VGPU:2',
      count: 4,
      trees: 1,
    },
    {
      title: 'an amount that units refuse never fits',
      forest: forest('cn  VGPU:8(max=2)'),
      query: 'resources=VGPU:3',
      count: 0,
      trees: 0,
    },
    {
      title: 'what is over capacity takes nothing away from others',
      forest: forest(`
        a  VCPU:4(used=9)
        b  VCPU:4`),
      query: 'resources=VCPU:1',
      count: 4,
      trees: 1,
    },
    {
      title: 'a granular group takes all of its classes from one provider',
      forest: nodes,
      query: 'resources_N=VCPU:2,MEMORY_MB:16',
      count: 4,
      trees: 1,
    },
    {
      title: 'the unsuffixed group may take them from two',
      forest: nodes,
      query: 'resources=VCPU:2,MEMORY_MB:16',
      count: 5,
      trees: 1,
    },
    {
      title: 'split amounts: the sum of the tree',
      forest: nodes,
      query: 'resources=VCPU:5&can_split=VCPU',
      count: 2,
      trees: 1,
    },
    {
      title: 'groups apart: the fullest first, so that two are left to the last',
      forest: functions,
      query: 'resources_1=VF:1&resources_2=VF:1&group_policy=isolate',
      count: 4,
      trees: 1,
    },
    {
      title: 'groups that may share a provider',
      forest: functions,
      query: 'resources_1=VF:1&resources_2=VF:1',
      count: 4,
      trees: 1,
    },
    {
      title: 'a group that can go anywhere leaves the scarce provider to the one that cannot',
      forest: forest(`
        host
          gold  VF:2  +CUSTOM_GOLD
          grey  VF:2`),
      query: 'resources_1=VF:1&resources_2=VF:1&required_2=CUSTOM_GOLD',
      count: 2,
      trees: 1,
    },
    {
      title: 'subtrees: each node by itself',
      forest: forest(`
        host
          numa0  VCPU:8
            nic0  VF:1
          numa1  VCPU:1
            nic1  VF:4`),
      query: 'resources_C=VCPU:1&resources_F=VF:1&same_subtree=_C,_F',
      count: 2,
      trees: 1,
    },
    {
      title: 'shared storage is there once, however many trees can reach it',
      forest: forest(`
        cn1  VCPU:8  @A
        cn2  VCPU:8  @A
        ss   DISK_GB:30  @A sharing`),
      query: 'resources=VCPU:1,DISK_GB:10',
      count: 3,
      trees: 2,
    },
    {
      title: 'a disk of its own comes before the one that is shared',
      forest: forest(`
        cn1  VCPU:3  DISK_GB:20  @A
        cn2  VCPU:3  @A
        ss   DISK_GB:40  @A sharing`),
      query: 'resources=VCPU:1,DISK_GB:10',
      count: 6,
      trees: 2,
    },
    {
      title: 'storage that is shared by others does not help',
      forest: forest(`
        cn1  VCPU:8  @A
        cn2  VCPU:1  @B
        sa   DISK_GB:10  @A sharing
        sb   DISK_GB:90  @B sharing`),
      query: 'resources=VCPU:1,DISK_GB:10',
      count: 2,
      trees: 2,
    },
    {
      title: 'conditions that no choice can meet',
      forest: functions,
      query: 'resources=VF:1&required=CUSTOM_GOLD',
      count: 0,
      trees: 0,
    },
    {
      title: 'an unknown aggregate',
      forest: functions,
      query: 'resources=VF:1&member_of=Z',
      count: 0,
      trees: 0,
    },
    {
      title:
        'packing: sixteen functions would be three times five, but not on these cards: counted, not proven',
      forest: forest(`
        host
          pf0  VF:4
          pf1  VF:4
          pf2  VF:4
          pf3  VF:4`),
      query: 'resources_1=VF:3&resources_2=VF:2',
      count: 2,
      trees: 1,
      inexact: true,
    },
  ])('$title', ({ forest: fleet, query: text, count, trees, inexact }) => {
    const exact = inexact !== true;
    expect(engineHeadroom(fleet, query(text), UP_TO)).toEqual({ count, reachedUpTo: false, exact, trees });
    const most = naiveHeadroom(fleet, query(text), UP_TO);
    if (exact) expect(most).toBe(count);
    else expect(most).toBeGreaterThanOrEqual(count);
  });

  test('it stops at upTo, which is then proven', () => {
    const cn = forest('cn  VCPU:10');
    const up = (upTo: number) => engineHeadroom(cn, query('resources=VCPU:1'), upTo);
    expect(up(9)).toMatchObject({ count: 9, reachedUpTo: true, exact: true });
    expect(up(10)).toMatchObject({ count: 10, reachedUpTo: true, exact: true });
    expect(up(11)).toMatchObject({ count: 10, reachedUpTo: false, exact: true });
  });
});
