import { excessAt, treeOf } from '../../fleet/snapshot.js';
import { consumersToMove, minLeaving, type Overload } from './amounts.js';
import type { Faults } from './faults.js';
import type { FleetState } from './fleetState.js';
import { treesOf } from './problem.js';
import type { Targets } from './targets.js';

const MAX_CANDIDATES = 8;

/** Moves faulty consumers, then consumers off inventories that exceed their capacity. */
export class Repair {
  constructor(
    private readonly state: FleetState,
    private readonly targets: Targets,
    private readonly faults: Faults,
  ) {}

  /** Repeats while moves succeed: each pass may free capacity for the next. */
  *run(): Generator<void, void> {
    const { state } = this;
    let before = -1;
    while (before < state.moves.length) {
      before = state.moves.length;
      for (const consumer of this.consumersWithFaults())
        if (state.canMove(consumer) && this.isAllowed) yield* this.improve(consumer);
      for (const host of state.problem.hosts)
        for (const overload of this.overloadsOf(host)) yield* this.relieve(overload);
    }
  }

  /**
   * Returns a lower bound of the moves of any repair. Counts each faulty consumer, and for each
   * host the maximum over its inventories of the consumers that must leave. Skips hosts with faulty
   * consumers or with consumers in several trees, whose moves could count twice.
   */
  minMoves(): number {
    const { state } = this;
    const { independent } = this.faults;
    let least = independent.size;
    for (const host of state.problem.hosts) {
      const consumers = [...state.consumersOn(host)];
      if (consumers.some((one) => independent.has(one) || treesOf(state.allocationsOf(one)).length > 1))
        continue;
      least += Math.max(0, ...this.overloadsOf(host).map((overload) => minLeaving(state, overload)));
    }
    return least;
  }

  private get isAllowed(): boolean {
    const { problem, moves } = this.state;
    return !problem.isOver() && moves.length < problem.maxMoves;
  }

  /** Returns the faulty consumers, then the consumers that broken relations name. */
  private consumersWithFaults(): ReadonlySet<number> {
    const { broken, consumers } = this.faults.at(this.state.positions);
    const named = broken.flatMap((relation) => relation.named.filter((one) => typeof one === 'number'));
    return new Set([...consumers, ...named]);
  }

  /** Moves a consumer if it has a fault, which an earlier move may have ended, and if the move ends one. */
  private *improve(consumer: number): Generator<void, void> {
    const { state, faults } = this;
    const before = faults.valueOf(consumer, state.positions);
    if (before > 0) yield* this.move(consumer, () => faults.valueOf(consumer, state.positions) < before);
  }

  private *move(consumer: number, accepts = () => true): Generator<void, boolean> {
    const { state, targets } = this;
    const { resourceClass } = state.sized(consumer);
    const options = { strategy: 'SPREAD', resourceClass, limit: MAX_CANDIDATES, accepts } as const;
    return yield* targets.move(consumer, options);
  }

  /** Moves consumers off an inventory until its capacity suffices. Undoes all moves on failure. */
  private *relieve({ treeIndex, row, resourceClass }: Overload): Generator<void, void> {
    const before = this.state.moves.length;
    for (;;) {
      const left = this.overloadsOf(treeIndex).find(
        (one) => one.row === row && one.resourceClass === resourceClass,
      );
      if (left === undefined) return;
      if (!this.isAllowed || !(yield* this.moveAny(consumersToMove(this.state, left)))) break;
    }
    this.state.undoTo(before);
  }

  private *moveAny(consumers: readonly number[]): Generator<void, boolean> {
    for (const consumer of consumers) if (yield* this.move(consumer)) return true;
    return false;
  }

  private overloadsOf(treeIndex: number): Overload[] {
    if (this.state.valueOf(treeIndex) === 0) return [];
    const { block, start, end } = treeOf(this.state.overlay, treeIndex);
    const found: Overload[] = [];
    for (let row = start; row < end; row++)
      for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
        const excess = excessAt(block, at, block.used);
        if (excess > 0) found.push({ treeIndex, resourceClass: block.classes[at], row, excess });
      }
    return found;
  }
}
