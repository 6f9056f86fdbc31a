import { afterAll, expect, test } from '@jest/globals';
import type { CandidateAllocation } from '../../src/search/anchor.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { roomCase, RoomOracle, type RoomCase } from '../oracle/makeRoom.js';
import { Random } from '../oracle/random.js';
import type { Allocations } from '../oracle/rebalance.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { cases } from '../support/length.js';
import { roomMade } from './roomMade.js';

const numRuns = Math.ceil(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 1_000) / cases(1, 8));

const counts = {
  found: 0,
  impossible: 0,
  fits: 0,
  moves: [0, 0, 0, 0, 0, 0, 0],
  larger: Array<number>(9).fill(0),
  unproven: 0,
};

afterAll(() => {
  process.stdout.write(`make room property: ${JSON.stringify(counts)}\n`);
});

/** One unit consumes more of a counter than its max_unit. */
const LIMITED_COUNTER = 1_373_864_941;

/** Another program has allocated a partition without its counter, of which less is free than the stored usage leaves. */
const IMPLIED_USAGE = 783_409_834;
/** A move excludes a domain, which SPREAD then does not count. */
const EXCLUDED_DOMAIN = 277_276_725;
/** A consumer in an overused inventory uses a shared disk at each of its places. */
const USED_IN_EACH = 1_814_562_136;
/** All consumers together need more of a shared disk than it has. */
const SHARED_SUM = 1_962_226_813;

const seeds = fc.integer({ min: 0, max: 0x7fffffff });

test(
  'a small fleet gets the fewest moves after which a workload fits, none of which exceeds a capacity',
  async () => {
    const law = fc.property(seeds, (seed) => {
      const given = roomCase(new Random(seed), { hosts: [2, 4], consumers: [2, 5] });
      const oracle = new RoomOracle(given);
      const least = oracle.leastMoves();
      if (least === 0) {
        counts.fits++;
        return;
      }
      const maxMoves = least ?? given.maxMoves; // a bound that is too large would exclude the plan
      const { snapshot, answer } = roomMade({ ...given, maxMoves }, 1 + (seed % 500));
      if (least === null) {
        counts.impossible++;
        expect(answer.outcome).toBe('IMPOSSIBLE');
        return;
      }
      expect(answer).toMatchObject({ outcome: 'FOUND', isOptimal: true });
      execute(given, oracle, snapshot, answer.moves);
      expect(answer.moves).toHaveLength(least);
      counts.found++;
      counts.moves[least]++;
    });
    await assertEnough(
      law,
      {
        numRuns,
        endOnFailure: true,
        examples: [[LIMITED_COUNTER], [IMPLIED_USAGE], [EXCLUDED_DOMAIN], [USED_IN_EACH], [SHARED_SUM]],
      },
      () => Math.min(counts.found, counts.impossible) > numRuns / 20,
    );
  },
  Math.max(240_000, numRuns * 200),
);

/** A fleet with up to eight movable consumers on eight hosts. */
const largerCase = (seed: number): RoomCase =>
  roomCase(new Random(seed), { hosts: [6, 8], consumers: [6, 8], counters: 0 }, 8);

test.each([
  ['near movable consumers, which fit nowhere beside it', 5_026_992],
  ['near movable consumers, for which no tree has enough', 17_803_930],
  ['near movable consumers, each tree of which has enough for another request', 49_013_172],
  ['that needs more of shared storage than the movable consumers can leave', 23_145_109],
])('no moves make room for a workload %s', (_, seed) => {
  expect(roomMade(largerCase(seed)).answer.outcome).toBe('IMPOSSIBLE');
});

test('no moves make room if the relations of the consumers exclude each state in which the workload fits', () => {
  const given = roomCase(new Random(1_512_529), { hosts: [8, 8], consumers: [8, 8], counters: 0 }, 8);
  expect(roomMade(given).answer.outcome).toBe('IMPOSSIBLE');
});

test(
  'of the plans with up to eight movable consumers on eight hosts, at most one in fifty stays unproven',
  async () => {
    const law = fc.property(seeds, (seed) => {
      const given = largerCase(seed);
      const { snapshot, answer } = roomMade(given);
      counts.larger[answer.moves.length]++;
      if (answer.outcome !== 'IMPOSSIBLE' && !answer.isOptimal) counts.unproven++;
      if (answer.outcome !== 'FOUND') return;
      execute(given, new RoomOracle(given), snapshot, answer.moves);
    });
    await assertEnough(
      law,
      { numRuns: Math.ceil(numRuns / 5), endOnFailure: true },
      () => counts.larger.slice(1).reduce((sum, count) => sum + count, 0) > numRuns / 50,
    );
    const all = counts.larger.reduce((sum, count) => sum + count, 0);
    expect(counts.unproven).toBeLessThanOrEqual(Math.max(2, all / 50));
  },
  Math.max(240_000, numRuns * 200),
);

/** Executes the moves, each of which the oracle must allow. The workload must fit at the end. */
function execute(
  given: RoomCase,
  oracle: RoomOracle,
  snapshot: Snapshot,
  moves: readonly {
    consumer: number;
    from: readonly CandidateAllocation[];
    to: readonly CandidateAllocation[];
  }[],
): void {
  let reached = oracle.start;
  for (const { consumer, from, to } of moves) {
    expect(given.consumers[consumer].canMove).toBe(true);
    expect(named(snapshot, from)).toEqual(reached.state[consumer]);
    const after = oracle.moved(reached, consumer, named(snapshot, to));
    if (after === null) throw new Error(`${consumer} may not move`);
    reached = after;
  }
  expect(oracle.isFinal(reached)).toBe(true);
  expect(oracle.fitsAt(reached)).toBe(true);
}

function named(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Allocations {
  return Object.fromEntries(
    allocations.map(({ provider: { block, row }, resources }) => [
      block.uuids[row],
      Object.fromEntries(
        resources.map(({ resourceClass, amount }) => [snapshot.classes.nameOf(resourceClass), amount]),
      ),
    ]),
  );
}
