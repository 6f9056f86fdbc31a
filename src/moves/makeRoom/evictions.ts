import type { CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { blockNumber, usedAt, type Snapshot } from '../../fleet/snapshot.js';
import { withMoves, withReleased } from '../../search/overlay/snapshotOverlay.js';
import type { TreeSet } from '../../search/treeFilter.js';
import type { FleetState } from '../rebalance/fleetState.js';
import { inventoryAmounts } from '../rebalance/inventoryAmounts.js';
import { treesOf, type RebalanceMove } from '../rebalance/problem.js';
import type { Targets } from '../rebalance/targets.js';
import type { Positions } from '../relations/relation.js';
import { fewestCovering, type Leaver } from './covering.js';
import { isExecutable } from './executable.js';
import { Needs } from './needs.js';
import { leaversOn, openings } from './openings.js';
import type { RoomProblem } from './problem.js';
import type { WorkloadFit } from './workloadFit.js';

/** How many placements of the workload to try, and how many of them after the first one that succeeds. */
const MAX_TRIES = 256;
const MAX_BETTER = 32;
/** The maximum number of hosts to move a smaller consumer off, for one that fits nowhere. */
const MAX_HOSTS = 8;
/** The maximum number of candidates to try for one move. */
const MAX_CANDIDATES = 4;

/** The fleets of a problem without some of its consumers. */
interface RoomFleets {
  /** Without the workload's own consumers. */
  readonly before: Snapshot;
  /** Without the movable consumers either. */
  readonly emptied: Snapshot;
}

/**
 * Places the workload as if a few consumers had left, then moves those that are in its way. Tries the trees that the
 * fewest consumers must leave first. A consumer that fits nowhere replaces a smaller one, which moves to a third host.
 */
export class Evictions {
  /** The consumers that found no place, and the plans of consumers without relations that found none. */
  private readonly stuck = new Set<number>();
  private readonly stuckPlans = new Set<Plan | null>();
  private readonly needsOf = new Map<Plan, Needs>();

  constructor(
    private readonly problem: RoomProblem,
    private readonly state: FleetState,
    private readonly targets: Targets,
    private readonly fit: WorkloadFit,
    private readonly needs: Needs,
    private readonly effort: Effort,
    private readonly fleets: RoomFleets,
  ) {}

  /** Returns the fewest moves that it finds; null if it finds none. Stops when it has found `least` moves. */
  *run(least: number): Generator<void, readonly RebalanceMove[] | null> {
    const { problem, state, fleets } = this;
    let best: readonly RebalanceMove[] | null = null;
    let most = problem.maxMoves;
    for (let size = least, tries = 0; tries < MAX_TRIES && !problem.isOver(); tries++) {
      const open = yield* this.leaving(size, most);
      const released = open.flatMap((consumer) => state.allocationsOf(consumer));
      const decision = yield* this.fit.at(withReleased(fleets.before, released), state.positions);
      if (decision.kind !== 'FITS') {
        if (size === Infinity) break;
        size = open.length < size ? Infinity : 2 * size;
        continue;
      }
      const moves = yield* this.vacate(decision.allocations, most);
      if (moves === null) continue;
      if (best === null) tries = Math.max(tries, MAX_TRIES - MAX_BETTER);
      best = moves;
      if (moves.length <= least) break;
      most = moves.length - 1;
      for (const { consumer } of moves) this.stuck.add(consumer);
    }
    return best;
  }

  /** Returns about `size` consumers that leave the best trees; Infinity: all that are not stuck. */
  private *leaving(size: number, most: number): Generator<void, number[]> {
    const { state, needs, effort } = this;
    if (size === Infinity) return state.movableConsumers.filter((consumer) => !this.isStuck(consumer));
    const found = yield* openings(state, needs, effort, { most, isStuck: (one) => this.isStuck(one) });
    const leaving: number[] = [];
    for (const { leavers } of found) {
      if (leaving.length >= size) break;
      leaving.push(...leavers.map(({ consumer }) => consumer));
    }
    return leaving;
  }

  private isStuck(consumer: number): boolean {
    return this.stuck.has(consumer) || this.stuckPlans.has(this.targets.requests.planOf(consumer));
  }

  /** Moves the consumers that are in the way of a placement. Returns null, with more stuck ones, if it cannot. */
  private *vacate(
    placed: readonly CandidateAllocation[],
    most: number,
  ): Generator<void, readonly RebalanceMove[] | null> {
    const { state, problem, fleets } = this;
    const reserved = this.beyondHeld(placed);
    state.overlay.allocateAll(reserved);
    const leavers = this.inTheWay(reserved, most);
    let isDone = leavers !== null;
    for (const { consumer } of leavers ?? []) {
      if (state.allocationsOf(consumer) !== problem.consumers[consumer].allocations) continue;
      isDone = state.moves.length < most && (yield* this.move(consumer, new Set(treesOf(reserved))));
      if (isDone) continue;
      this.setStuck(consumer);
      break;
    }
    state.overlay.allocateAll(reserved, -1);
    const moves = [...state.moves];
    const after = new Map(moves.map(({ consumer, to }) => [consumer, to]));
    state.undoTo(0);
    if (!isDone) return null;
    const positions: Positions = (one) => after.get(one) ?? state.allocationsOf(one);
    const isValid =
      moves.length <= most &&
      isExecutable(problem.snapshot, moves) &&
      (yield* this.fit.at(withMoves(fleets.before, moves), positions)).kind === 'FITS';
    if (isValid) return moves;
    for (const { consumer } of leavers!) this.stuck.add(consumer);
    return null;
  }

  private setStuck(consumer: number): void {
    const { requests } = this.targets;
    if (requests.relations.isRelated(consumer)) this.stuck.add(consumer);
    else this.stuckPlans.add(requests.planOf(consumer));
  }

  /** Returns the amounts of a placement that exceed the allocations of the workload's own consumers. */
  private beyondHeld(placed: readonly CandidateAllocation[]): CandidateAllocation[] {
    const { snapshot, held } = this.problem;
    const left = new Map<string, number>();
    const keyOf = (block: number, at: number): string => `${block}.${at}`;
    for (const { blockNumber: block, at, amount } of inventoryAmounts(snapshot, held))
      left.set(keyOf(block, at), (left.get(keyOf(block, at)) ?? 0) + amount);
    return placed.map(({ provider, resources }) => ({
      provider,
      resources: resources.map(({ resourceClass, amount }) => {
        const [{ blockNumber: block, at }] = inventoryAmounts(snapshot, [
          { provider, resources: [{ resourceClass, amount }] },
        ]);
        const own = Math.min(amount, left.get(keyOf(block, at)) ?? 0);
        left.set(keyOf(block, at), (left.get(keyOf(block, at)) ?? 0) - own);
        return { resourceClass, amount: amount - own };
      }),
    }));
  }

  /** Returns the consumers that must leave the inventories over capacity, the largest first; null: they do not suffice. */
  private inTheWay(reserved: readonly CandidateAllocation[], most: number): Leaver[] | null {
    const { state } = this;
    const { overlay } = state;
    const leaving: Leaver[] = [];
    for (const tree of treesOf(reserved)) {
      const missing = new Map<number, number>();
      const own = reserved.filter(({ provider }) => provider.treeIndex === tree);
      for (const { block, at } of inventoryAmounts(overlay, own)) {
        const excess = usedAt(block, at) - block.capacities[at];
        if (excess > 0) missing.set(at, excess);
      }
      const number = blockNumber(tree);
      const leavers = leaversOn(
        state,
        tree,
        (one) => this.isStuck(one),
        (consumer) => {
          const amounts = inventoryAmounts(overlay, state.allocationsOf(consumer));
          return new Map(
            amounts.filter((one) => one.blockNumber === number).map(({ at, amount }) => [at, amount]),
          );
        },
      );
      const chosen = fewestCovering(missing, leavers, most);
      if (chosen === null) {
        for (const { consumer } of leavers) this.stuck.add(consumer);
        return null;
      }
      leaving.push(...chosen.filter((one) => !leaving.some(({ consumer }) => consumer === one.consumer)));
    }
    return leaving.sort((a, b) => b.share - a.share);
  }

  /** Moves a consumer to the fullest tree that takes it, or to a tree that a smaller consumer can leave. */
  private *move(consumer: number, closed: TreeSet): Generator<void, boolean> {
    if (yield* this.moveTo(consumer, {})) return true;
    const { state, targets, effort, problem } = this;
    const plan = targets.requests.planOf(consumer);
    if (plan === null || state.moves.length + 2 > problem.maxMoves) return false;
    const { share } = state.sized(consumer);
    const found = yield* openings(state, yield* this.needsFor(plan), effort, {
      most: 1,
      isStuck: (one) => one === consumer || this.isStuck(one) || state.sized(one).share > share,
    });
    const hosts = found.filter(({ tree }) => !closed.has(tree)).slice(0, MAX_HOSTS);
    for (const { tree, leavers } of hosts) {
      const before = state.moves.length;
      const excluded: TreeSet = { has: (one) => one === tree };
      if (
        (yield* this.moveTo(leavers[0].consumer, { excluded })) &&
        (yield* this.moveTo(consumer, { among: [tree] }))
      )
        return true;
      state.undoTo(before);
    }
    return false;
  }

  private *moveTo(
    consumer: number,
    trees: { readonly excluded?: TreeSet; readonly among?: readonly number[] },
  ): Generator<void, boolean> {
    const { state, targets, problem } = this;
    const { resourceClass } = state.sized(consumer);
    const accepts = (): boolean => {
      const { from, to } = state.moves.at(-1)!;
      const providers = new Set(from.map(({ provider: { block, row } }) => block.ids[row]));
      const isApart = to.every(({ provider: { block, row } }) => !providers.has(block.ids[row]));
      return isApart || isExecutable(problem.snapshot, state.moves);
    };
    return yield* targets.move(consumer, {
      strategy: 'PACK',
      resourceClass,
      limit: MAX_CANDIDATES,
      accepts,
      ...trees,
    });
  }

  private *needsFor(plan: Plan): Generator<void, Needs> {
    let needs = this.needsOf.get(plan);
    if (needs === undefined) {
      const member = { count: 1, placement: 'ANY' as const, plans: [plan] };
      needs = yield* Needs.of(this.problem.snapshot, this.fleets.emptied, [member], [], this.effort);
      this.needsOf.set(plan, needs);
    }
    return needs;
  }
}
