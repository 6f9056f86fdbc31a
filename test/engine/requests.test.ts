import { describe, expect, test } from '@jest/globals';
import { InvalidInput } from '../../src/domain/invalidInput.js';
import type { CandidatesRequest } from '../../src/engine/model/request.js';
import { validateRequest } from '../../src/engine/model/requestValidation.js';
import { affinity, query, toRequest } from '../support/caseRequests.js';
import { aggregate } from '../support/forest.js';

const catalog = {
  hasClass: (name: string) => ['VCPU', 'MEMORY_MB'].includes(name),
  hasTrait: (name: string) => ['CUSTOM_RED', 'CUSTOM_BLUE'].includes(name),
};

const asked = (text: string): CandidatesRequest => toRequest(query(text), { providers: [], allocations: [] });

/** A sound request to spoil: an unsuffixed group, a granular one, a resourceless one. */
const sound = asked('resources=VCPU:1&resources_M=MEMORY_MB:64&required_N=CUSTOM_RED&same_subtree=_M,_N');

function spoil(position: number, change: Partial<CandidatesRequest['groups'][number]>): CandidatesRequest {
  return { ...sound, groups: sound.groups.with(position, { ...sound.groups[position], ...change }) };
}

function refusal(request: CandidatesRequest): { path: string; message: string } {
  try {
    validateRequest(request, catalog);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { path: error.path.join('.'), message: error.message };
  }
  throw new Error('the request was taken');
}

const amounts = (...list: [string, number][]) => ({
  resources: list.map(([resourceClass, amount]) => ({ resourceClass, amount })),
});
const [A, B] = [aggregate('A'), aggregate('B')];

/** Title, request, path of the field, and what of its value the message names. */
type Refusal = [title: string, request: CandidatesRequest, path: string, named: string];

const groups: Refusal[] = [
  ['rule 113: no groups at all', { ...sound, groups: [], sameSubtree: [] }, 'groups', 'group'],
  [
    'rule 113: no group with resources',
    asked('required_N=CUSTOM_RED&same_subtree=_N'),
    'groups',
    'resources',
  ],
  [
    'rule 114, D13: the unsuffixed group without resources',
    spoil(0, amounts()),
    'groups.0.resources',
    'unsuffixed',
  ],
  [
    'rule 114, D13, nested magic spec: an unsuffixed group that only requires',
    asked('resources_M=VCPU:1&required=CUSTOM_RED'),
    'groups.1.resources',
    'unsuffixed',
  ],
  [
    'rule 114, nested magic spec: a resourceless group in no subtree condition',
    { ...sound, sameSubtree: [affinity(['_M'])] },
    'groups.2.resources',
    '_N',
  ],
  [
    'rule 5: a suffix of 65 characters',
    spoil(1, { suffix: 'x'.repeat(65) }),
    'groups.1.suffix',
    'x'.repeat(65),
  ],
  ['rule 5: a suffix with a space', spoil(1, { suffix: '_M 1' }), 'groups.1.suffix', '_M 1'],
  ['rule 5: a suffix with a dot', spoil(1, { suffix: 'a.b' }), 'groups.1.suffix', 'a.b'],
  ['rule 5: a suffix with a letter beyond ASCII', spoil(1, { suffix: 'größe' }), 'groups.1.suffix', 'größe'],
  ['D7: a suffix twice', spoil(2, { suffix: '_M' }), 'groups.2.suffix', '_M'],
  ['D7: two unsuffixed groups', spoil(1, { suffix: '' }), 'groups.1.suffix', 'unsuffixed'],
];

const members: Refusal[] = [
  ['rule 14: amount 0', spoil(0, amounts(['VCPU', 0])), 'groups.0.resources.0.amount', '0'],
  [
    'rule 14: a negative amount',
    spoil(1, amounts(['VCPU', 1], ['MEMORY_MB', -5])),
    'groups.1.resources.1.amount',
    '-5',
  ],
  ['rule 14: half a unit', spoil(0, amounts(['VCPU', 1.5])), 'groups.0.resources.0.amount', '1.5'],
  ['rule 14: not a number', spoil(0, amounts(['VCPU', NaN])), 'groups.0.resources.0.amount', 'NaN'],
  [
    'rule 118, D7: a resource class twice in a group',
    spoil(0, amounts(['VCPU', 1], ['VCPU', 2])),
    'groups.0.resources.1.resourceClass',
    'VCPU',
  ],
  [
    'rule 121, D12: an unknown resource class',
    spoil(1, amounts(['CUSTOM_NOPE', 1])),
    'groups.1.resources.0.resourceClass',
    'CUSTOM_NOPE',
  ],
  ['D8: names compare by case', spoil(0, amounts(['vcpu', 1])), 'groups.0.resources.0.resourceClass', 'vcpu'],
  [
    'rule 121: an unknown trait that is required',
    spoil(1, { requiredTraits: [['CUSTOM_RED'], ['CUSTOM_BLUE', 'CUSTOM_NOPE']] }),
    'groups.1.requiredTraits.1.1',
    'CUSTOM_NOPE',
  ],
  [
    'rule 121: an unknown trait that is forbidden',
    spoil(1, { forbiddenTraits: ['CUSTOM_RED', 'CUSTOM_NOPE'] }),
    'groups.1.forbiddenTraits.1',
    'CUSTOM_NOPE',
  ],
  [
    'rule 120: a trait required and forbidden',
    spoil(2, { forbiddenTraits: ['CUSTOM_RED'] }),
    'groups.2.requiredTraits.0',
    'CUSTOM_RED',
  ],
  [
    'rule 120: alternatives that are all forbidden',
    spoil(0, {
      requiredTraits: [['CUSTOM_RED', 'CUSTOM_BLUE']],
      forbiddenTraits: ['CUSTOM_BLUE', 'CUSTOM_RED'],
    }),
    'groups.0.requiredTraits.0',
    'CUSTOM_BLUE',
  ],
  [
    'an empty list of alternative traits',
    spoil(0, { requiredTraits: [[]] }),
    'groups.0.requiredTraits.0',
    'trait',
  ],
  [
    'an empty list of alternative aggregates',
    spoil(1, { memberOf: [[A], []] }),
    'groups.1.memberOf.1',
    'aggregate',
  ],
  [
    'D7: a trait twice in a set of alternatives',
    spoil(0, { requiredTraits: [['CUSTOM_RED', 'CUSTOM_RED']] }),
    'groups.0.requiredTraits.0.1',
    'CUSTOM_RED',
  ],
  [
    'D7: a forbidden trait twice',
    spoil(0, { forbiddenTraits: ['CUSTOM_RED', 'CUSTOM_RED'] }),
    'groups.0.forbiddenTraits.1',
    'CUSTOM_RED',
  ],
  ['D7: an aggregate twice in a set', spoil(0, { memberOf: [[A, B, A]] }), 'groups.0.memberOf.0.2', A],
  [
    'D7: a forbidden aggregate twice',
    spoil(0, { forbiddenAggregates: [B, B] }),
    'groups.0.forbiddenAggregates.1',
    B,
  ],
];

const splitting: Refusal[] = [
  ['a granular group cannot split', spoil(1, { canSplit: ['MEMORY_MB'] }), 'groups.1.canSplit', '_M'],
  [
    'a class that the group does not ask for',
    spoil(0, { canSplit: ['VCPU', 'MEMORY_MB'] }),
    'groups.0.canSplit.1',
    'MEMORY_MB',
  ],
  ['an unknown class', spoil(0, { canSplit: ['CUSTOM_NOPE'] }), 'groups.0.canSplit.0', 'CUSTOM_NOPE'],
  ['D7: a class twice', spoil(0, { canSplit: ['VCPU', 'VCPU'] }), 'groups.0.canSplit.1', 'VCPU'],
];

const requestWide: Refusal[] = [
  [
    'rule 115: a subtree condition on a group that is not there',
    { ...sound, sameSubtree: [affinity(['_M', '_N']), affinity(['_M', '_X'])] },
    'sameSubtree.1.groups.1',
    '_X',
  ],
  [
    'rules 5 and 115: suffixes compare by case',
    { ...sound, sameSubtree: [affinity(['_m', '_N'])] },
    'sameSubtree.0.groups.0',
    '_m',
  ],
  [
    'rule 115: a subtree condition on the unsuffixed group',
    { ...sound, sameSubtree: [affinity(['_N', ''])] },
    'sameSubtree.0.groups.1',
    'unsuffixed',
  ],
  [
    'rule 115: an empty subtree condition',
    { ...sound, sameSubtree: [affinity(['_N']), affinity([])] },
    'sameSubtree.1.groups',
    'group',
  ],
  [
    'D7: a suffix twice in a subtree condition',
    { ...sound, sameSubtree: [affinity(['_M', '_N', '_M'])] },
    'sameSubtree.0.groups.2',
    '_M',
  ],
  [
    'a group that is not there kept out of a subtree',
    { ...sound, sameSubtree: [affinity(['_M', '_N']), affinity(['_N', '!_X'])] },
    'sameSubtree.1.except.0',
    '_X',
  ],
  [
    'the unsuffixed group kept out of a subtree',
    { ...sound, sameSubtree: [affinity(['_N', '!'])] },
    'sameSubtree.0.except.0',
    'unsuffixed',
  ],
  [
    'a subtree condition that only keeps out',
    { ...sound, sameSubtree: [affinity(['!_M', '!_N'])] },
    'sameSubtree.0.groups',
    'group',
  ],
  [
    'a group within a subtree and kept out of it',
    { ...sound, sameSubtree: [affinity(['_N', '_M', '!_M'])] },
    'sameSubtree.0.except.0',
    '_M',
  ],
  [
    'D7: a suffix kept out twice',
    { ...sound, sameSubtree: [affinity(['_N', '!_M', '!_M'])] },
    'sameSubtree.0.except.1',
    '_M',
  ],
  ['a group isolated that is not there', { ...sound, isolate: ['_M', '_m'] }, 'isolate.1', '_m'],
  ['the unsuffixed group isolated', { ...sound, isolate: [''] }, 'isolate.0', 'unsuffixed'],
  ['D7: a group isolated twice', { ...sound, isolate: ['_N', '_M', '_N'] }, 'isolate.2', '_N'],
  [
    'nested magic spec, Granular Isolation: together with the policy that isolates all',
    { ...sound, groupPolicy: 'ISOLATE', isolate: ['_M'] },
    'isolate',
    'groupPolicy',
  ],
  [
    'rule 125: a root trait required and forbidden',
    { ...sound, rootRequiredTraits: [['CUSTOM_RED']], rootForbiddenTraits: ['CUSTOM_RED'] },
    'rootRequiredTraits.0',
    'CUSTOM_RED',
  ],
  [
    'rule 121: an unknown root trait',
    { ...sound, rootRequiredTraits: [['CUSTOM_NOPE']] },
    'rootRequiredTraits.0.0',
    'CUSTOM_NOPE',
  ],
  [
    'rule 121: an unknown forbidden root trait',
    { ...sound, rootForbiddenTraits: ['CUSTOM_NOPE'] },
    'rootForbiddenTraits.0',
    'CUSTOM_NOPE',
  ],
  ['an empty set of root traits', { ...sound, rootRequiredTraits: [[]] }, 'rootRequiredTraits.0', 'trait'],
  ['an empty set of root aggregates', { ...sound, rootMemberOf: [[]] }, 'rootMemberOf.0', 'aggregate'],
  ['D7: a root aggregate twice', { ...sound, rootMemberOf: [[A, A]] }, 'rootMemberOf.0.1', A],
  [
    'D7: a forbidden root aggregate twice',
    { ...sound, rootForbiddenAggregates: [A, A] },
    'rootForbiddenAggregates.1',
    A,
  ],
  ['D7: a tree left out twice', { ...sound, notInTrees: [A, A] }, 'notInTrees.1', A],
  ['D7: a consumer to be away from twice', { ...sound, awayFromConsumers: [A, A] }, 'awayFromConsumers.1', A],
  ['D7: a consumer to be near twice', { ...sound, nearConsumers: [A, A] }, 'nearConsumers.1', A],
];

const ordering: Refusal[] = [
  [
    'D12: an unknown class',
    { ...sound, orderBy: [{ resourceClass: 'CUSTOM_NOPE', strategy: 'PACK' }] },
    'orderBy.0.resourceClass',
    'CUSTOM_NOPE',
  ],
  [
    'a class that no group asks for',
    { ...asked('resources=VCPU:1'), orderBy: [{ resourceClass: 'MEMORY_MB', strategy: 'SPREAD' }] },
    'orderBy.0.resourceClass',
    'MEMORY_MB',
  ],
  [
    'D7: a class twice, even by another strategy',
    {
      ...sound,
      orderBy: [
        { resourceClass: 'VCPU', strategy: 'SPREAD' },
        { resourceClass: 'VCPU', strategy: 'PACK' },
      ],
    },
    'orderBy.1.resourceClass',
    'VCPU',
  ],
  [
    'more entries than a list may have',
    { ...sound, orderBy: Array.from({ length: 1025 }, () => ({ resourceClass: 'VCPU', strategy: 'PACK' })) },
    'orderBy',
    '1025',
  ],
];

describe.each([
  ['groups', groups],
  ['members of a group', members],
  ['what can be split', splitting],
  ['what concerns the whole request', requestWide],
  ['the order', ordering],
])('refused: %s', (_name, table) => {
  test.each(table)('%s', (_title, request, path, named) => {
    const { path: found, message } = refusal(request);
    expect(found).toBe(path);
    expect(message).toContain(named);
  });
});

test('10,000 groups are refused', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...sound.groups[1], suffix: `g${index}` }));
  expect(refusal({ ...sound, groups: many, sameSubtree: [] }).path).toBe('groups');
});

describe('taken', () => {
  test.each([
    ['a sound request', sound],
    ['rule 5: a suffix of 64 characters', asked(`resources${'x'.repeat(64)}=VCPU:1`)],
    ['rule 5: suffixes that differ by case', asked('resources_a=VCPU:1&resources_A=VCPU:1')],
    ['D3, rule 116: two granular groups without a policy', asked('resources1=VCPU:1&resources2=VCPU:1')],
    ['rule 14: an amount that nobody has', spoil(0, amounts(['VCPU', 2147483647]))],
    ['rule 115: a subtree condition of a single group', { ...sound, sameSubtree: [affinity(['_N'])] }],
    [
      'rule 120: alternatives that are forbidden in part',
      spoil(0, { requiredTraits: [['CUSTOM_RED', 'CUSTOM_BLUE']], forbiddenTraits: ['CUSTOM_RED'] }),
    ],
    [
      'rule 122: an aggregate required and forbidden',
      spoil(0, { memberOf: [[A]], forbiddenAggregates: [A] }),
    ],
    [
      'rules 123 and 124: unknown aggregates and trees',
      spoil(0, { memberOf: [[A, B]], inTree: aggregate('none') }),
    ],
    [
      'a resourceless group that is only kept out of a subtree (rule 114)',
      { ...sound, sameSubtree: [affinity(['_M', '!_N'])] },
    ],
    [
      'a list of groups to isolate beside the policy that isolates none',
      { ...sound, groupPolicy: 'NONE' as const, isolate: ['_M', '_N'] },
    ],
    [
      'an order by classes of different groups',
      {
        ...sound,
        orderBy: [
          { resourceClass: 'MEMORY_MB', strategy: 'PACK' as const },
          { resourceClass: 'VCPU', strategy: 'SPREAD' as const },
        ],
      },
    ],
    ['a class to split', spoil(0, { canSplit: ['VCPU'] })],
    ['an unknown subtree', spoil(0, { inSubtree: aggregate('none') })],
    [
      'D11: alternatives for the root',
      { ...sound, rootRequiredTraits: [['CUSTOM_RED', 'CUSTOM_BLUE'], ['CUSTOM_RED']] },
    ],
  ])('%s', (_title, request) => {
    expect(() => validateRequest(request, catalog)).not.toThrow();
  });
});
