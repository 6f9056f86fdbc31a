import { allocationsOf, type CandidateAllocation } from '../model/candidate.js';
import type { Effort } from '../model/effort.js';
import { blockNumber } from '../model/snapshot.js';
import { searchFor } from '../ordered/orderedSearch.js';
import { withoutAllocations } from '../overlay/snapshotOverlay.js';
import { inventoryAmounts } from './inventoryAmounts.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { Faults } from './faults.js';
import type { FleetState } from './fleetState.js';
import { isBetter, keyOf, treesOf, type RebalanceMove, type RebalanceProblem } from './problem.js';
import type { UsedColumns } from './values.js';
import { finished } from '../search/search.js';

/** The limits of problems that the search enumerates. */
const MAX_CONSUMERS = 16;
const MAX_PLACES = 200;
const MAX_STATES = 60_000;

/** Possible allocations of a consumer. */
interface Place {
  readonly allocations: readonly CandidateAllocation[];
  readonly amounts: ReturnType<typeof inventoryAmounts>;
}

/** A state that a sequence of moves reaches. */
interface Reached {
  /** By movable consumer: the number of its place. */
  readonly places: Uint8Array;
  readonly previous: Reached | null;
  readonly mover: number;
}

/** The fewest moves to the best value, or the best so far if the search ended before it was complete. */
interface FoundMoves {
  readonly moves: RebalanceMove[];
  readonly isComplete: boolean;
}

/**
 * Enumerates the states that sequences of moves reach, shorter sequences first. The first state
 * with the best value therefore has the fewest moves. Consumers may move twice to free capacity for
 * each other.
 */
export class ShortestMoves {
  private readonly problem: RebalanceProblem;
  /** The smallest first: the first of equally good plans then moves the smallest consumers. */
  private movable: readonly number[];
  /** By movable consumer: its places, the present place first. */
  private readonly places: Place[][] = [];
  private readonly used = new Map<number, Float64Array>();
  /** The hosts whose value moves may change, and the combined value of the other hosts. */
  private readonly touched: number[] = [];
  private untouchedValue = 0;
  private current: Uint8Array = new Uint8Array();

  constructor(
    private readonly state: FleetState,
    private readonly requests: ConsumerRequests,
    private readonly faults: Faults,
    private readonly effort: Effort,
  ) {
    this.problem = state.problem;
    this.movable = [...this.problem.consumers.keys()].filter((consumer) => state.canMove(consumer));
  }

  /** Returns null if there are too many states. */
  *run(): Generator<void, FoundMoves | null> {
    if (this.movable.length > MAX_CONSUMERS) return null;
    const sized = this.movable.map((consumer) => this.state.sized(consumer));
    this.movable = sized.sort((a, b) => a.share - b.share).map(({ consumer }) => consumer);
    if (!(yield* this.readPlaces())) return null;
    this.prepareValues();
    const start: Reached = { places: new Uint8Array(this.movable.length), previous: null, mover: -1 };
    this.occupy(start.places);
    let best = { reached: start, value: this.value() };
    const seen = new Set([start.places.join()]);
    let level = [start];
    for (let depth = 0; depth < this.problem.maxMoves && level.length > 0; depth++) {
      const next: Reached[] = [];
      for (const reached of level) {
        if (this.effort.isUsedUp) yield;
        if (this.problem.isOver()) return { moves: this.movesTo(best.reached), isComplete: false };
        for (const following of this.expand(reached, seen)) {
          next.push(following.reached);
          if (isBetter(following.value, best.value)) best = following;
        }
      }
      level = next;
    }
    return { moves: this.movesTo(best.reached), isComplete: true };
  }

  /** Yields the new states that one move reaches from a state. */
  private *expand(
    reached: Reached,
    seen: Set<string>,
  ): Generator<{ readonly reached: Reached; readonly value: number }> {
    this.occupy(reached.places);
    for (const [mover, places] of this.places.entries()) {
      const from = reached.places[mover];
      this.add(places[from], -1);
      for (const [to, place] of places.entries()) {
        this.effort.otherWork++;
        if (to === from || !this.fits(place)) continue;
        const following = reached.places.slice();
        following[mover] = to;
        const key = following.join();
        if (seen.has(key)) continue;
        this.current = following;
        if (!this.requests.areRelationsMet(this.movable[mover], this.positions)) continue;
        seen.add(key);
        this.add(place, 1);
        this.effort.otherWork += 2;
        yield { reached: { places: following, previous: reached, mover }, value: this.value() };
        this.add(place, -1);
      }
      this.current = reached.places;
      this.add(places[from], 1);
    }
  }

  /** Lists the places of all movable consumers. Returns false if there are too many. */
  private *readPlaces(): Generator<void, boolean> {
    const { problem, effort } = this;
    const empty = withoutAllocations(problem.snapshot);
    const hosts = new Set(problem.hosts);
    let states = 1;
    for (const consumer of this.movable) {
      const present = problem.consumers[consumer].allocations;
      const places = new Map([[keyOf(present), this.placeOf(present)]]);
      const plan = this.requests.planOf(consumer);
      if (plan !== null) {
        const { near } = plan.trees;
        const trees = {
          ...plan.trees,
          near: near ? new Set([...near].filter((one) => hosts.has(one))) : hosts,
        };
        const options = { limit: MAX_PLACES, seed: 0 };
        const search = searchFor(empty, { ...plan, trees }, options);
        yield* finished(search, effort);
        if (!search.complete) return false;
        for (const candidate of search.candidates) {
          const allocations = allocationsOf(plan, candidate);
          const key = keyOf(allocations);
          if (!places.has(key)) places.set(key, this.placeOf(allocations));
        }
      }
      this.places.push([...places.values()]);
      states *= places.size;
      if (states > MAX_STATES) return false;
    }
    return true;
  }

  private placeOf(allocations: readonly CandidateAllocation[]): Place {
    return { allocations, amounts: inventoryAmounts(this.problem.snapshot, allocations) };
  }

  private prepareValues(): void {
    const places = this.places.flat();
    const trees = new Set(places.flatMap(({ allocations }) => treesOf(allocations)));
    for (const host of this.problem.hosts) {
      if (trees.has(host)) this.touched.push(host);
      else this.untouchedValue = this.state.values.combine(this.untouchedValue, this.state.valueOf(host));
    }
    for (const tree of [...trees, ...this.touched]) this.used.set(blockNumber(tree), new Float64Array());
  }

  /** Sets the usage to that of a state. */
  private occupy(places: Uint8Array): void {
    for (const block of this.used.keys()) this.used.set(block, this.state.fixedIn(block).slice());
    this.current = places;
    for (const [mover, at] of places.entries()) this.add(this.places[mover][at], 1);
  }

  private add({ amounts }: Place, sign: 1 | -1): void {
    for (const { blockNumber: block, at, amount } of amounts) this.used.get(block)![at] += sign * amount;
  }

  private fits({ amounts }: Place): boolean {
    return amounts.every(
      ({ block, blockNumber: number, at, amount }) =>
        this.used.get(number)![at] + amount <= block.capacities[at],
    );
  }

  private readonly positions = (consumer: number): readonly CandidateAllocation[] => {
    const mover = this.movable.indexOf(consumer);
    return mover < 0
      ? this.problem.consumers[consumer].allocations
      : this.places[mover][this.current[mover]].allocations;
  };

  private readonly usedColumns: UsedColumns = (block) => this.used.get(block)!;

  private value(): number {
    const { values } = this.state;
    let value = this.untouchedValue;
    for (const host of this.touched) value = values.combine(value, values.of(host, this.usedColumns));
    return value + this.faults.at(this.positions).length;
  }

  private movesTo(last: Reached): RebalanceMove[] {
    const moves: RebalanceMove[] = [];
    for (let reached = last; reached.previous !== null; reached = reached.previous) {
      const { mover, previous, places } = reached;
      const [from, to] = [previous.places[mover], places[mover]].map(
        (at) => this.places[mover][at].allocations,
      );
      moves.unshift({ consumer: this.movable[mover], from, to });
    }
    return moves;
  }
}
