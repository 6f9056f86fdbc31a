import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { PairArbitrary } from '../oracle/pairArbitrary.js';
import { engineAnswer } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { SHARING } from '../support/forest.js';
import { cases } from '../support/length.js';

test('a single class is split over every smallest set of providers that can hold it, and over no others', async () => {
  let split = 0;
  const numRuns = cases(2_000, 300);
  await assertEnough(
    fc.property(new PairArbitrary(), fc.integer({ min: 2, max: 30 }), ({ forest }, amount) => {
      const plain = {
        ...forest,
        providers: forest.providers.map((provider) => ({
          ...provider,
          consumes: undefined, // counters exclude some sets
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
        const saw = here.map((one) => {
          const parts = Object.entries(one).map(([uuid, { [name]: part }]) => ({ part, room: room(uuid) }));
          const full = parts.filter(({ part, room: most }) => part === most);
          return {
            set: keyOf(Object.keys(one)),
            sum: parts.reduce((sum, { part }) => sum + part, 0),
            // Filled one after another: only the last, which has the least free, is not full.
            isFilled: full.length >= parts.length - 1,
          };
        });
        const shouldSee = sets
          .filter((set) => set.length === size)
          .map((set) => ({ set: keyOf(set), sum: amount, isFilled: true }));
        const bySet = (one: { set: string }, other: { set: string }): number =>
          one.set < other.set ? -1 : 1;
        saw.sort(bySet);
        shouldSee.sort(bySet);
        if (!isDeepStrictEqual(saw, shouldSee)) expect(saw).toEqual(shouldSee);
      }
    }),
    { numRuns },
    () => split > numRuns / 20,
  );
});
