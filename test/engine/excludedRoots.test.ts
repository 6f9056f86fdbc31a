import { expect, test } from '@jest/globals';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { TRAITS } from '../oracle/randomForest.js';
import { engineAnswer, engineExplanation, engineHeadroom, snapshotOf } from '../support/engine.js';
import { fc } from '../support/fastCheck.js';
import { cases } from '../support/length.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { forest } from '../support/forest.js';

test('traits of roots exclude the same trees by the setting as by the request (seeded)', () => {
  const holds = ({ forest: fleet, request }: Pair, which: number, limit: number): void => {
    const trait = TRAITS[which % TRAITS.length];
    const forbidden = [...(request.rootForbidden ?? []), trait];
    const bySetting: CaseRequest = { ...request, excludedRootTraits: [trait, 'CUSTOM_UNKNOWN'] };
    const byRequest: CaseRequest = { ...request, rootForbidden: [...new Set(forbidden)] };
    const snapshot = snapshotOf(fleet);
    const { effort: _one, ...found } = engineAnswer(fleet, bySetting, { snapshot, limit });
    const { effort: _other, ...expected } = engineAnswer(fleet, byRequest, { snapshot, limit });
    expect(found).toEqual(expected);
    const headroom = (each: CaseRequest) => engineHeadroom(fleet, each, 5, Infinity, snapshot);
    expect(headroom(bySetting)).toEqual(headroom(byRequest));
    const explained = engineExplanation(fleet, bySetting, Infinity, snapshot);
    expect(explained.combination.at(-1)!.remaining).toBe(headroom(bySetting).trees);
    const roots = fleet.providers.filter(({ parent, traits }) => parent === null && traits.includes(trait));
    expect(explained.excludedRoots).toBe(roots.length);
  };
  const limits = fc.constantFrom(1, 3, 1_000);
  fc.assert(fc.property(new PairArbitrary(), fc.nat(), limits, holds), { numRuns: cases(2_000, 150) });
});

const FLEET = forest(`
  busy     @rack +DISABLED VCPU:8
  other    @rack +DISABLED VCPU:8
  open     @rack VCPU:2
    child  +DISABLED VCPU:8
  storage  @rack +DISABLED DISK_GB:10 sharing
`);

test('a tree is excluded by its root alone, shares nevertheless, and takes its own consumers', () => {
  const request: CaseRequest = {
    groups: [{ suffix: '', resources: { VCPU: 2, DISK_GB: 1 } }],
    excludedRootTraits: ['DISABLED'],
  };
  const rootsOf = (asked: CaseRequest): string[] =>
    engineAnswer(FLEET, asked)
      .candidates.flatMap(({ allocations }) => Object.keys(allocations))
      .map((uuid) => FLEET.providers.find((each) => each.uuid === uuid)!.name)
      .filter((name) => name !== 'storage')
      .sort();
  expect(rootsOf(request)).toEqual(['child', 'open']);
  expect(rootsOf({ ...request, ownProviders: ['busy'] })).toEqual(['busy', 'child', 'open']);
  expect(rootsOf({ ...request, ownProviders: ['storage'] })).toEqual(['child', 'open']);
  const { summary, combination } = engineExplanation(FLEET, request);
  expect(combination[0]).toMatchObject({ constraint: 'EXCLUDED_ROOTS', eliminated: 3, remaining: 1 });
  const large = { ...request, groups: [{ suffix: '', resources: { VCPU: 9 } }] };
  expect(engineExplanation(FLEET, large).excludedRoots).toBe(3);
  expect(summary).toBe('1 of 4 trees can take the request; 1 of 4 trees have a root without DISABLED.');
});
