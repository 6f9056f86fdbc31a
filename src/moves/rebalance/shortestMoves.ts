import { allocationsOf, type CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { blockNumber } from '../../fleet/snapshot.js';
import { finishedSearch } from '../../search/candidateSearch.js';
import { inventoryAmounts } from './inventoryAmounts.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { Faults } from './faults.js';
import type { FleetState } from './fleetState.js';
import { isBetter, keyOf, treesOf, type RebalanceMove, type RebalanceProblem } from './problem.js';
import type { UsedColumns } from './values.js';

/** The limits of problems that the search enumerates. */
const MAX_SEARCHED = 16;
const MAX_PLACES = 200;
const MAX_STATES = 60_000;
/** More states than that are reached only by groups that move together. */
const MAX_SEEN = 4 * MAX_STATES;

/** Possible allocations of a consumer. */
interface PossiblePlace {
  readonly allocations: readonly CandidateAllocation[];
  readonly amounts: ReturnType<typeof inventoryAmounts>;
  /** Whether the consumer must leave it again, because its request does not allow it. */
  readonly isRest: boolean;
}

/** A state that a sequence of moves reaches. */
interface Reached {
  /** By movable consumer: the number of its place. */
  readonly places: Uint8Array;
  readonly previous: Reached | null;
  readonly mover: number;
  /**
   * The state before the first move of a group that must stay together, if a NEAR relation that held
   * there is broken here. Only other members of the group may move next. Null: no relation is.
   */
  readonly base: Reached | null;
}

/** The fewest moves to the best value, or the best so far if the search is not complete. */
interface FoundMoves {
  readonly moves: RebalanceMove[];
  readonly isComplete: boolean;
}

/** The consumers that may move, and the hosts between which they move. */
export interface Movers {
  readonly consumers: readonly number[];
  readonly hosts: readonly number[];
}

/**
 * Enumerates the states that sequences of moves reach, shorter sequences first. The first state
 * with the best value therefore has the fewest moves. Consumers may move twice to free capacity for
 * each other.
 */
export class ShortestMoves {
  private readonly problem: RebalanceProblem;
  /** The smallest first: the first of equally good plans then moves the smallest consumers. */
  private readonly movable: readonly number[];
  /** By consumer: its position in `movable`. */
  private readonly moverOf: ReadonlyMap<number, number>;
  /** By movable consumer: its places, the present place first. */
  private places: readonly PossiblePlace[][] = [];
  /** By block: the usage without the allocations of the movable consumers, and that of a state. */
  private readonly fixed = new Map<number, Float64Array>();
  private readonly used = new Map<number, Float64Array>();
  /** The hosts whose value moves may change, and the combined value of the other hosts. */
  private readonly touched: number[] = [];
  private untouchedValue = 0;
  private current: Uint8Array = new Uint8Array();
  private measure: ReturnType<Faults['measureFor']> = { relations: 0, at: () => 0 };

  constructor(
    private readonly state: FleetState,
    private readonly requests: ConsumerRequests,
    private readonly faults: Faults,
    private readonly effort: Effort,
    private readonly movers: Movers,
  ) {
    this.problem = state.problem;
    const sized =
      movers.consumers.length > MAX_SEARCHED ? [] : movers.consumers.map((one) => state.sized(one));
    this.movable = sized.sort((a, b) => a.share - b.share).map(({ consumer }) => consumer);
    this.moverOf = new Map(this.movable.map((consumer, mover) => [consumer, mover]));
  }

  /** Returns null if there are too many states. */
  *run(): Generator<void, FoundMoves | null> {
    if (this.movers.consumers.length > MAX_SEARCHED) return null;
    this.measure = this.faults.measureFor(this.movable, this.state.positions);
    const mayRest = this.problem.goal === 'FIX';
    const hasAllPlaces = yield* this.readPlaces(mayRest);
    if (!hasAllPlaces && !(mayRest && (yield* this.readPlaces(false)))) return null;
    this.prepareValues();
    const found = yield* this.enumerate();
    return { ...found, isComplete: found.isComplete && hasAllPlaces };
  }

  private *enumerate(): Generator<void, FoundMoves> {
    const { problem, state } = this;
    const places = new Uint8Array(this.movable.length);
    const start: Reached = { places, previous: null, mover: -1, base: null };
    this.occupy(start.places);
    let best = { reached: start, value: this.value() };
    const seen = new Set([keyOfState(start)]);
    let level = [start];
    for (let depth = state.moves.length; depth < problem.maxMoves && level.length > 0; depth++) {
      const next: Reached[] = [];
      for (const reached of level) {
        if (this.effort.isUsedUp) yield;
        if (problem.isOver() || seen.size > MAX_SEEN)
          return { moves: this.movesTo(best.reached), isComplete: false };
        for (const following of this.expand(reached, seen)) {
          next.push(following);
          if (following.base !== null || this.isResting(following)) continue;
          const value = this.value();
          if (isBetter(value, best.value)) best = { reached: following, value };
        }
      }
      level = next;
    }
    return { moves: this.movesTo(best.reached), isComplete: true };
  }

  /** Yields the new states that one move reaches from a state. The usage is that of the yielded state. */
  private *expand(reached: Reached, seen: Set<string>): Generator<Reached> {
    this.occupy(reached.places);
    for (const [mover, places] of this.places.entries()) {
      if (!this.mayMove(mover, reached)) continue;
      const from = reached.places[mover];
      this.add(places[from], -1);
      for (const [to, place] of places.entries()) {
        this.effort.otherWork++;
        if (to === from || !this.fits(place)) continue;
        const following = this.following(reached, mover, to);
        if (following === null || seen.has(keyOfState(following))) continue;
        seen.add(keyOfState(following));
        this.current = following.places;
        this.add(place, 1);
        this.effort.otherWork += 2;
        yield following;
        this.add(place, -1);
      }
      this.current = reached.places;
      this.add(places[from], 1);
    }
  }

  /** Returns whether a consumer may move next: after the first move of a group, only the rest of the group. */
  private mayMove(mover: number, { base, places, mover: last }: Reached): boolean {
    if (base === null) return true;
    const group = this.requests.relations.groups.groupOf(this.movable[last]);
    return group.includes(this.movable[mover]) && places[mover] === base.places[mover];
  }

  /** Returns the state after a move. Null if it breaks a relation that the rest of a group cannot restore. */
  private following(reached: Reached, mover: number, to: number): Reached | null {
    const { relations } = this.requests;
    const consumer = this.movable[mover];
    const places = reached.places.slice();
    places[mover] = to;
    const following = { places, previous: reached, mover, base: null };
    if (!relations.isRelated(consumer)) return following;
    const base = reached.base ?? reached;
    const [previous, before, after] = [reached.places, base.places, places].map((at) => this.positionsAt(at));
    if (relations.breaks(consumer, previous, after, 'AWAY')) return null;
    const group = relations.groups.groupOf(consumer);
    const moved =
      reached.base === null ? [consumer] : group.filter((one) => this.hasMoved(one, base, places));
    if (moved.every((one) => !relations.breaks(one, before, after))) return following;
    const canContinue = group.some((one) => this.moverOf.has(one) && !this.hasMoved(one, base, places));
    return canContinue ? { ...following, base } : null;
  }

  private hasMoved(consumer: number, base: Reached, places: Uint8Array): boolean {
    const mover = this.moverOf.get(consumer);
    return mover !== undefined && base.places[mover] !== places[mover];
  }

  private isResting({ places }: Reached): boolean {
    return this.places.some((own, mover) => own[places[mover]].isRest);
  }

  /** Lists the places of all movable consumers. Returns false if there are too many. */
  private *readPlaces(mayRest: boolean): Generator<void, boolean> {
    const { problem, requests } = this;
    let states = 1;
    const all: PossiblePlace[][] = [];
    for (const consumer of this.movable) {
      const present = this.state.allocationsOf(consumer);
      const places = new Map([[keyOf(present), this.placeOf(present, false)]]);
      if (!(yield* this.addPlaces(places, requests.planOf(consumer), false))) return false;
      const rests = mayRest && problem.consumers[consumer].isStated;
      if (rests && !(yield* this.addPlaces(places, requests.restPlanOf(consumer), true))) return false;
      all.push([...places.values()]);
      states *= places.size;
      if (states * Math.max(1, this.measure.relations >> 8) > MAX_STATES) return false;
    }
    this.places = all;
    return true;
  }

  private *addPlaces(
    places: Map<string, PossiblePlace>,
    plan: Plan | null,
    isRest: boolean,
  ): Generator<void, boolean> {
    if (plan === null) return true;
    const trees = { ...plan.trees, near: new Set(this.movers.hosts) };
    const options = { limit: MAX_PLACES, seed: 0 };
    const search = yield* finishedSearch(this.requests.empty, { ...plan, trees }, options, this.effort);
    if (!search.complete) return false;
    for (const candidate of search.candidates) {
      const allocations = allocationsOf(plan, candidate);
      const key = keyOf(allocations);
      if (!places.has(key)) places.set(key, this.placeOf(allocations, isRest));
    }
    return places.size <= MAX_PLACES;
  }

  private placeOf(allocations: readonly CandidateAllocation[], isRest: boolean): PossiblePlace {
    return { allocations, amounts: inventoryAmounts(this.problem.snapshot, allocations), isRest };
  }

  private prepareValues(): void {
    const { state } = this;
    const places = this.places.flat();
    const trees = new Set(places.flatMap(({ allocations }) => treesOf(allocations)));
    for (const host of this.movers.hosts) {
      if (trees.has(host)) this.touched.push(host);
      else this.untouchedValue = state.values.combine(this.untouchedValue, state.valueOf(host));
    }
    for (const block of new Set([...trees].map(blockNumber)))
      this.fixed.set(block, Float64Array.from(state.overlay.blocks[block].used));
    for (const [{ amounts }] of this.places)
      for (const { blockNumber: block, at, amount } of amounts) this.fixed.get(block)![at] -= amount;
  }

  /** Sets the usage to that of a state. */
  private occupy(places: Uint8Array): void {
    for (const [block, used] of this.fixed) this.used.set(block, used.slice());
    this.current = places;
    for (const [mover, at] of places.entries()) this.add(this.places[mover][at], 1);
  }

  private add({ amounts }: PossiblePlace, sign: 1 | -1): void {
    for (const { blockNumber: block, at, amount } of amounts) this.used.get(block)![at] += sign * amount;
  }

  private fits({ amounts }: PossiblePlace): boolean {
    return amounts.every(
      ({ block, blockNumber: number, at, amount }) =>
        this.used.get(number)![at] + amount <= block.capacities[at],
    );
  }

  private positionsAt(places: Uint8Array): (consumer: number) => readonly CandidateAllocation[] {
    return (consumer) => {
      const mover = this.moverOf.get(consumer);
      return mover === undefined
        ? this.state.allocationsOf(consumer)
        : this.places[mover][places[mover]].allocations;
    };
  }

  private readonly usedColumns: UsedColumns = (block) => this.used.get(block)!;

  private value(): number {
    const { values } = this.state;
    let value = this.untouchedValue;
    for (const host of this.touched) value = values.combine(value, values.of(host, this.usedColumns));
    return value + this.measure.at(this.positionsAt(this.current));
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

/** States after an unfinished move of a group differ by the state before it. */
function keyOfState({ places, base }: Reached): string {
  return base === null ? places.join() : `${places.join()} ${base.places.join()}`;
}
