import { describe, expect, test } from '@jest/globals';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest, type Plan } from '../../src/search/plan.js';
import { anchorAt, type Anchor } from '../../src/search/anchor.js';
import { Nogoods } from '../../src/search/nogoods.js';
import { TreeFilter } from '../../src/search/treeFilter.js';
import { toRequest, type CaseRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

test('the nogoods of an operation take at most 32 MiB, and descents that end free theirs', () => {
  const effort = new Effort();
  const [plan, anchor] = [{ variables: [], sameSubtree: [] }, { providers: [] }] as unknown as [Plan, Anchor];
  const some = [new Nogoods(plan, anchor, effort), new Nogoods(plan, anchor, effort)];
  for (let at = 0; at < 40_000; at++) for (const nogoods of some) nogoods.add(`${at}`.padEnd(1_000));
  expect(some[0].has('0'.padEnd(1_000))).toBe(true);
  expect(some[0].has('39999'.padEnd(1_000))).toBe(false);
  expect(effort.nogoodBytes).toBeGreaterThan(31 * 2 ** 20);
  expect(effort.nogoodBytes).toBeLessThanOrEqual(32 * 2 ** 20);
  for (const nogoods of some) nogoods.release();
  expect(effort.nogoodBytes).toBe(0);
});

/** Two groups ask for VCPU, so that its amounts can merge on one provider; a third one is the unsuffixed group. */
const REQUEST: CaseRequest = {
  groups: [
    { suffix: '', resources: { VCPU: 1 }, required: [['CUSTOM_A']] },
    { suffix: '_ONE', resources: { VCPU: 1 } },
    { suffix: '_OTHER', resources: { VCPU: 1 } },
  ],
};

/** Returns the nogoods of a host with these children, and the number of the variable of each group. */
function nogoodsOf(children: readonly string[], request: CaseRequest) {
  const tree = forest(`host  +CUSTOM_A\n${children.map((child) => `  ${child}`).join('\n')}`);
  const snapshot = snapshotOf(tree);
  const plan = planRequest(snapshot, toRequest(request, tree))!;
  const anchor = anchorAt(snapshot, plan, new TreeFilter(snapshot, plan), 0, {
    seed: 1,
    effort: new Effort(),
  })!;
  const numbers = plan.variables.map(({ group }, variable) => [group.suffix, variable] as const);
  return { nogoods: new Nogoods(plan, anchor, new Effort()), variableOf: new Map(numbers) };
}

describe('two providers are interchangeable', () => {
  const isSwapped = (one: string, other: string, request = REQUEST): boolean => {
    const { nogoods, variableOf } = nogoodsOf([`one  ${one}`, `other  ${other}`], request);
    const variable = variableOf.get('_ONE')!;
    return nogoods.stateOf([variable], [0], 1) === nogoods.stateOf([variable], [1], 1);
  };

  test.each(['VCPU:8', 'VCPU:8  @A', 'VCPU:9(used=1)', 'VCPU:8  DISK_GB:8', 'VCPU:8  +CUSTOM_B'])(
    'if one has VCPU:8 and the other has %s',
    (other) => expect(isSwapped('VCPU:8', other)).toBe(true),
  );

  test.each(['VCPU:7', 'VCPU:8(used=1)', 'VCPU:8(max=7)', 'VCPU:8  +CUSTOM_A'])(
    'but not if the other has %s',
    (other) => expect(isSwapped('VCPU:8', other)).toBe(false),
  );

  test('but not if only one could serve another group', () => {
    const groups = [...REQUEST.groups.slice(0, 2), { suffix: '_OTHER', resources: { VCPU: 8 } }];
    expect(isSwapped('VCPU:9', 'VCPU:8(max=7)', { groups })).toBe(false);
  });

  test('with a subtree condition, only if they are leaves of one parent', () => {
    const request = { ...REQUEST, sameSubtree: [['_ONE', '_OTHER']] };
    expect(isSwapped('VCPU:8', 'VCPU:8', request)).toBe(true);
    expect(isSwapped('VCPU:8\n    child', 'VCPU:8', request)).toBe(false);
  });

  test('with an order by free share, only with equal free shares', () => {
    const orderBy: CaseRequest['orderBy'] = [{ freeShare: { resourceClass: 'VCPU', strategy: 'SPREAD' } }];
    expect(isSwapped('VCPU:8', 'VCPU:8', { ...REQUEST, orderBy })).toBe(true);
    expect(isSwapped('VCPU:8', 'VCPU:9(used=1)', { ...REQUEST, orderBy })).toBe(false);
  });
});

describe('two groups are interchangeable', () => {
  const areSwapped = (request: CaseRequest): boolean => {
    const { nogoods, variableOf } = nogoodsOf(['one  VCPU:8', 'other  VCPU:8'], request);
    const [one, other] = ['_ONE', '_OTHER'].map((suffix) => variableOf.get(suffix)!);
    return nogoods.stateOf([one], [0], 1) === nogoods.stateOf([other], [0], 1);
  };

  test('if they ask for the same', () => expect(areSwapped(REQUEST)).toBe(true));

  test('but not if one is isolated', () => {
    expect(areSwapped({ ...REQUEST, isolate: ['_ONE'] })).toBe(false);
    expect(areSwapped({ ...REQUEST, isolate: ['_ONE', '_OTHER'] })).toBe(true);
  });

  test('but not if they ask for different amounts', () => {
    const groups = [...REQUEST.groups.slice(0, 2), { suffix: '_OTHER', resources: { VCPU: 2 } }];
    expect(areSwapped({ groups })).toBe(false);
  });

  test('but not if a subtree condition names only one of them', () => {
    const groups = [...REQUEST.groups, { suffix: '_THIRD', resources: { VCPU: 1 } }];
    expect(areSwapped({ groups, sameSubtree: [['_ONE', '_THIRD']] })).toBe(false);
  });
});
