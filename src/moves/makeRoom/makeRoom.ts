import type { Effort } from '../../model/operation/waiting.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { AllocatedOverlay, withReleased } from '../../search/overlay/snapshotOverlay.js';
import { ConsumerRequests } from '../rebalance/consumerRequests.js';
import { FleetState } from '../rebalance/fleetState.js';
import type { RebalanceProblem } from '../rebalance/problem.js';
import { Targets } from '../rebalance/targets.js';
import { usedIn } from '../rebalance/values.js';
import { Evictions } from './evictions.js';
import { Needs, type FleetUsage } from './needs.js';
import type { RoomAnswer, RoomProblem } from './problem.js';
import { ShortestRoom } from './shortestRoom.js';
import { WorkloadFit } from './workloadFit.js';

const IMPOSSIBLE: RoomAnswer = { outcome: 'IMPOSSIBLE', moves: [], isOptimal: false };

/**
 * Finds the fewest moves of other consumers after which the workload fits. It must not fit without a move. Enumerates
 * the sequences of moves of a few consumers; otherwise moves those that are in the way of a placement. Yields when its
 * effort is used up.
 */
export function* makeRoom(problem: RoomProblem, effort: Effort): Generator<void, RoomAnswer> {
  const { snapshot, held, maxMoves } = problem;
  const rebalance: RebalanceProblem = {
    ...problem,
    goal: 'FREE_HOSTS',
    classes: null,
    hosts: Array.from({ length: snapshot.treeCount }, (_, tree) => tree),
    restRequestOf: problem.requestOf,
  };
  const state = yield* FleetState.of(rebalance, effort);
  const before = withReleased(snapshot, held);
  const emptied = yield* withoutMovable(before, state, effort);
  const fit = new WorkloadFit(problem, effort);
  if (!state.hasMovable || (yield* fit.relaxedIn(emptied)).kind === 'IMPOSSIBLE') return IMPOSSIBLE;
  const needs = yield* Needs.of(snapshot, emptied, fit.members, held, effort);
  const usage: FleetUsage = {
    used: usedIn(state.overlay),
    moversOn: (tree) =>
      Array.from(state.consumersOn(tree))
        .filter((one) => state.canMove(one))
        .map((one) => state.allocationsOf(one)),
  };
  const least = Math.max(1, needs.leastMoves(usage));
  if (least > maxMoves) return IMPOSSIBLE;
  const requests = new ConsumerRequests(rebalance);
  const targets = new Targets(state, requests, effort);
  const quick = yield* new Evictions(problem, state, targets, fit, needs, effort, { before, emptied }).run(
    least,
  );
  if (quick !== null && quick.length === least) return { outcome: 'FOUND', moves: quick, isOptimal: true };
  const limited = { ...problem, maxMoves: quick === null ? maxMoves : quick.length - 1 };
  const shortest = new ShortestRoom(limited, state, requests, fit, needs, effort, before);
  const proven = yield* shortest.run(emptied);
  if (proven?.outcome === 'FOUND') return proven;
  if (quick !== null)
    return { outcome: 'FOUND', moves: quick, isOptimal: (proven?.proven ?? 0) >= quick.length };
  return proven ?? { outcome: 'UNDECIDED', moves: [], isOptimal: false };
}

/** Returns a snapshot without the allocations of movable consumers. Yields when the effort is used up. */
function* withoutMovable(before: Snapshot, state: FleetState, effort: Effort): Generator<void, Snapshot> {
  const overlay = new AllocatedOverlay(before);
  for (let tree = 0; tree < before.treeCount; tree++) {
    const movable = Array.from(state.consumersOn(tree)).filter((one) => state.canMove(one));
    const allocations = movable.flatMap((one) =>
      state.allocationsOf(one).filter(({ provider }) => provider.treeIndex === tree),
    );
    overlay.allocateAll(allocations, -1);
    effort.otherWork += 1 + 4 * allocations.length;
    if (effort.isUsedUp) yield;
  }
  return overlay;
}
