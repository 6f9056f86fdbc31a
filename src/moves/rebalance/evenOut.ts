import { consumersToMove, minLeaving, type Overload } from './amounts.js';
import type { FleetState } from './fleetState.js';
import { isBetter, treesOf, type RebalanceMove } from './problem.js';
import type { Targets } from './targets.js';
import { usedIn } from './values.js';

/** The maximum number of bisection steps. */
const MAX_HALVINGS = 12;

/** How many candidates to try for a consumer. */
const MAX_CANDIDATES = 8;

/** Bisects the maximum utilization. For each limit, moves consumers off the hosts above it. */
export class EvenOut {
  constructor(
    private readonly state: FleetState,
    private readonly targets: Targets,
  ) {}

  *run(): Generator<void, void> {
    const { state } = this;
    let high = state.value;
    let low = 0;
    let best: readonly RebalanceMove[] = [];
    for (let halving = 0; halving < MAX_HALVINGS && isBetter(low, high); halving++) {
      if (state.problem.isOver()) break;
      const limit = (low + high) / 2;
      if (yield* this.attempt(limit)) {
        best = [...state.moves];
        high = state.value;
      } else low = limit;
      state.undoTo(0);
      yield;
    }
    for (const { consumer, to } of best) {
      state.release(consumer);
      state.finishMove(consumer, to);
    }
  }

  /** Moves consumers until no host is above the limit. Returns false if that fails. */
  private *attempt(limit: number): Generator<void, boolean> {
    const { state } = this;
    const { problem } = state;
    const above = problem.hosts.filter((host) => isBetter(limit, state.valueOf(host)));
    let least = 0;
    for (const host of above) {
      least += minLeaving(state, this.overloadOf(host, limit));
      if (least > problem.maxMoves) return false;
    }
    above.sort((a, b) => state.valueOf(b) - state.valueOf(a));
    const excluded = new Set(above);
    for (const host of above) {
      while (isBetter(limit, state.valueOf(host))) {
        if (problem.isOver() || state.moves.length >= problem.maxMoves) return false;
        if (!(yield* this.relieve(host, limit, excluded))) return false;
      }
    }
    return true;
  }

  private *relieve(host: number, limit: number, excluded: ReadonlySet<number>): Generator<void, boolean> {
    const { state, targets } = this;
    const overload = this.overloadOf(host, limit);
    const options = {
      strategy: 'SPREAD',
      resourceClass: overload.resourceClass,
      excluded,
      limit: MAX_CANDIDATES,
      accepts: (to: RebalanceMove['to']) =>
        treesOf(to).every((tree) => !isBetter(limit, state.valueOf(tree))),
    } as const;
    for (const consumer of consumersToMove(state, overload))
      if (yield* targets.move(consumer, options)) return true;
    return false;
  }

  private overloadOf(treeIndex: number, limit: number): Overload {
    const { values, overlay } = this.state;
    const { resourceClass, used, capacity } = values.fullestClass(treeIndex, usedIn(overlay));
    return { treeIndex, resourceClass, row: null, excess: used - limit * Math.max(1, capacity) };
  }
}
