import type { Effort } from '../model/effort.js';
import { ConsumerRequests } from './consumerRequests.js';
import { Evening } from './evenOut.js';
import { Faults } from './faults.js';
import { FleetState } from './fleetState.js';
import { HostsToFree } from './freeHosts.js';
import { Neighborhoods } from './neighborhoods.js';
import type { RebalanceProblem, Rebalancing } from './problem.js';
import { Repair } from './repair.js';
import { ShortestMoves } from './shortestMoves.js';
import { Targets } from './targets.js';

/**
 * Finds the fewest moves to the best value of a goal. Enumerates all sequences of moves of a small problem;
 * otherwise improves the fleet step by step. Yields when its effort is used up.
 */
export function* rebalance(problem: RebalanceProblem, effort: Effort): Generator<void, Rebalancing> {
  const state = yield* FleetState.of(problem, effort);
  const requests = new ConsumerRequests(problem);
  const faults = yield* Faults.of(problem, requests, effort);
  const shortest = yield* new ShortestMoves(state, requests, faults, effort).run();
  if (shortest !== null) return resultOf(problem, faults, shortest.moves, shortest.isComplete);
  const targets = new Targets(state, requests, effort);
  let isOptimal = false;
  if (problem.goal === 'FIX') {
    const repair = new Repair(state, targets, faults);
    const least = repair.minMoves();
    yield* repair.run();
    yield* new Neighborhoods(state, requests, faults, effort).run();
    isOptimal = state.value + faults.at(state.positions).length === 0 && state.moves.length === least;
  } else if (problem.goal === 'FREE_HOSTS') yield* new HostsToFree(state, targets).run();
  else {
    yield* new Evening(state, targets).run();
    yield* new Neighborhoods(state, requests, faults, effort).run();
  }
  return resultOf(problem, faults, state.moves, isOptimal);
}

function resultOf(
  problem: RebalanceProblem,
  faults: Faults,
  moves: Rebalancing['moves'],
  isOptimal: boolean,
): Rebalancing {
  const start = (consumer: number) => problem.consumers[consumer].allocations;
  const end = new Map(moves.map(({ consumer, to }) => [consumer, to]));
  return {
    moves,
    isOptimal,
    faultyConsumers: {
      before: faults.at(start).length,
      after: faults.at((consumer) => end.get(consumer) ?? start(consumer)).length,
    },
  };
}
