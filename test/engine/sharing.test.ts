import { describe, expect, test } from '@jest/globals';
import { query } from '../support/caseRequests.js';
import { forest, type Forest } from '../support/forest.js';
import { engines, runExamples } from './examples.js';

const cloud = forest(`
  cn1     VCPU:8        @A         +CUSTOM_GOLD
    nic1  SRIOV_NET_VF:2
  cn2     VCPU:8
    nic2  SRIOV_NET_VF:2  @A
  cn3     VCPU:8
  ss      DISK_GB:100   @A sharing
`);

describe('who shares with whom', () => {
  runExamples([
    {
      title: 'rule 144: one member of the tree, root or not, links the whole tree',
      forest: cloud,
      query: 'resources=VCPU:1,DISK_GB:1',
      finds: `
        cn1 VCPU:1 + ss DISK_GB:1
        cn2 VCPU:1 + ss DISK_GB:1`,
    },
    {
      title: 'rule 132: a granular group on a sharing provider stands under every linked root',
      forest: cloud,
      query: 'resources1=VCPU:1&resources2=DISK_GB:1',
      finds: `
        cn1 VCPU:1 + ss DISK_GB:1
        cn2 VCPU:1 + ss DISK_GB:1`,
    },
    {
      title: 'rule 150: what is served by sharing providers alone keeps all its anchors',
      forest: cloud,
      query: 'resources=DISK_GB:10&resources1=VCPU:1',
      finds: `
        cn1 VCPU:1 + ss DISK_GB:10
        cn2 VCPU:1 + ss DISK_GB:10`,
    },
    {
      title: 'rule 155: a candidate of sharing providers only is returned once',
      forest: cloud,
      query: 'resources=DISK_GB:1',
      finds: 'ss DISK_GB:1',
    },
    {
      title: 'rule 154: a third tree joins two sharing providers, though it contributes nothing',
      forest: forest(`
        join
          left   @A
          right  @B
        disks    DISK_GB:100      @A sharing
        pool     IPV4_ADDRESS:50  @B sharing`),
      query: 'resources1=DISK_GB:1&resources2=IPV4_ADDRESS:1',
      finds: 'disks DISK_GB:1 + pool IPV4_ADDRESS:1',
    },
    {
      title: 'rule 154: without it they are apart',
      forest: forest(`
        disks    DISK_GB:100      @A sharing
        pool     IPV4_ADDRESS:50  @B sharing`),
      query: 'resources1=DISK_GB:1&resources2=IPV4_ADDRESS:1',
      finds: '',
    },
    {
      title: 'rule 151: a child may share, though its own tree has nothing else to give',
      forest: forest(`
        cn       VCPU:8        @A
        rack
          store  DISK_GB:100   @A sharing`),
      query: 'resources=VCPU:1,DISK_GB:1',
      finds: 'cn VCPU:1 + store DISK_GB:1',
    },
    {
      title: 'a child that shares serves its own tree without an aggregate',
      forest: forest(`
        rack     VCPU:8
          store  DISK_GB:100   sharing`),
      query: 'resources=VCPU:1,DISK_GB:1',
      finds: 'rack VCPU:1 + store DISK_GB:1',
    },
    {
      title: 'rule 73: the sharing trait of another member of its tree does not make a provider sharing',
      forest: forest(`
        cn       VCPU:8        @A
        rack     @A sharing
          store  DISK_GB:100   @A`),
      query: 'resources=VCPU:1,DISK_GB:1',
      finds: '',
    },
    {
      title: 'rule 166: a sharing provider of another tree is in no subtree of this one',
      forest: cloud,
      query: 'resources1=VCPU:1&resources2=DISK_GB:1&same_subtree=1,2',
      finds: '',
    },
    {
      title: 'rule 164: two groups on one sharing provider are a subtree, with a third group elsewhere',
      forest: cloud,
      query: 'resources1=DISK_GB:1&resources2=DISK_GB:2&resources3=VCPU:1&same_subtree=1,2&in_tree3=cn1',
      finds: 'cn1 VCPU:1 + ss DISK_GB:3',
    },
  ]);
});

describe('filters and sharing providers', () => {
  const zones = forest(`
    cn1  VCPU:8       @A @Z1
    cn2  VCPU:8       @A @Z2
    ss   DISK_GB:100  @A @Z1 sharing
  `);

  runExamples([
    {
      title: 'rule 145: member_of asks a sharing provider itself, its anchor does not speak for it',
      forest: zones,
      query: 'resources=VCPU:1,DISK_GB:1&member_of=Z2',
      finds: '',
    },
    {
      title: 'rule 145: itself a member, it serves',
      forest: zones,
      query: 'resources=VCPU:1,DISK_GB:1&member_of=Z1',
      finds: 'cn1 VCPU:1 + ss DISK_GB:1',
    },
    {
      title: 'rule 142: in its own tree a sharing child is spoken for by its root',
      forest: forest(`
        rack     VCPU:8  @Z1
          store  DISK_GB:100  @A sharing
        cn       VCPU:8  @Z1 @A`),
      query: 'resources=VCPU:1,DISK_GB:1&member_of=Z1',
      finds: 'rack VCPU:1 + store DISK_GB:1',
    },
    {
      title: 'rule 146: a sharing provider in a forbidden aggregate is out everywhere',
      forest: zones,
      query: 'resources=VCPU:1,DISK_GB:1&member_of=!Z1',
      finds: '',
    },
    {
      title: 'rule 146: outside of it, it is out under the anchors inside and remains under the others',
      forest: zones,
      query: 'resources=VCPU:1,DISK_GB:1&member_of=!Z2',
      finds: 'cn1 VCPU:1 + ss DISK_GB:1',
    },
    {
      title: 'rule 146: the root of the sharing provider itself speaks for it in its own tree only',
      forest: forest(`
        cn       VCPU:8        @A
        rack     VCPU:8        @Z2
          store  DISK_GB:100   @A sharing`),
      query: 'resources=VCPU:1,DISK_GB:1&member_of=!Z2',
      finds: 'cn VCPU:1 + store DISK_GB:1',
    },
    {
      title: 'rule 147: in_tree of the unsuffixed group leaves sharing providers of other trees out',
      forest: cloud,
      query: 'resources=VCPU:1,DISK_GB:1&in_tree=cn1',
      finds: '',
    },
    {
      title: 'rule 147: in_tree of the sharing provider itself finds it',
      forest: cloud,
      query: 'resources=DISK_GB:1&in_tree=ss',
      finds: 'ss DISK_GB:1',
    },
    {
      title: 'rule 131: in_tree of a granular group leaves sharing providers of other trees out',
      forest: cloud,
      query: 'resources=VCPU:1&resources1=DISK_GB:1&in_tree1=cn1',
      finds: '',
    },
    {
      title: 'rule 160: root_required tests the anchor, not the root of the sharing provider',
      forest: cloud,
      query: 'resources=VCPU:1,DISK_GB:1&root_required=CUSTOM_GOLD',
      finds: 'cn1 VCPU:1 + ss DISK_GB:1',
    },
    {
      title: 'rule 161: of sharing providers only, a candidate needs any anchor that passes',
      forest: cloud,
      query: 'resources=DISK_GB:1&root_required=CUSTOM_GOLD',
      finds: 'ss DISK_GB:1',
    },
    {
      title: 'rule 161: as its own root it may pass itself',
      forest: cloud,
      query: 'resources1=DISK_GB:1&root_required=!CUSTOM_GOLD,MISC_SHARES_VIA_AGGREGATE',
      finds: 'ss DISK_GB:1',
    },
    {
      title: 'rule 161: with no anchor that passes it is out',
      forest: cloud,
      query: 'resources=DISK_GB:1&root_required=CUSTOM_GOLD,MISC_SHARES_VIA_AGGREGATE',
      finds: '',
    },
  ]);
});

describe('provider summaries', () => {
  const drawn = forest(`
    cn       VCPU:8(used=3,ratio=2) DISK_GB:10  @A  +HW_CPU_X86_SSE +HW_CPU_X86_AVX
      numa   MEMORY_MB:64(reserved=4)
        nic
    idle     VCPU:1                             @A
    rack
      store  DISK_GB:100                        @A sharing
      spare  DISK_GB:5
  `);
  const table: [title: string, text: string, names: string[]][] = [
    [
      'rule 177: the whole tree, with members that have no inventory',
      'resources=VCPU:2',
      ['cn', 'numa', 'nic'],
    ],
    [
      'rule 177: the whole tree of a contributing sharing provider',
      'resources1=VCPU:2&resources2=DISK_GB:50',
      ['cn', 'numa', 'nic', 'rack', 'store', 'spare'],
    ],
    ['rule 178: not a tree that gave the anchor only', 'resources=DISK_GB:50', ['rack', 'store', 'spare']],
    [
      'rule 178: not a tree whose provider serves a resourceless group only',
      'resources1=VCPU:2&required_S=MISC_SHARES_VIA_AGGREGATE&same_subtree=_S',
      ['cn', 'numa', 'nic'],
    ],
    ['nothing without candidates', 'resources=VCPU:99', []],
  ];

  describe.each(engines)('%s', (_name, answer) => {
    const named = (picture: Forest, text: string): string[] => {
      const { summaries } = answer(picture, query(text));
      return picture.providers.filter(({ uuid }) => uuid in summaries).map(({ name }) => name);
    };

    test.each(table)('%s', (_title, text, names) => {
      expect(named(drawn, text)).toEqual(names);
    });

    test('rule 179: all classes with capacity and used, all traits, parent and root', () => {
      const [cn, numa, nic] = drawn.providers;
      expect(answer(drawn, query('resources=VCPU:2')).summaries).toEqual({
        [cn.uuid]: {
          resources: { VCPU: { capacity: 16, used: 3 }, DISK_GB: { capacity: 10, used: 0 } },
          traits: ['HW_CPU_X86_AVX', 'HW_CPU_X86_SSE'],
          parent: null,
          root: cn.uuid,
        },
        [numa.uuid]: {
          resources: { MEMORY_MB: { capacity: 60, used: 0 } },
          traits: [],
          parent: cn.uuid,
          root: cn.uuid,
        },
        [nic.uuid]: { resources: {}, traits: [], parent: numa.uuid, root: cn.uuid },
      });
    });
  });
});
