import type { Effort } from '../../model/operation/waiting.js';
import { ConsumerRequests } from './consumerRequests.js';
import { EvenOut } from './evenOut.js';
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
export function* rebalance(given: RebalanceProblem, effort: Effort): Generator<void, Rebalancing> {
  let isCutShort = false;
  const problem = { ...given, isOver: () => (isCutShort ||= given.isOver()) };
  const state = yield* FleetState.of(problem, effort);
  const requests = new ConsumerRequests(problem);
  const faults = yield* Faults.of(problem, requests, effort);
  const movers = { consumers: state.movableConsumers, hosts: problem.hosts };
  const shortest = yield* new ShortestMoves(state, requests, faults, effort, movers).run();
  if (shortest !== null)
    return { ...resultOf(problem, faults, shortest.moves), isOptimal: shortest.isComplete, isCutShort };
  const targets = new Targets(state, requests, effort);
  let isOptimal = false;
  if (problem.goal === 'FIX') {
    const repair = new Repair(state, targets, faults);
    const least = repair.minMoves();
    yield* repair.run();
    yield* new Neighborhoods(state, requests, faults, effort).run();
    isOptimal = state.value + faults.valueAt(state.positions) === 0 && state.moves.length === least;
  } else if (problem.goal === 'FREE_HOSTS') yield* new HostsToFree(state, targets).run();
  else {
    yield* new EvenOut(state, targets).run();
    yield* new Neighborhoods(state, requests, faults, effort).run();
  }
  return { ...resultOf(problem, faults, state.moves), isOptimal, isCutShort };
}

function resultOf(
  problem: RebalanceProblem,
  faults: Faults,
  moves: Rebalancing['moves'],
): Pick<Rebalancing, 'moves' | 'before' | 'after'> {
  const start = (consumer: number) => problem.consumers[consumer].allocations;
  const end = new Map(moves.map(({ consumer, to }) => [consumer, to]));
  return {
    moves,
    before: faults.countAt(start),
    after: faults.countAt((consumer) => end.get(consumer) ?? start(consumer)),
  };
}
