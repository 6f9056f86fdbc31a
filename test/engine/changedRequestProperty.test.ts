import { expect, test } from '@jest/globals';
import { assertEnough, fc } from '../support/fastCheck.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { candidateKeys, type Candidate } from '../support/answers.js';
import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import { engineAnswer, snapshotOf } from '../support/engine.js';
import type { Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

/** The snapshots of forests, none of which changes. */
const snapshots = new WeakMap<Forest, ReturnType<typeof snapshotOf>>();

function candidates(forest: Forest, request: CaseRequest): Candidate[] {
  const snapshot = snapshots.get(forest) ?? snapshotOf(forest);
  snapshots.set(forest, snapshot);
  return engineAnswer(forest, request, { snapshot }).candidates;
}

const suffixesOf = ({ groups }: CaseRequest): string[] => groups.map(({ suffix }) => suffix).filter(Boolean);

/** What must hold between the answers to a request and to a changed one, and that the change matters to some answers. */
function property(
  title: string,
  change: (pair: Pair, chance: number) => CaseRequest | null,
  judge: (before: string[], after: string[], pair: Pair) => boolean,
  numRuns = cases(1_000, 100),
): void {
  test(title, async () => {
    let mattered = 0;
    const holds = (pair: Pair, chance: number): void => {
      const changed = change(pair, chance);
      if (changed === null) return;
      const [before, after] = [pair.request, changed].map((request) =>
        candidateKeys(candidates(pair.forest, request)),
      );
      if (before.length !== after.length) mattered++;
      if (!judge(before, after, pair)) expect({ before, changed }).toEqual({ after });
    };
    await assertEnough(
      fc.property(new PairArbitrary(), fc.nat(), holds),
      { numRuns },
      () => mattered > numRuns / 50,
    );
  });
}

const addsNone = (before: string[], after: string[]): boolean => after.every((key) => before.includes(key));
const removesNone = (before: string[], after: string[]): boolean => addsNone(after, before);

property(
  'isolating one more group never adds a candidate',
  ({ request }, chance) => {
    const free = suffixesOf(request).filter((suffix) => !request.isolate?.includes(suffix));
    if (request.groupPolicy === 'isolate' || free.length === 0) return null;
    return { ...request, isolate: [...(request.isolate ?? []), free[chance % free.length]] };
  },
  addsNone,
);

property(
  'the policy never adds a candidate, and isolating all groups adds none to it: it keeps the unsuffixed group away too',
  ({ request }) => (request.isolate?.length ? null : { ...request, groupPolicy: 'isolate' }),
  (before, after, { forest, request }) =>
    addsNone(before, after) &&
    addsNone(
      after,
      candidateKeys(candidates(forest, { ...request, groupPolicy: 'none', isolate: suffixesOf(request) })),
    ),
);

property(
  'keeping one more group out of a subtree never adds a candidate',
  ({ request }, chance) => {
    const [condition, ...others] = request.sameSubtree ?? [];
    const free = suffixesOf(request).filter(
      (suffix) => !condition?.includes(suffix) && !condition?.includes(`!${suffix}`),
    );
    if (condition === undefined || free.length === 0) return null;
    return { ...request, sameSubtree: [[...condition, `!${free[chance % free.length]}`], ...others] };
  },
  addsNone,
);

const withSubtree = ({ forest, request }: Pair, chance: number): CaseRequest | null => {
  const at = chance % request.groups.length;
  const group = request.groups[at];
  if (group.inSubtree || group.canSplit?.length) return null;
  const { name } = forest.providers[Math.floor(chance / 7) % forest.providers.length];
  return { ...request, groups: request.groups.with(at, { ...group, inSubtree: name }) };
};

property('asking for one subtree never adds a candidate, where nothing can be split', withSubtree, addsNone);

property(
  'the subtree of a root is its tree',
  (pair, chance) => {
    const changed = withSubtree(pair, chance);
    const at = changed?.groups.findIndex((group, index) => group !== pair.request.groups[index]) ?? -1;
    if (changed === null || at < 0) return null;
    const { inSubtree, inTree, ...group } = changed.groups[at];
    const root = pair.forest.providers.find(({ name }) => name === inSubtree)!;
    if (root.parent !== null || inTree) return null;
    const asked = (only: Partial<CaseGroup>): string[] =>
      candidateKeys(
        candidates(pair.forest, { ...changed, groups: changed.groups.with(at, { ...group, ...only }) }),
      );
    expect(asked({ inSubtree })).toEqual(asked({ inTree: inSubtree }));
    return changed;
  },
  addsNone,
);

/** Lets no amount be split where some could, as only such requests ask for more than one provider has; else all. */
const splitOtherwise = ({ request }: Pair): CaseRequest | null => {
  const [group] = request.groups;
  if (group.suffix !== '') return null;
  const canSplit = group.canSplit?.length ? undefined : Object.keys(group.resources!);
  return { ...request, groups: request.groups.with(0, { ...group, canSplit }) };
};

property(
  'letting amounts be split never removes a candidate',
  splitOtherwise,
  (before, after, { request }) =>
    request.groups[0].canSplit?.length ? addsNone(before, after) : removesNone(before, after),
  cases(3_000, 200), // the change matters to about 3 % of them: of 1,000 it was 20 or fewer in some runs
);
