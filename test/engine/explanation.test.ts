import { describe, expect, test } from '@jest/globals';
import type { CandidateExplanation } from '../../src/engine/explanation/explanation.js';
import type { Elimination } from '../../src/engine/explanation/funnel.js';
import { naiveExplanation } from '../oracle/explanation.js';
import { query } from '../support/caseRequests.js';
import { engineExplanation } from '../support/engine.js';
import { aggregate, forest, type Forest } from '../support/forest.js';

interface Case {
  title: string;
  forest: Forest;
  query: string;
  /** Every stage as `suffix CONSTRAINT -eliminated =remaining`; a tree stage has `*` for its suffix. */
  stages: string;
  summary: string;
}

const stageOf = (lead: string, { constraint, eliminated, remaining }: Elimination): string =>
  `${lead}${constraint} -${eliminated} =${remaining}`;

function stagesOf({ groups, combination }: CandidateExplanation): string[] {
  return [
    ...groups.flatMap(({ suffix, eliminations }) =>
      eliminations.map((stage) => stageOf(suffix === '' ? '' : `${suffix} `, stage)),
    ),
    ...combination.map((stage) => stageOf('* ', stage)),
  ];
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function explains(cases: Case[]): void {
  test.each(cases)('$title', ({ forest: fleet, query: text, stages, summary }) => {
    const explanation = engineExplanation(fleet, query(text));
    expect(stagesOf(explanation)).toEqual(lines(stages));
    expect(explanation.summary).toBe(summary);
    // The naive engine counts the same.
    const naive = naiveExplanation(fleet, query(text));
    expect(explanation.satisfiableWhenEmpty).toBe(naive.satisfiableWhenEmpty);
    expect(lines(stages).filter((line) => !line.includes(' -0 '))).toEqual([
      ...naive.groups.flatMap(({ suffix, stages: some }) =>
        some.map(([name, gone, left]) => `${suffix === '' ? '' : `${suffix} `}${name} -${gone} =${left}`),
      ),
      ...naive.combination.map(([name, gone, left]) => `* ${name} -${gone} =${left}`),
    ]);
  });
}

const gpus = forest(`
  host1
    gpu1  VGPU:8(used=4,max=4)  +HW_GPU_API_VULKAN
  host2
    gpu2  VGPU:8(used=6,max=4)
  host3   VCPU:8                @A
`);

describe('one group', () => {
  explains([
    {
      title: 'nobody has the class',
      forest: gpus,
      query: 'resources_G=FPGA:1',
      stages: `
        _G NO_INVENTORY -5 =0
        * TREE_LACKS_GROUP -3 =0`,
      summary: '0 of 5 providers have FPGA; it would not fit even if nothing were allocated.',
    },
    {
      title: 'nobody has as much free, and how much the nearest has',
      forest: gpus,
      query: 'resources_G=VGPU:5',
      stages: `
        _G NO_INVENTORY -3 =2
        _G INSUFFICIENT_CAPACITY -2 =0
        * TREE_LACKS_GROUP -3 =0`,
      summary:
        '2 of 5 providers have VGPU; 0 of 2 providers have 5 VGPU free: at most 4 VGPU (max_unit 4); ' +
        'it would not fit even if nothing were allocated.',
    },
    {
      title: 'what is allocated stands in the way',
      forest: gpus,
      query: 'resources_G=VGPU:3&required_G=!HW_GPU_API_VULKAN',
      stages: `
        _G NO_INVENTORY -3 =2
        _G INSUFFICIENT_CAPACITY -1 =1
        _G FORBIDDEN_TRAITS -1 =0
        * TREE_LACKS_GROUP -3 =0`,
      summary:
        '1 of 2 providers have 3 VGPU free; 0 of 1 providers are without HW_GPU_API_VULKAN; ' +
        'it would fit if nothing were allocated.',
    },
    {
      title: 'units: of each the limit that came nearest',
      forest: forest(`
        a  VCPU:64(min=8)
        b  VCPU:64(max=4)
        c  VCPU:64(step=4)`),
      query: 'resources=VCPU:6',
      stages: `
        NO_INVENTORY -0 =3
        INSUFFICIENT_CAPACITY -0 =3
        MIN_UNIT -1 =2
        MAX_UNIT -1 =1
        STEP_SIZE -1 =0
        * TREE_LACKS_GROUP -3 =0`,
      summary:
        '1 of 2 trees have a max_unit that allows 6 VCPU; 0 of 1 trees have a step_size that allows 6 VCPU: ' +
        'at best 4 for VCPU; it would not fit even if nothing were allocated.',
    },
    {
      title: 'traits are judged on those that contribute together: the root has them, and gives nothing',
      forest: forest(`
        host     +CUSTOM_GOLD
          numa   VCPU:4  DISK_GB:10`),
      query: 'resources=VCPU:1,DISK_GB:1&required=CUSTOM_GOLD',
      stages: `
        NO_INVENTORY -0 =1
        INSUFFICIENT_CAPACITY -0 =1
        REQUIRED_TRAITS -1 =0
        * TREE_LACKS_GROUP -1 =0`,
      summary:
        '1 of 1 trees have 1 VCPU and 1 DISK_GB free; 0 of 1 trees can serve the group from providers that ' +
        'together have CUSTOM_GOLD; it would not fit even if nothing were allocated.',
    },
    {
      title: 'a sharing provider counts for every tree that it is linked with',
      forest: forest(`
        cn1  VCPU:4  @A
        cn2  VCPU:4
        ss   DISK_GB:100  @A sharing`),
      query: 'resources=VCPU:1,DISK_GB:1',
      stages: `
        NO_INVENTORY -2 =1
        INSUFFICIENT_CAPACITY -0 =1
        * TREE_LACKS_GROUP -2 =1`,
      summary: '1 of 3 trees can take the request; 1 of 3 trees have VCPU and DISK_GB.',
    },
    {
      title: 'an unknown tree and an unknown aggregate: nobody is there',
      forest: gpus,
      query: 'resources_G=VGPU:1&member_of_G=Z&in_tree_G=nowhere',
      stages: `
        _G NO_INVENTORY -3 =2
        _G INSUFFICIENT_CAPACITY -0 =2
        _G MEMBER_OF -2 =0
        * TREE_LACKS_GROUP -3 =0`,
      summary:
        `2 of 2 providers have 1 VGPU free; 0 of 2 providers are in aggregate ${aggregate('Z')}; ` +
        'it would not fit even if nothing were allocated.',
    },
    {
      title: 'an amount to be split: by how much the fullest tree falls short',
      forest: forest(`
        a
          a0  VCPU:4
          a1  VCPU:4(used=1)
        b
          b0  VCPU:6`),
      query: 'resources=VCPU:8&can_split=VCPU',
      stages: `
        NO_INVENTORY -0 =2
        INSUFFICIENT_CAPACITY -2 =0
        * TREE_LACKS_GROUP -2 =0`,
      summary:
        '2 of 2 trees have VCPU; 0 of 2 trees have 8 VCPU free: at most 7 VCPU; it would fit if nothing were allocated.',
    },
  ]);
});

const numa = forest(`
  host1            @A
    numa0  VCPU:4
      nic0  SRIOV_NET_VF:4
    numa1  VCPU:4(used=4)
      nic1  SRIOV_NET_VF:4
  host2            +CUSTOM_OLD
    numa2  VCPU:8
`);

describe('groups together', () => {
  explains([
    {
      title: 'roots, then who lacks which group',
      forest: numa,
      query: 'resources_C=VCPU:6&resources_N=SRIOV_NET_VF:1&root_required=!CUSTOM_OLD',
      stages: `
        _C NO_INVENTORY -4 =3
        _C INSUFFICIENT_CAPACITY -2 =1
        _N NO_INVENTORY -5 =2
        _N INSUFFICIENT_CAPACITY -0 =2
        * ROOT_TRAITS -1 =1
        * TREE_LACKS_GROUP -1 =0`,
      summary:
        'Each group can be served by itself, but 0 of 1 trees can serve every group: ' +
        '0 can serve group _C, 1 can serve group _N; it would not fit even if nothing were allocated.',
    },
    {
      title: 'the subtree condition',
      forest: numa,
      query: 'resources_C=VCPU:1&resources_N=SRIOV_NET_VF:1&in_subtree_N=numa1&same_subtree=_C,_N',
      stages: `
        _C NO_INVENTORY -4 =3
        _C INSUFFICIENT_CAPACITY -1 =2
        _N NO_INVENTORY -5 =2
        _N INSUFFICIENT_CAPACITY -0 =2
        _N IN_SUBTREE -1 =1
        * TREE_LACKS_GROUP -1 =1
        * SAME_SUBTREE -1 =0`,
      summary:
        'Each group can be served by itself, but 0 of 1 trees can put _C and _N into one subtree; ' +
        'it would fit if nothing were allocated.',
    },
    {
      title: 'isolation by policy',
      forest: numa,
      query: 'resources_1=VCPU:1&resources_2=VCPU:1&group_policy=isolate&root_member_of=A',
      stages: `
        _1 NO_INVENTORY -4 =3
        _1 INSUFFICIENT_CAPACITY -1 =2
        _2 NO_INVENTORY -4 =3
        _2 INSUFFICIENT_CAPACITY -1 =2
        * ROOT_AGGREGATES -1 =1
        * TREE_LACKS_GROUP -0 =1
        * GROUP_POLICY -1 =0`,
      summary:
        'Each group can be served by itself, but 0 of 1 trees have a separate provider for each ' +
        'granular group; it would fit if nothing were allocated.',
    },
    {
      title: 'isolation by list, and sums on one provider',
      forest: numa,
      query:
        'resources=VCPU:5&resources_1=VCPU:4&resources_2=SRIOV_NET_VF:3&resources_3=SRIOV_NET_VF:1&isolate=_2',
      stages: `
        NO_INVENTORY -0 =2
        INSUFFICIENT_CAPACITY -1 =1
        _1 NO_INVENTORY -4 =3
        _1 INSUFFICIENT_CAPACITY -1 =2
        _2 NO_INVENTORY -5 =2
        _2 INSUFFICIENT_CAPACITY -0 =2
        _3 NO_INVENTORY -5 =2
        _3 INSUFFICIENT_CAPACITY -0 =2
        * TREE_LACKS_GROUP -2 =0`,
      summary:
        'Each group can be served by itself, but 0 of 2 trees can serve every group: 1 can serve the ' +
        'unsuffixed group, 2 can serve group _1, 1 can serve group _2, 1 can serve group _3; it would not fit even if nothing were allocated.',
    },
    {
      title: 'a group to itself where it cannot be',
      forest: forest(`
        host
          pf0  SRIOV_NET_VF:4`),
      query: 'resources_1=SRIOV_NET_VF:1&resources_2=SRIOV_NET_VF:1&isolate=_1',
      stages: `
        _1 NO_INVENTORY -1 =1
        _1 INSUFFICIENT_CAPACITY -0 =1
        _2 NO_INVENTORY -1 =1
        _2 INSUFFICIENT_CAPACITY -0 =1
        * TREE_LACKS_GROUP -0 =1
        * ISOLATE -1 =0`,
      summary:
        'Each group can be served by itself, but 0 of 1 trees have a provider for _1 alone; ' +
        'it would not fit even if nothing were allocated.',
    },
    {
      title: 'each alone, but not the sum',
      forest: forest('cn  VCPU:4(used=1)'),
      query: 'resources_1=VCPU:2&resources_2=VCPU:2',
      stages: `
        _1 NO_INVENTORY -0 =1
        _1 INSUFFICIENT_CAPACITY -0 =1
        _2 NO_INVENTORY -0 =1
        _2 INSUFFICIENT_CAPACITY -0 =1
        * TREE_LACKS_GROUP -0 =1
        * MERGED_AMOUNT -1 =0`,
      summary:
        'Each group can be served by itself, but 0 of 1 trees can give the sums of what several groups ' +
        'take from one provider; it would fit if nothing were allocated.',
    },
  ]);
});

test('numbers are written with separators', () => {
  const many = forest('cn  MEMORY_MB:65536(used=60000)');
  expect(engineExplanation(many, query('resources=MEMORY_MB:8192')).summary).toBe(
    '1 of 1 trees have MEMORY_MB; 0 of 1 trees have 8,192 MEMORY_MB free: at most 5,536 MEMORY_MB; ' +
      'it would fit if nothing were allocated.',
  );
});

test('an amount that may be split can have candidates now and none if nothing were allocated', () => {
  const tree = forest(`
    cn
      whole  MEMORY_MB:9(used=1)
      green  MEMORY_MB:8          +CUSTOM_GREEN
  `);
  const inParts = query('resources=MEMORY_MB:9&can_split=MEMORY_MB&required=CUSTOM_GREEN');
  const { summary, satisfiableWhenEmpty } = engineExplanation(tree, inParts);
  expect(summary).toBe('1 of 1 trees can take the request.');
  expect(naiveExplanation(tree, inParts).satisfiableWhenEmpty).toBe(false); // one provider holds all of it then, without the trait
  expect(satisfiableWhenEmpty).toBe(false);
});
