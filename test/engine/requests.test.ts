import { describe, expect, test } from '@jest/globals';
import { InvalidInput } from '../../src/model/input.js';
import type { CandidateOrder, CandidatesRequest } from '../../src/model/request.js';
import { validateRequest } from '../../src/search/candidateSearch.js';
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

const whole = (change: Partial<CandidatesRequest>): CandidatesRequest => ({ ...sound, ...change });
const subtrees = (...conditions: string[]): CandidatesRequest =>
  whole({ sameSubtree: conditions.map((names) => affinity(names === '' ? [] : names.split(' '))) });
const order = (...classes: string[]): CandidatesRequest =>
  whole({
    orderBy: classes.map((resourceClass, at) => ({
      freeShare: { resourceClass, strategy: at % 2 === 0 ? 'SPREAD' : 'PACK' },
    })),
  });
const terms = (...orderBy: CandidateOrder[]): CandidatesRequest => whole({ orderBy });
const [RED, BLUE, NOPE] = ['CUSTOM_RED', 'CUSTOM_BLUE', 'CUSTOM_NOPE'];
const LONG = 'x'.repeat(65);

/** Title, request, path of the field, and a part of the message. */
type Refusal = [title: string, request: CandidatesRequest, path: string, named: string];

const groups: Refusal[] = [
  ['rule 113: no groups', whole({ groups: [], sameSubtree: [] }), 'groups', 'group'],
  ['rule 113: no resources', asked('required_N=CUSTOM_RED&same_subtree=_N'), 'groups', 'resources'],
  ['rule 114, D13: no unsuffixed resources', spoil(0, amounts()), 'groups.0.resources', 'unsuffixed'],
  [
    'rule 114, D13: only traits',
    asked('resources_M=VCPU:1&required=CUSTOM_RED'),
    'groups.1.resources',
    'unsuffixed',
  ],
  ['rule 114: resourceless in no subtree condition', subtrees('_M'), 'groups.2.resources', '_N'],
  ['rule 5: 65 characters', spoil(1, { suffix: LONG }), 'groups.1.suffix', LONG],
  ['rule 5: a space', spoil(1, { suffix: '_M 1' }), 'groups.1.suffix', '_M 1'],
  ['rule 5: a dot', spoil(1, { suffix: 'a.b' }), 'groups.1.suffix', 'a.b'],
  ['rule 5: a letter beyond ASCII', spoil(1, { suffix: 'größe' }), 'groups.1.suffix', 'größe'],
  ['D7: a suffix twice', spoil(2, { suffix: '_M' }), 'groups.2.suffix', '_M'],
  ['D7: two unsuffixed groups', spoil(1, { suffix: '' }), 'groups.1.suffix', 'unsuffixed'],
];

const [TO_BE, NOT_TO_BE] = ['requiredTraits', 'forbiddenTraits'];
const traits = (requiredTraits: string[][], forbiddenTraits: string[] = []) => ({
  requiredTraits,
  forbiddenTraits,
});

const members: Refusal[] = [
  ['rule 14: 0', spoil(0, amounts(['VCPU', 0])), 'groups.0.resources.0.amount', '0'],
  ['rule 14: < 0', spoil(1, amounts(['VCPU', 1], ['MEMORY_MB', -5])), 'groups.1.resources.1.amount', '-5'],
  ['rule 14: half a unit', spoil(0, amounts(['VCPU', 1.5])), 'groups.0.resources.0.amount', '1.5'],
  ['rule 14: not a number', spoil(0, amounts(['VCPU', NaN])), 'groups.0.resources.0.amount', 'NaN'],
  ['rule 118, D7', spoil(0, amounts(['VCPU', 1], ['VCPU', 2])), 'groups.0.resources.1.resourceClass', 'VCPU'],
  ['rule 121, D12: class', spoil(1, amounts([NOPE, 1])), 'groups.1.resources.0.resourceClass', NOPE],
  ['D8: names compare by case', spoil(0, amounts(['vcpu', 1])), 'groups.0.resources.0.resourceClass', 'vcpu'],
  ['rule 121: required', spoil(1, traits([[RED], [BLUE, NOPE]])), `groups.1.${TO_BE}.1.1`, NOPE],
  ['rule 121: forbidden', spoil(1, traits([], [RED, NOPE])), `groups.1.${NOT_TO_BE}.1`, NOPE],
  ['rule 120: required and forbidden', spoil(2, traits([[RED]], [RED])), `groups.2.${TO_BE}.0`, RED],
  ['rule 120: all alternatives', spoil(0, traits([[RED, BLUE]], [BLUE, RED])), `groups.0.${TO_BE}.0`, BLUE],
  ['no alternative traits', spoil(0, traits([[]])), `groups.0.${TO_BE}.0`, 'trait'],
  ['no alternative aggregates', spoil(1, { memberOf: [[A], []] }), 'groups.1.memberOf.1', 'aggregate'],
  ['D7: a trait twice', spoil(0, traits([[RED, RED]])), `groups.0.${TO_BE}.0.1`, RED],
  ['D7: a forbidden trait twice', spoil(0, traits([], [RED, RED])), `groups.0.${NOT_TO_BE}.1`, RED],
  ['D7: an aggregate twice', spoil(0, { memberOf: [[A, B, A]] }), 'groups.0.memberOf.0.2', A],
  ['D7', spoil(0, { forbiddenAggregates: [B, B] }), 'groups.0.forbiddenAggregates.1', B],
];

const splitting: Refusal[] = [
  ['a granular group', spoil(1, { canSplit: ['MEMORY_MB'] }), 'groups.1.canSplit', '_M'],
  ['not requested', spoil(0, { canSplit: ['VCPU', 'MEMORY_MB'] }), 'groups.0.canSplit.1', 'MEMORY_MB'],
  ['an unknown class', spoil(0, { canSplit: [NOPE] }), 'groups.0.canSplit.0', NOPE],
  ['D7: a class twice', spoil(0, { canSplit: ['VCPU', 'VCPU'] }), 'groups.0.canSplit.1', 'VCPU'],
];

const requestWide: Refusal[] = [
  ['rule 115: an unknown group', subtrees('_M _N', '_M _X'), 'sameSubtree.1.groups.1', '_X'],
  ['rules 5 and 115: suffixes compare by case', subtrees('_m _N'), 'sameSubtree.0.groups.0', '_m'],
  ['rule 115: empty', subtrees('_N', ''), 'sameSubtree.1.groups', 'group'],
  [
    'rule 115: the unsuffixed group',
    whole({ sameSubtree: [affinity(['_N', ''])] }),
    'sameSubtree.0.groups.1',
    'unsuffixed',
  ],
  ['D7: a suffix twice', subtrees('_M _N _M'), 'sameSubtree.0.groups.2', '_M'],
  ['an unknown group outside', subtrees('_M _N', '_N !_X'), 'sameSubtree.1.except.0', '_X'],
  ['the unsuffixed group outside', subtrees('_N !'), 'sameSubtree.0.except.0', 'unsuffixed'],
  ['only groups outside', subtrees('!_M !_N'), 'sameSubtree.0.groups', 'group'],
  ['a group within and outside', subtrees('_N _M !_M'), 'sameSubtree.0.except.0', '_M'],
  ['D7: a suffix outside twice', subtrees('_N !_M !_M'), 'sameSubtree.0.except.1', '_M'],
  ['an unknown group isolated', whole({ isolate: ['_M', '_m'] }), 'isolate.1', '_m'],
  ['the unsuffixed group isolated', whole({ isolate: [''] }), 'isolate.0', 'unsuffixed'],
  ['D7: a group isolated twice', whole({ isolate: ['_N', '_M', '_N'] }), 'isolate.2', '_N'],
  ['a list and a policy', whole({ groupPolicy: 'ISOLATE', isolate: ['_M'] }), 'isolate', 'groupPolicy'],
  [
    'rule 125: a root trait required and forbidden',
    whole({ rootRequiredTraits: [[RED]], rootForbiddenTraits: [RED] }),
    'rootRequiredTraits.0',
    RED,
  ],
  [
    'rule 121: an unknown root trait',
    whole({ rootRequiredTraits: [[NOPE]] }),
    'rootRequiredTraits.0.0',
    NOPE,
  ],
  ['rule 121: unknown, forbidden', whole({ rootForbiddenTraits: [NOPE] }), 'rootForbiddenTraits.0', NOPE],
  ['no root traits', whole({ rootRequiredTraits: [[]] }), 'rootRequiredTraits.0', 'trait'],
  ['no root aggregates', whole({ rootMemberOf: [[]] }), 'rootMemberOf.0', 'aggregate'],
  ['D7: a root aggregate twice', whole({ rootMemberOf: [[A, A]] }), 'rootMemberOf.0.1', A],
  ['D7', whole({ rootForbiddenAggregates: [A, A] }), 'rootForbiddenAggregates.1', A],
  ['D7: a tree twice', whole({ notInTrees: [A, A] }), 'notInTrees.1', A],
  ['D7: a consumer twice, away', whole({ awayFromConsumers: [A, A] }), 'awayFromConsumers.1', A],
  ['D7: a consumer twice, near', whole({ nearConsumers: [A, A] }), 'nearConsumers.1', A],
];

const vcpuByMemory = { ...asked('resources=VCPU:1'), orderBy: order('MEMORY_MB').orderBy };
const ordering: Refusal[] = [
  ['D12: an unknown class', order(NOPE), 'orderBy.0.freeShare.resourceClass', NOPE],
  ['a class of no group', vcpuByMemory, 'orderBy.0.freeShare.resourceClass', 'MEMORY_MB'],
  ['D7: a class twice', order('VCPU', 'VCPU'), 'orderBy.1', 'already'],
  ['not the fewest', terms({ fewestProviders: false }), 'orderBy.0.fewestProviders', 'true'],
  [
    'D7: the fewest twice',
    terms({ fewestProviders: true }, { fewestProviders: true }),
    'orderBy.1',
    'already',
  ],
  [
    'D12: an unknown preferred trait',
    terms({ preferTraits: [{ trait: NOPE, weight: 1 }] }),
    'orderBy.0.preferTraits.0.trait',
    NOPE,
  ],
  [
    'D7: a preferred trait twice',
    terms({ preferTraits: [RED, BLUE, RED].map((trait) => ({ trait, weight: 1 })) }),
    'orderBy.0.preferTraits.2.trait',
    RED,
  ],
  [
    'D7: a preferred aggregate twice',
    terms({ preferAggregates: [A, A].map((each) => ({ aggregate: each, weight: 1 })) }),
    'orderBy.0.preferAggregates.1.aggregate',
    A,
  ],
  ['D7: a consumer twice', terms({ nearConsumers: [A, A] }), 'orderBy.0.nearConsumers.1', A],
  ['D7: consumers twice', terms({ nearConsumers: [A] }, { nearConsumers: [B] }), 'orderBy.1', 'already'],
  ['too many entries', order(...Array.from({ length: 1025 }, () => 'VCPU')), 'orderBy', '1025'],
];

describe.each([
  ['groups', groups],
  ['members of a group', members],
  ['what can be split', splitting],
  ['what concerns the whole request', requestWide],
  ['the order', ordering],
])('refused: %s', (_name, table) => {
  test.each(table)('%s (%#)', (_title, request, path, named) => {
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
    ['rule 14: an amount that no provider has', spoil(0, amounts(['VCPU', 2147483647]))],
    ['rule 115: a subtree condition of a single group', subtrees('_N')],
    ['rule 120: alternatives that are forbidden in part', spoil(0, traits([[RED, BLUE]], [RED]))],
    ['rule 122: an aggregate twice', spoil(0, { memberOf: [[A]], forbiddenAggregates: [A] })],
    ['rules 123 and 124: unknown', spoil(0, { memberOf: [[A, B]], inTree: aggregate('none') })],
    ['rule 114: a resourceless group outside of a subtree', subtrees('_M !_N')],
    ['isolated groups without a policy', whole({ groupPolicy: 'NONE', isolate: ['_M', '_N'] })],
    ['an order by classes of different groups', order('MEMORY_MB', 'VCPU')],
    ['a class to split', spoil(0, { canSplit: ['VCPU'] })],
    ['an unknown subtree', spoil(0, { inSubtree: aggregate('none') })],
    ['D11: alternatives for the root', whole({ rootRequiredTraits: [[RED, BLUE], [RED]] })],
  ])('%s', (_title, request) => {
    expect(() => validateRequest(request, catalog)).not.toThrow();
  });
});
