import { allocationsOf, type CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { blockNumber, usedAt } from '../../fleet/snapshot.js';
import { finishedSearch } from '../../search/candidateSearch.js';
import { inventoryAmounts, lacksCounters } from './inventoryAmounts.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { FleetState } from './fleetState.js';
import { keyOf, treesOf, type RebalanceMove } from './problem.js';
import type { UsedColumns } from './values.js';

/** The maximum number of places of a consumer. */
const MAX_PLACES = 200;

/** Possible allocations of a consumer. */
interface PossiblePlace {
  readonly allocations: readonly CandidateAllocation[];
  readonly amounts: ReturnType<typeof inventoryAmounts>;
  /** Whether the consumer must leave it again, because its request does not allow it. */
  readonly isRest: boolean;
  /** Whether it is a candidate of the consumer's request, which its present place need not be. */
  readonly isCandidate: boolean;
  /** Whether no move leads to it: a write would add the counters that its partitions consume. */
  readonly lacksCounters: boolean;
}

/** A state that a sequence of moves reaches. */
export interface Reached {
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

/** The consumers that may move, and the hosts between which they move. */
export interface Movers {
  readonly consumers: readonly number[];
  readonly hosts: readonly number[];
}

/**
 * RELEASES: a move releases the former allocations in the same step. COPIES: both count until the move ends, except
 * amounts on an inventory that both placements use, where the larger one counts.
 */
type MoveKind = 'RELEASES' | 'COPIES';

/** The states that sequences of moves of a few consumers reach. One of them is the current state. */
export class MoveStates {
  /** The smallest first: the first of equally good plans then moves the smallest consumers. */
  readonly movable: readonly number[];
  /** By movable consumer: its places, the present place first. */
  places: readonly PossiblePlace[][] = [];
  /** The trees of all places. */
  readonly trees = new Set<number>();
  current: Uint8Array = new Uint8Array();
  /** By consumer: its position in `movable`. */
  private readonly moverOf: ReadonlyMap<number, number>;
  /** By block: the usage without the allocations of the movable consumers, and that of a state. */
  private readonly fixed = new Map<number, Float64Array>();
  private readonly used = new Map<number, Float64Array>();

  constructor(
    private readonly state: FleetState,
    private readonly requests: ConsumerRequests,
    private readonly effort: Effort,
    private readonly movers: Movers,
    private readonly kind: MoveKind,
  ) {
    const sized = movers.consumers.map((one) => state.sized(one));
    this.movable = sized.sort((a, b) => a.share - b.share).map(({ consumer }) => consumer);
    this.moverOf = new Map(this.movable.map((consumer, mover) => [consumer, mover]));
  }

  get start(): Reached {
    return { places: new Uint8Array(this.movable.length), previous: null, mover: -1, base: null };
  }

  /** Lists the places of all movable consumers. Returns false if there are more than this number of states. */
  *readPlaces(mayRest: boolean, maxStates: number): Generator<void, boolean> {
    const { requests } = this;
    const { problem } = this.state;
    let states = 1;
    const all: PossiblePlace[][] = [];
    for (const consumer of this.movable) {
      const present = this.state.allocationsOf(consumer);
      const places = new Map<string, PossiblePlace>([
        [keyOf(present), this.placeOf(present, { isRest: false, isCandidate: false })],
      ]);
      if (!(yield* this.addPlaces(places, requests.planOf(consumer), false))) return false;
      const rests = mayRest && problem.consumers[consumer].isStated;
      if (rests && !(yield* this.addPlaces(places, requests.restPlanOf(consumer), true))) return false;
      all.push([...places.values()]);
      states *= places.size;
      if (states > maxStates) return false;
    }
    this.places = all;
    this.prepareUsage();
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
      if (!places.has(key) || !isRest)
        places.set(key, this.placeOf(allocations, { isRest, isCandidate: !isRest }));
    }
    return places.size <= MAX_PLACES;
  }

  private placeOf(
    allocations: readonly CandidateAllocation[],
    kind: Pick<PossiblePlace, 'isRest' | 'isCandidate'>,
  ): PossiblePlace {
    const amounts = inventoryAmounts(this.state.problem.snapshot, allocations);
    return { allocations, amounts, lacksCounters: lacksCounters(amounts), ...kind };
  }

  private prepareUsage(): void {
    const places = this.places.flat();
    for (const { allocations } of places) for (const tree of treesOf(allocations)) this.trees.add(tree);
    for (const block of new Set([...this.trees].map(blockNumber)))
      this.fixed.set(block, Float64Array.from(this.state.overlay.blocks[block].used));
    for (const [{ amounts }] of this.places)
      for (const { blockNumber: block, at, amount } of amounts) this.fixed.get(block)![at] -= amount;
  }

  /** Yields the new states that one move reaches from a state. The usage is that of the yielded state. */
  *expand(reached: Reached, isNew: (following: Reached) => boolean): Generator<Reached> {
    this.occupy(reached.places);
    for (const [mover, places] of this.places.entries()) {
      if (!this.mayMove(mover, reached)) continue;
      const from = reached.places[mover];
      this.add(places[from], -1);
      for (const [to, place] of places.entries()) {
        this.effort.otherWork++;
        if (to === from || place.lacksCounters || !this.fits(place, places[from])) continue;
        const following = this.following(reached, mover, to);
        if (following === null || !isNew(following)) continue;
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

  /**
   * Yields each state, whether or not moves reach it, in which at most `maxMoved` consumers are elsewhere and what these use
   * exceeds no capacity. The usage is that of the state. For the caller to count and to stop, yields null for each state of
   * only some of the consumers.
   */
  *fitting(maxMoved: number): Generator<Uint8Array | null> {
    const { places } = this;
    this.occupy(this.start.places);
    for (const [present] of places) this.add(present, -1);
    /** By consumer: its place, -1 for none, and how many consumers before it are elsewhere. */
    const at = new Int16Array(places.length).fill(-1);
    const moved = new Uint8Array(places.length + 1);
    for (let mover = 0; mover >= 0;) {
      const own = places[mover];
      if (at[mover] >= 0) this.add(own[at[mover]], -1);
      const to = ++at[mover];
      if (to === own.length || (to > 0 && moved[mover] === maxMoved)) {
        at[mover--] = -1;
        continue;
      }
      this.effort.otherWork++;
      this.add(own[to], 1);
      if (to > 0 && !this.isWithinCapacity(own[to])) continue;
      moved[mover + 1] = moved[mover] + Math.min(to, 1);
      if (++mover < places.length) {
        yield null;
        continue;
      }
      this.current = Uint8Array.from(at);
      yield this.current;
      mover--;
    }
  }

  private isWithinCapacity({ amounts }: PossiblePlace): boolean {
    return amounts.every(
      ({ block, blockNumber: number, at }) =>
        usedAt(block, at, this.used.get(number)) <= block.capacities[at],
    );
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

  isResting({ places }: Reached): boolean {
    return this.places.some((own, mover) => own[places[mover]].isRest);
  }

  /** Sets the usage to that of a state. */
  occupy(places: Uint8Array): void {
    for (const [block, used] of this.fixed) this.used.set(block, used.slice());
    this.current = places;
    for (const [mover, at] of places.entries()) this.add(this.places[mover][at], 1);
  }

  private add({ amounts }: PossiblePlace, sign: 1 | -1): void {
    for (const { blockNumber: block, at, amount } of amounts) this.used.get(block)![at] += sign * amount;
  }

  /** Returns whether a place fits while the consumer's former place `from` is released. */
  private fits(place: PossiblePlace, from: PossiblePlace): boolean {
    const copies = this.kind === 'COPIES';
    this.add(place, 1);
    const fits = place.amounts.every(({ block, blockNumber: number, at, amount }) => {
      const left = copies ? Math.max(0, amountAt(from, number, at) - amount) : 0;
      return usedAt(block, at, this.used.get(number)) + left <= block.capacities[at];
    });
    this.add(place, -1);
    return fits;
  }

  positionsAt(places: Uint8Array): (consumer: number) => readonly CandidateAllocation[] {
    return (consumer) => {
      const mover = this.moverOf.get(consumer);
      return mover === undefined
        ? this.state.allocationsOf(consumer)
        : this.places[mover][places[mover]].allocations;
    };
  }

  readonly usedColumns: UsedColumns = (block) => this.used.get(block)!;

  movesTo(last: Reached): RebalanceMove[] {
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

function amountAt({ amounts }: PossiblePlace, number: number, position: number): number {
  return amounts.find(({ blockNumber: block, at }) => block === number && at === position)?.amount ?? 0;
}

/** States after an unfinished move of a group differ by the state before it. */
export function keyOfState({ places, base }: Reached): string {
  return base === null ? places.join() : `${places.join()} ${base.places.join()}`;
}
