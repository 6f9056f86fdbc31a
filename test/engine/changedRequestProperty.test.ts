import { expect, test } from '@jest/globals';
import { expectMoreThan, fc } from '../support/fastCheck.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { candidateKeys, type Candidate } from '../support/answers.js';
import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import { engineAnswer } from '../support/engine.js';
import { SHARING, type Forest } from '../support/forest.js';

const numRuns = 2000;

const candidates = (forest: Forest, request: CaseRequest): Candidate[] =>
  engineAnswer(forest, request).candidates;

const suffixesOf = ({ groups }: CaseRequest): string[] => groups.map(({ suffix }) => suffix).filter(Boolean);

/** The law for every pair that the change applies to; and it must have mattered to some of them. */
function law(
  title: string,
  change: (pair: Pair, chance: number) => CaseRequest | null,
  judge: (before: string[], after: string[], pair: Pair) => boolean,
): void {
  test(title, () => {
    let mattered = 0;
    const holds = (pair: Pair, chance: number): void => {
      const changed = change(pair, chance);
      if (changed === null) return;
      const [before, after] = [pair.request, changed].map((request) =>
        candidateKeys(candidates(pair.forest, request)),
      );
      if (before.length !== after.length) mattered++;
      expect({ holds: judge(before, after, pair), changed }).toMatchObject({ holds: true });
    };
    fc.assert(fc.property(new PairArbitrary(), fc.nat(), holds), { numRuns });
    expectMoreThan(0, mattered);
  });
}

const addsNone = (before: string[], after: string[]): boolean => after.every((key) => before.includes(key));
const removesNone = (before: string[], after: string[]): boolean => addsNone(after, before);

law(
  'isolating one more group never adds a candidate',
  ({ request }, chance) => {
    const free = suffixesOf(request).filter((suffix) => !request.isolate?.includes(suffix));
    if (request.groupPolicy === 'isolate' || free.length === 0) return null;
    return { ...request, isolate: [...(request.isolate ?? []), free[chance % free.length]] };
  },
  addsNone,
);

law(
  'the policy never adds a candidate, and isolating all groups adds none to it: it keeps the unsuffixed group away too',
  ({ request }) => (request.isolate?.length ? null : { ...request, groupPolicy: 'isolate' }),
  (before, after, { forest, request }) =>
    addsNone(before, after) &&
    addsNone(
      after,
      candidateKeys(candidates(forest, { ...request, groupPolicy: 'none', isolate: suffixesOf(request) })),
    ),
);

law(
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

law('asking for one subtree never adds a candidate, where nothing can be split', withSubtree, addsNone);

law(
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

const splitting = ({ request }: Pair): CaseRequest | null => {
  const [group] = request.groups;
  if (group.suffix !== '' || group.canSplit?.length) return null;
  const canSplit = Object.keys(group.resources!);
  return { ...request, groups: [{ ...group, canSplit }, ...request.groups.slice(1)] };
};

law('letting amounts be split never removes a candidate', splitting, removesNone);

test('a single class is split over every smallest set of providers that can hold it, and over no others', () => {
  let split = 0;
  fc.assert(
    fc.property(new PairArbitrary(), fc.integer({ min: 2, max: 30 }), ({ forest }, amount) => {
      const plain = {
        ...forest,
        providers: forest.providers.map((provider) => ({
          ...provider,
          traits: provider.traits.filter((trait) => trait !== SHARING),
          inventories: Object.fromEntries(
            Object.entries(provider.inventories).map(([name, inventory]) => [
              name,
              { ...inventory, min_unit: 1, max_unit: 2147483647, step_size: 1 },
            ]),
          ),
        })),
      };
      const [name] = plain.providers.flatMap(({ inventories }) => Object.keys(inventories));
      if (name === undefined) return;
      const request = { groups: [{ suffix: '', resources: { [name]: amount }, canSplit: [name] }] };
      const { candidates: found, summaries } = engineAnswer(plain, request);
      const room = (uuid: string): number =>
        summaries[uuid].resources[name].capacity - summaries[uuid].resources[name].used;
      for (const root of new Set(Object.values(summaries).map((summary) => summary.root))) {
        const giving = Object.keys(summaries)
          .filter((uuid) => summaries[uuid].root === root && name in summaries[uuid].resources)
          .filter((uuid) => room(uuid) > 0);
        const sets = Array.from({ length: 2 ** giving.length }, (_, bits) =>
          giving.filter((__, at) => (bits >> at) & 1),
        ).filter((set) => set.reduce((sum, uuid) => sum + room(uuid), 0) >= amount);
        const size = Math.min(...sets.map((set) => set.length));
        const here = found
          .map(({ allocations }) => allocations)
          .filter((one) => giving.includes(Object.keys(one)[0]));
        if (size > 1) split++;
        const keyOf = (uuids: string[]): string => uuids.toSorted().join();
        expect(here.map((one) => keyOf(Object.keys(one))).sort()).toEqual(
          sets
            .filter((set) => set.length === size)
            .map(keyOf)
            .sort(),
        );
        for (const one of here) {
          const parts = Object.entries(one).map(([uuid, { [name]: part }]) => ({ part, room: room(uuid) }));
          expect(parts.reduce((sum, { part }) => sum + part, 0)).toBe(amount);
          // Filled one after another: only the last, which has the least free, is not full.
          const full = parts.filter(({ part, room: most }) => part === most);
          expect(full.length).toBeGreaterThanOrEqual(parts.length - 1);
        }
      }
    }),
    { numRuns },
  );
  expectMoreThan(100, split);
});
