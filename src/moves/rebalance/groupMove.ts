import type { CandidateAllocation } from '../../search/anchor.js';
import type { Places } from '../relations/groupPlacement.js';
import { isBroken, treesAt, type Positions, type Relation } from '../relations/relation.js';
import type { Relations } from '../relations/relations.js';
import type { FleetState } from './fleetState.js';
import { keyOf } from './problem.js';

type Allocations = readonly CandidateAllocation[];

/** Returns candidates of a consumer outside of the tried trees, where the counting relations hold. */
type Search = (
  consumer: number,
  positions: Positions,
  tried: ReadonlySet<number>,
  counts: (relation: Relation) => boolean,
) => Generator<void, CandidateAllocation[][]>;

/**
 * Moves the consumers of a group one after another. NEAR relations count at the positions after all
 * moves, AWAY relations at those after each move.
 */
export class GroupMove implements Places<number, Allocations> {
  /** The consumers that have not moved yet. */
  private readonly left: Set<number>;
  private readonly start: Positions;

  constructor(
    private readonly state: FleetState,
    private readonly relations: Relations,
    private readonly group: readonly number[],
    private readonly search: Search,
    private readonly isAcceptable: (to: Allocations) => boolean,
  ) {
    this.left = new Set(group);
    const before = new Map(group.map((one) => [one, state.allocationsOf(one)]));
    this.start = (one) => before.get(one) ?? state.allocationsOf(one);
  }

  *next(consumer: number, tried: ReadonlySet<number>): Generator<void, Allocations | null> {
    const { state, left, start } = this;
    const positions: Positions = (one) => (left.has(one) ? null : state.allocationsOf(one));
    const counts = (relation: Relation): boolean =>
      !isBroken(relation, relation.rule === 'AWAY' ? state.positions : start);
    state.release(consumer);
    const found = yield* this.search(consumer, positions, tried, counts);
    state.restore(consumer);
    const present = keyOf(state.allocationsOf(consumer));
    return found.find((to) => keyOf(to) !== present) ?? null;
  }

  treeOf(place: Allocations): number | null {
    const [tree] = treesAt(0, () => place)!;
    return tree ?? null;
  }

  put(consumer: number, place: Allocations): void {
    this.state.release(consumer);
    this.state.finishMove(consumer, place);
    this.left.delete(consumer);
  }

  takeBack(consumer: number): void {
    this.state.undoTo(this.state.moves.length - 1);
    this.left.add(consumer);
  }

  accepts(): boolean {
    return (
      this.keepsNear() &&
      this.group.every((one) => !this.relations.rules.breaks(one, this.start, this.state.positions)) &&
      this.isAcceptable(this.group.flatMap((one) => [...this.state.allocationsOf(one)]))
    );
  }

  /**
   * Returns whether each NEAR relation that holds before a move holds after the last one. The moves
   * may restore a relation and then break it: it held in between, and the execution of a plan may
   * stop after any move.
   */
  private keepsNear(): boolean {
    const { group, state, relations } = this;
    const places = new Map(group.map((one) => [one, this.start(one)]));
    const present: Positions = (one) => places.get(one) ?? state.allocationsOf(one);
    let base = this.start;
    const broken = new Set<number>();
    for (const { consumer, to } of state.moves.slice(-group.length)) {
      places.set(consumer, to);
      for (const relation of relations.relationsOf(consumer)) {
        if (relation.rule !== 'NEAR') continue;
        const breaks = isBroken(relation, present) && !isBroken(relation, base);
        broken[breaks ? 'add' : 'delete'](relation.consumer);
      }
      if (broken.size > 0) continue;
      const reached = new Map(places);
      base = (one) => reached.get(one) ?? state.allocationsOf(one);
    }
    return broken.size === 0;
  }
}
