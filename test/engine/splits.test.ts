import { describe } from '@jest/globals';
import { forest } from '../support/forest.js';
import { runExamples } from './examples.js';

/** Rule 137 is the other side of all of this: without canSplit an amount comes whole from one provider. */
describe('over as few providers as can hold it (canSplit)', () => {
  const numa = forest(`
    cn         MEMORY_MB:512
      numa0    VCPU:4
      numa1    VCPU:6
      numa2    VCPU:5
  `);

  runExamples([
    {
      title: 'one that can hold it alone: as without canSplit',
      forest: numa,
      query: 'resources=VCPU:5&can_split=VCPU',
      finds: `
        numa1 VCPU:5
        numa2 VCPU:5`,
    },
    {
      title: 'two: every pair that can hold it, the one with more free filled first',
      forest: numa,
      query: 'resources=VCPU:9&can_split=VCPU',
      finds: `
        numa1 VCPU:6 + numa2 VCPU:3 | =numa1,numa2
        numa1 VCPU:6 + numa0 VCPU:3 | =numa0,numa1
        numa2 VCPU:5 + numa0 VCPU:4 | =numa0,numa2`,
    },
    {
      title: 'a pair that cannot hold it is left out',
      forest: numa,
      query: 'resources=VCPU:10&can_split=VCPU',
      finds: `
        numa1 VCPU:6 + numa2 VCPU:4
        numa1 VCPU:6 + numa0 VCPU:4`,
    },
    {
      title: 'three where no two can',
      forest: numa,
      query: 'resources=VCPU:12&can_split=VCPU',
      finds: 'numa1 VCPU:6 + numa2 VCPU:5 + numa0 VCPU:1',
    },
    {
      title: 'more than the tree has',
      forest: numa,
      query: 'resources=VCPU:16&can_split=VCPU',
      finds: '',
    },
    {
      title: 'classes that are not named come whole',
      forest: numa,
      query: 'resources=VCPU:11,MEMORY_MB:512&can_split=VCPU',
      finds: 'numa1 VCPU:6 + numa2 VCPU:5 + cn MEMORY_MB:512',
    },
    {
      title: 'free capacity is what counts, by what is used and reserved',
      forest: forest(`
        cn
          numa0  VCPU:8(used=5)
          numa1  VCPU:6(reserved=2)`),
      query: 'resources=VCPU:6&can_split=VCPU',
      finds: 'numa1 VCPU:4 + numa0 VCPU:2',
    },
    {
      title: 'ties go by uuid: numa1 comes before numa0',
      forest: forest(`
        cn
          numa0  VCPU:4
          numa1  VCPU:4`),
      query: 'resources=VCPU:6&can_split=VCPU',
      finds: 'numa1 VCPU:4 + numa0 VCPU:2',
    },
    {
      title: 'two classes are split by themselves, each over its own smallest sets',
      forest: forest(`
        cn
          numa0  VCPU:4 MEMORY_MB:100
          numa1  VCPU:2 MEMORY_MB:400`),
      query: 'resources=VCPU:6,MEMORY_MB:450&can_split=VCPU,MEMORY_MB',
      finds: 'numa0 VCPU:4 MEMORY_MB:50 + numa1 VCPU:2 MEMORY_MB:400',
    },
    {
      title: 'each tree by itself: one that can hold it in one provider does not keep another from splitting',
      forest: forest(`
        big        VCPU:8
        cn
          numa0    VCPU:4
          numa1    VCPU:5`),
      query: 'resources=VCPU:8&can_split=VCPU',
      finds: `
        big VCPU:8
        numa1 VCPU:5 + numa0 VCPU:3`,
    },
  ]);
});

describe('every part is an amount that its provider could take by itself (canSplit, decision D1)', () => {
  runExamples([
    {
      title: 'max_unit bounds a part, and so the order of filling is not that of the parts',
      forest: forest(`
        cn
          a  VCPU:16(max=4)
          b  VCPU:8`),
      query: 'resources=VCPU:10&can_split=VCPU',
      finds: 'a VCPU:4 + b VCPU:6',
    },
    {
      title: 'min_unit: the first gives less than it could, so that the second gives enough',
      forest: forest(`
        cn
          a  VCPU:8
          b  VCPU:6(min=4)`),
      query: 'resources=VCPU:10&can_split=VCPU',
      finds: 'a VCPU:6 + b VCPU:4',
    },
    {
      title: 'step_size: the largest first part after which the rest is a multiple',
      forest: forest(`
        cn
          a  VCPU:10
          b  VCPU:8(step=4,min=4)`),
      query: 'resources=VCPU:17&can_split=VCPU',
      finds: 'a VCPU:9 + b VCPU:8',
    },
    {
      title: 'D1: min_unit itself is allowed where it is no multiple of step_size',
      forest: forest(`
        cn
          a  VCPU:10(step=10)
          b  VCPU:9(min=5,step=10)`),
      query: 'resources=VCPU:15&can_split=VCPU',
      finds: 'a VCPU:10 + b VCPU:5',
    },
    {
      title: 'steps that do not add up to the amount: nothing',
      forest: forest(`
        cn
          a  VCPU:8(step=2,min=2)
          b  VCPU:8(step=2,min=2)
          c  VCPU:8(step=2,min=2)`),
      query: 'resources=VCPU:11&can_split=VCPU',
      finds: '',
    },
    {
      title: 'three where two have room enough, but not in their steps',
      forest: forest(`
        cn
          a  VCPU:8(step=4,min=4)
          b  VCPU:9(step=4,min=4)
          c  VCPU:2(max=2)`),
      query: 'resources=VCPU:14&can_split=VCPU',
      finds: 'b VCPU:8 + a VCPU:4 + c VCPU:2',
    },
    {
      title: 'one that has room for the amount but may not give it in one part is not alone enough',
      forest: forest(`
        cn
          a  VCPU:16(max=8)
          b  VCPU:2`),
      query: 'resources=VCPU:9&can_split=VCPU',
      finds: 'a VCPU:8 + b VCPU:1',
    },
  ]);
});

describe('sharing providers give no parts (canSplit)', () => {
  runExamples([
    {
      title: 'neither beside the tree nor together',
      forest: forest(`
        cn   DISK_GB:60  @A
        ss1  DISK_GB:60  @A sharing
        ss2  DISK_GB:60  @A sharing`),
      query: 'resources=DISK_GB:100&can_split=DISK_GB',
      finds: '',
    },
    {
      title: 'one that holds the whole amount stays a candidate, beside the splits of the tree',
      forest: forest(`
        cn          VCPU:1        @A
          disk0     DISK_GB:60
          disk1     DISK_GB:50
        ss          DISK_GB:1000  @A sharing`),
      query: 'resources=VCPU:1,DISK_GB:100&can_split=DISK_GB',
      finds: `
        cn VCPU:1 + ss DISK_GB:100
        cn VCPU:1 + disk0 DISK_GB:60 + disk1 DISK_GB:40`,
    },
    {
      title: 'one in the tree itself is no different',
      forest: forest(`
        cn          VCPU:1
          disk0     DISK_GB:60
          disk1     DISK_GB:50
          pool      DISK_GB:90  sharing
          large     DISK_GB:100 sharing`),
      query: 'resources=VCPU:1,DISK_GB:100&can_split=DISK_GB',
      finds: `
        cn VCPU:1 + large DISK_GB:100
        cn VCPU:1 + disk0 DISK_GB:60 + disk1 DISK_GB:40`,
    },
  ]);
});

describe('what else binds the group binds every part (canSplit)', () => {
  const host = forest(`
    cn         MEMORY_MB:512  @A
      numa0    VCPU:4  +CUSTOM_RED
      numa1    VCPU:5  +CUSTOM_BLUE
      numa2    VCPU:6  @B
  `);

  runExamples([
    {
      title:
        'rule 141: no part comes from a provider with a forbidden trait, were it the only one to hold it alone',
      forest: forest(`
        cn
          numa0    VCPU:4
          numa1    VCPU:5
          numa2    VCPU:9  +CUSTOM_RED`),
      query: 'resources=VCPU:9&can_split=VCPU&required=!CUSTOM_RED',
      finds: 'numa1 VCPU:5 + numa0 VCPU:4',
    },
    {
      title: 'rule 140: those that give parts have the required traits together',
      forest: host,
      query: 'resources=VCPU:9&can_split=VCPU&required=CUSTOM_RED,CUSTOM_BLUE',
      finds: 'numa1 VCPU:5 + numa0 VCPU:4',
    },
    {
      title: 'rule 140: sets that lack them are dropped, no larger ones are looked for',
      forest: host,
      query: 'resources=VCPU:6&can_split=VCPU&required=CUSTOM_RED',
      finds: '',
    },
    {
      title: 'rules 142 and 146: aggregates of each part, or of the root',
      forest: host,
      query: 'resources=VCPU:9&can_split=VCPU&member_of=A&member_of=!B',
      finds: 'numa1 VCPU:5 + numa0 VCPU:4',
    },
    {
      title: 'in_subtree: smallest sets of the subtree',
      forest: forest(`
        cn           VCPU:16
          socket     VCPU:2
            numa0    VCPU:4
            numa1    VCPU:5
          numa2      VCPU:9`),
      query: 'resources=VCPU:9&can_split=VCPU&in_subtree=socket',
      finds: 'numa1 VCPU:5 + numa0 VCPU:4',
    },
  ]);
});

describe('splits beside granular groups (canSplit)', () => {
  const numa = forest(`
    cn
      numa0  VCPU:4
      numa1  VCPU:5
  `);

  runExamples([
    {
      title: 'rules 156 and 157: parts and groups on one provider are one amount, which must fit',
      forest: numa,
      query: 'resources=VCPU:7&can_split=VCPU&resources1=VCPU:2',
      finds: 'numa1 VCPU:5 + numa0 VCPU:4 | =numa0,numa1 1=numa0',
    },
    {
      title: 'splits are made of what is free, before other groups are placed',
      forest: numa,
      query: 'resources=VCPU:5&can_split=VCPU&resources1=VCPU:1&in_subtree1=numa1',
      finds: '',
    },
    {
      title: 'isolate: a provider had alone gives no part',
      forest: forest(`
        cn
          numa0  VCPU:4
          numa1  VCPU:5
          numa2  VCPU:5`),
      query: 'resources=VCPU:9&can_split=VCPU&resources_A=VCPU:1&isolate=_A',
      finds: `
        numa1 VCPU:5 + numa0 VCPU:4 + numa2 VCPU:1 | =numa0,numa1 _A=numa2
        numa2 VCPU:5 + numa0 VCPU:4 + numa1 VCPU:1 | =numa0,numa2 _A=numa1
        numa2 VCPU:5 + numa1 VCPU:4 + numa0 VCPU:1 | =numa1,numa2 _A=numa0`,
    },
    {
      title: 'the policy does not concern the unsuffixed group (rule 162)',
      forest: numa,
      query: 'resources=VCPU:6&can_split=VCPU&resources_A=VCPU:1&group_policy=isolate',
      finds: 'numa1 VCPU:5 + numa0 VCPU:2 | =numa0,numa1 _A=numa0',
    },
  ]);
});
