import { describe, expect, test } from '@jest/globals';
import { query } from '../support/caseRequests.js';
import { forest, type Forest } from '../support/forest.js';
import { engines } from './engines.js';

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
