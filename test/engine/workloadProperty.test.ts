import { expect, test } from '@jest/globals';
import { validateWorkload } from '../../src/moves/claim/workloadPlacement.js';
import { workloadCase, type WorkloadCase } from '../oracle/randomWorkload.js';
import { compareValues, oraclesOf, underTopology } from '../oracle/workload.js';
import { toRequest } from '../support/caseRequests.js';
import { engineWorkload } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { cases, IS_FULL } from '../support/length.js';

/** Two placements have the same sum of free shares, except for rounding. */
const ROUNDED = 1_784_329_822;

const numRuns = Math.ceil(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 1500) / cases(1, 4));
/** Cases of relations: consumers left out, equal trees, the order. */
const RELATED = [1_838_621_758, 1_947_879_861, 194_818_513];
/** PACK over a trait of devices, whose hosts have the other amounts. */
const PARTLY_INSIDE = 1_264_400_255;
/** Consumers leave less of an inventory free by what they use of its counters. */
const SHARED_COUNTER = 878_889_153;
/** The oracle enumerates no more placements. */
const MOST_PLACEMENTS = cases(50_000, 3_000);
/** Ten times the work of a server for one goal. */
const MUCH_WORK = 20_000_000;
/** The order of many placements of equal value. */
const LONG_PROOF = 1_429_894_413;

let found = 0;
let impossible = 0;
/** The number of placements under another than the first alternative of the topology. */
let laterTopology = 0;
/** The cases whose best order is proven by more work only. */
const unproven = new Set<number>();
const anyName = { hasClass: () => true, hasTrait: () => true, hasAggregate: () => true };

test(
  'a workload is found exactly if the oracle finds a placement, and with the best value',
  async () => {
    const law = fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) =>
      agree(workloadCase(seed), seed),
    );
    await assertEnough(
      law,
      {
        numRuns,
        endOnFailure: true,
        examples: [ROUNDED, ...RELATED, PARTLY_INSIDE, SHARED_COUNTER, ...(IS_FULL ? [LONG_PROOF] : [])].map(
          (seed): [number] => [seed],
        ),
      },
      () => Math.min(found, impossible, 20 * laterTopology) > numRuns / 10,
    );
    expect(unproven.size).toBeLessThanOrEqual(1 + numRuns / 1_000);
  },
  Math.max(240_000, numRuns * 40),
);

function agree({ forest, workload }: WorkloadCase, seed: number): void {
  const members = workload.members.map((member) => ({
    ...member,
    requests: member.requests.map((request) => toRequest(request, forest)),
  }));
  try {
    validateWorkload({ ...workload, members }, anyName);
  } catch {
    // Two rules contradict each other.
    return;
  }
  const oracles = oraclesOf(forest, workload);
  if (oracles.reduce((sum, { size }) => sum + size, 0) > MOST_PLACEMENTS) return;
  const solved = oracles.map((oracle) => oracle.solve());
  const values = solved.flatMap(({ best }, at) => (best === null ? [] : [underTopology(best, workload, at)]));
  const [best = null] = values.toSorted(compareValues);
  const budget = 1 + (seed % 400);
  let result = engineWorkload(forest, workload, { seed, budget });
  if (result.answer.kind === 'FOUND' && !result.answer.isOptimal) {
    unproven.add(seed);
    result = engineWorkload(forest, workload, { seed, budget, workPerGoal: MUCH_WORK });
  }
  const { answer, placed, topologyAlternative } = result;
  if (answer.kind === 'UNDECIDED') throw new Error('undecided');
  if (answer.kind === 'IMPOSSIBLE') {
    impossible++;
    expect(best).toBeNull();
    expect(answer.fit.reduce((sum, count) => sum + count, 0)).toBe(solved.at(-1)!.fit);
    expect(answer.isLargest).toBe(true);
    return;
  }
  found++;
  if (topologyAlternative > 0) laterTopology++;
  expect(best).not.toBeNull();
  const oracle = oracles[topologyAlternative];
  const options = oracle.optionsOf(placed);
  expect(options).not.toBeNull();
  expect(oracle.isAllowed(options!)).toBe(true);
  expect(answer.isOptimal).toBe(true);
  const value = underTopology(oracle.valueOf(options!, true), workload, topologyAlternative);
  if (compareValues(value, best!) !== 0) expect(value).toEqual(best);
}
