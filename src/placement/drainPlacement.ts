import { allocationsOf, type Candidate, type CandidateAllocation } from '../engine/model/candidate.js';
import { largestFreeOf } from '../engine/model/classIndex.js';
import type { Effort } from '../engine/model/effort.js';
import { planRequest, type Plan } from '../engine/model/plan.js';
import type { CandidatesRequest, Holdings } from '../engine/model/request.js';
import { freeAt, treeOf, type Snapshot } from '../engine/model/snapshot.js';
import { searchFor } from '../engine/ordered/orderedSearch.js';
import { valuesOf } from '../engine/ordered/terms/values.js';
import { EmptyTrees } from '../engine/overlay/emptyTrees.js';
import { AllocatedOverlay } from '../engine/overlay/snapshotOverlay.js';
import { TreeFilter } from '../engine/search/treeFilter.js';
import type { Found } from './candidateSearch.js';
import { allocationsIn, type HeldConsumer } from './heldConsumers.js';
import { SLICE } from './timeSlices.js';

/** A consumer of a drained tree with its requests, the best first. */
export interface Leaving {
  readonly consumer: HeldConsumer;
  /** The position of the request; null if the requests are derived from the consumer's allocations. */
  readonly requested: number | null;
  readonly requests: readonly CandidatesRequest[];
  readonly seed: number;
}

/** A consumer and its new place; null if nothing fits. */
export interface Move extends Leaving {
  readonly found: Found<Candidate> | null;
}

export interface Drained {
  readonly snapshot: Snapshot;
  /** The indices of the trees to empty, which take no consumers. */
  readonly trees: ReadonlySet<number>;
  /** The allocations of the consumers that the requests name. */
  readonly holdings: Holdings;
}

/** The maximum number of orders to try, and of moves in all of them. */
const MAX_ATTEMPTS = 8;
const MAX_MOVES_TRIED = 10_000;

/** Consumers with at least this many trees are not compared by that number. */
const MANY_TREES = 256;

/**
 * Places as many consumers as possible one after another, those that fit in the fewest trees first. If some
 * cannot be placed, it starts over with them first, several times, and returns the attempt with the most moves.
 * Returns the moves in their order, then the consumers that stay.
 */
export function* placeLeaving(
  drained: Drained,
  leaving: readonly Leaving[],
  effort: Effort,
): Generator<void, Move[]> {
  const first = new Attempt(drained, effort);
  const treesOf = yield* first.countTrees(leaving);
  let order = mostConstrainedFirst(drained.snapshot, leaving, treesOf);
  let best = yield* first.run(order);
  const attempts = Math.min(MAX_ATTEMPTS, MAX_MOVES_TRIED / leaving.length);
  let last = best;
  for (let tried = 1; tried < attempts; tried++) {
    const stuck = new Set(last.flatMap(({ found, consumer }) => (found === null ? [consumer] : [])));
    const isFirst = (each: Leaving): boolean => stuck.has(each.consumer) && treesOf.get(each)! > 0;
    const next = [...order.filter(isFirst), ...order.filter((each) => !isFirst(each))];
    if (next.every((each, at) => each === order[at])) break;
    order = next;
    last = yield* new Attempt(drained, effort).run(order);
    if (countMoves(last) > countMoves(best)) best = last;
  }
  return best;
}

function countMoves(moves: readonly Move[]): number {
  return moves.filter(({ found }) => found !== null).length;
}

/** Sorts by the number of trees, then by the largest share of what one provider has free of any class. */
function mostConstrainedFirst(
  { blocks, classes }: Snapshot,
  leaving: readonly Leaving[],
  treesOf: ReadonlyMap<Leaving, number>,
): Leaving[] {
  const largestFree = new Map<number, number>();
  const shareOf = (resourceClass: string, amount: number): number => {
    const id = classes.idOf(resourceClass);
    if (id === undefined) return Infinity;
    const free = largestFree.get(id) ?? largestFreeOf(blocks, id);
    largestFree.set(id, free);
    return amount / free;
  };
  const sized = leaving.map((each) => {
    const amounts = each.requests[0].groups.flatMap(({ resources }) => resources);
    const size = Math.max(...amounts.map(({ resourceClass, amount }) => shareOf(resourceClass, amount)));
    return { each, size, trees: treesOf.get(each)! };
  });
  const bySize = (a: number, b: number): number => (a === b ? 0 : b - a);
  return sized.sort((a, b) => a.trees - b.trees || bySize(a.size, b.size)).map(({ each }) => each);
}

/** One sequence of moves from the state before the drain. */
class Attempt {
  private readonly overlay: AllocatedOverlay;
  private readonly empty: EmptyTrees;
  private readonly holdings: Map<string, readonly string[]>;

  constructor(
    private readonly drained: Drained,
    private readonly effort: Effort,
  ) {
    this.overlay = new AllocatedOverlay(drained.snapshot);
    this.holdings = new Map(drained.holdings);
    for (const treeIndex of drained.trees) this.fill(treeIndex);
    this.empty = new EmptyTrees(this.overlay);
  }

  /** Takes everything that a tree has free, so that the index rules the tree out. */
  private fill(treeIndex: number): void {
    const { block, start, end } = treeOf(this.drained.snapshot, treeIndex);
    for (let row = start; row < end; row++) {
      const resources = [];
      for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
        resources.push({ resourceClass: block.classes[at], amount: Math.max(0, freeAt(block, at)) });
      this.overlay.allocate({ provider: { block, row, treeIndex }, resources });
    }
  }

  /** Counts the trees in which each consumer may fit before any move; stops at MANY_TREES. */
  *countTrees(leaving: readonly Leaving[]): Generator<void, Map<Leaving, number>> {
    const counts = new Map<Leaving, number>();
    const byRequest = new Map<string, number>();
    for (const each of leaving) {
      const request = each.requests[each.requests.length - 1];
      const key = JSON.stringify(request);
      const count = byRequest.get(key) ?? this.treesFor(request);
      byRequest.set(key, count);
      counts.set(each, count);
      if (this.effort.isUsedUp) yield;
    }
    return counts;
  }

  private treesFor(request: CandidatesRequest): number {
    const plan = this.planOf(request);
    if (plan === null) return 0;
    const filter = new TreeFilter(this.overlay, plan);
    let count = 0;
    for (const treeIndex of filter.only ?? Array(this.overlay.treeCount).keys()) {
      this.effort.treesTested++;
      if (filter.passes(treeIndex) && ++count === MANY_TREES) break;
    }
    return count;
  }

  /** Moves the consumers in this order. Retries those without a place as long as others find one. */
  *run(order: readonly Leaving[]): Generator<void, Move[]> {
    const moved: Move[] = [];
    let left = order;
    for (;;) {
      const stuck: Leaving[] = [];
      for (const each of left) {
        const found = yield* this.move(each);
        if (found === null) stuck.push(each);
        else moved.push({ ...each, found });
      }
      if (stuck.length === 0 || stuck.length === left.length)
        return [...moved, ...stuck.map((each) => ({ ...each, found: null }))];
      left = stuck;
    }
  }

  private *move({ consumer, requests, seed }: Leaving): Generator<void, Found<Candidate> | null> {
    const held = this.keptAllocations(consumer);
    this.allocate(held, -1);
    for (const request of requests) {
      const found = yield* this.find(request, seed);
      if (found === null) continue;
      const allocations = allocationsOf(found.found.plan!, found);
      this.allocate(allocations, 1);
      const providers = allocations.map(({ provider: { block, row } }) => block.uuids[row]);
      if (this.holdings.has(consumer.uuid)) this.holdings.set(consumer.uuid, providers);
      return found;
    }
    this.allocate(held, 1);
    return null;
  }

  /** Returns the allocations of a consumer outside the drained trees, which are filled. */
  private keptAllocations({ allocations }: HeldConsumer): CandidateAllocation[] {
    const { snapshot, trees } = this.drained;
    return allocationsIn(snapshot, allocations).filter(({ provider }) => !trees.has(provider.treeIndex));
  }

  private allocate(allocations: readonly CandidateAllocation[], sign: 1 | -1): void {
    for (const { provider, resources } of allocations) {
      const signed = resources.map(({ resourceClass, amount }) => ({ resourceClass, amount: sign * amount }));
      this.overlay.allocate({ provider, resources: signed });
      this.empty.update(provider.treeIndex);
    }
  }

  /**
   * Searches for a candidate. Without an order of its own, the request prefers trees with allocations to empty
   * ones, and the fullest.
   */
  private *find(request: CandidatesRequest, seed: number): Generator<void, Found<Candidate> | null> {
    if (request.orderBy.length > 0) return yield* this.search(request, request, seed);
    const packed = { ...request, orderBy: [this.packing(request)] };
    return (
      (yield* this.search(packed, request, seed, this.empty.all)) ??
      (this.empty.all.size === 0 ? null : yield* this.search(packed, request, seed))
    );
  }

  private *search(
    ordered: CandidatesRequest,
    request: CandidatesRequest,
    seed: number,
    notAnchors?: ReadonlySet<number>,
  ): Generator<void, Found<Candidate> | null> {
    const plan = this.planOf(ordered);
    if (plan === null) return null;
    const { overlay, effort } = this;
    const filter = new TreeFilter(overlay, plan, notAnchors);
    const options = { limit: 1, roundRobin: true, stopsAtLimit: true, seed, filter };
    const search = searchFor(overlay, plan, options);
    for (let isDone = false; !isDone;) {
      const before = search.effort.spent;
      isDone = search.run(SLICE);
      effort.otherWork += search.effort.spent - before;
      if (effort.isUsedUp) yield;
    }
    const [candidate] = search.candidates;
    if (candidate === undefined) return null;
    const values = ordered === request ? valuesOf(plan, candidate) : [];
    const found = { snapshot: overlay, request, plan, candidates: [candidate], complete: false, seed };
    return { assignments: candidate.assignments, values, found };
  }

  /** Plans a request with the consumers where they are now, without the drained trees. */
  private planOf(request: CandidatesRequest): Plan | null {
    const plan = planRequest(this.overlay, { ...request, holdings: this.holdings });
    if (plan === null) return null;
    const { trees } = this.drained;
    const { excluded } = plan.trees;
    const both = excluded.size === 0 ? trees : new Set([...excluded, ...trees]);
    return { ...plan, trees: { ...plan.trees, excluded: both } };
  }

  /** Packs by the class of which the request takes the largest share, preferably one that is not shared. */
  private packing({ groups }: CandidatesRequest): CandidatesRequest['orderBy'][number] {
    const { blocks, classes, sharing } = this.drained.snapshot;
    let best = { resourceClass: '', share: -Infinity };
    for (const { resourceClass, amount } of groups.flatMap(({ resources }) => resources)) {
      const id = classes.idOf(resourceClass)!;
      const share = amount / largestFreeOf(blocks, id) - (sharing.has('class', id) ? Number.MAX_VALUE : 0);
      if (share > best.share || best.resourceClass === '') best = { resourceClass, share };
    }
    return { freeShare: { resourceClass: best.resourceClass, strategy: 'PACK' } };
  }
}
