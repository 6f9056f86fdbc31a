import {
  allocationsOf,
  anchorTreeOf,
  type Candidate,
  type CandidateAllocation,
} from '../engine/model/candidate.js';
import type { Effort } from '../engine/model/effort.js';
import { planRequest, type Plan } from '../engine/model/plan.js';
import type { CandidatesRequest, Holdings } from '../engine/model/request.js';
import { freeAt, treeIndexOf, treeOf, type Snapshot } from '../engine/model/snapshot.js';
import { searchFor } from '../engine/ordered/orderedSearch.js';
import { valuesOf } from '../engine/ordered/terms/values.js';
import { AllocatedOverlay, EmptyTrees } from '../engine/overlay/snapshotOverlay.js';
import { TreeFilter } from '../engine/search/treeFilter.js';
import type { ProviderAllocationInput } from '../ledger/allocation/allocationInput.js';
import type { Found } from './candidateSearch.js';
import { allocationsIn, consumersNamedIn, type HeldConsumer } from './heldConsumers.js';
import { finished } from '../engine/search/search.js';

/** A consumer of a drained tree with its requests, the best first. */
export interface Leaving {
  readonly consumer: HeldConsumer;
  /** The position of the request; null if the requests are derived from the consumer's allocations. */
  readonly requested: number | null;
  readonly requests: readonly CandidatesRequest[];
  readonly seed: number;
}

/** A consumer and its new candidate. `found` is null if nothing fits. */
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

/** The work after which a search for the fullest tree accepts any tree. */
const MAX_PACKING_WORK = 2_000;

/** With more empty trees, a search that only they can answer goes through the whole fleet. */
const MAX_LISTED_TREES = 1_000;

/** The limit of a count of trees. Consumers with at least this many trees compare as equal. */
const MANY_TREES = 256;

/** One sequence of moves from the state before the drain. */
export class DrainAttempt {
  private readonly overlay: AllocatedOverlay;
  private readonly empty: EmptyTrees;
  private readonly holdings: Map<string, readonly string[]>;
  /** Maps the key of a request to the tree of its last candidate. */
  private readonly lastTrees = new Map<string, number>();
  /** Maps the key of a request that fitted nowhere to the number of releases until then. */
  private readonly failures = new Map<string, number>();
  /** Maps a class to the free amount of the fleet before the drain. */
  private readonly free = new Map<number, number>();
  /** The number of moves that released allocations outside the drained trees. */
  private releases = 0;

  constructor(
    private readonly drained: Drained,
    private readonly effort: Effort,
  ) {
    this.overlay = new AllocatedOverlay(drained.snapshot);
    this.holdings = new Map(drained.holdings);
    for (const treeIndex of drained.trees) this.fill(treeIndex);
    this.empty = new EmptyTrees(this.overlay);
  }

  /** Allocates all free amounts of a tree, so that the index excludes the tree. */
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
      const request = each.requests.at(-1)!;
      const key = JSON.stringify(request);
      const count = byRequest.get(key) ?? (yield* this.treesFor(request));
      byRequest.set(key, count);
      counts.set(each, count);
      if (this.effort.isUsedUp) yield;
    }
    return counts;
  }

  private *treesFor(request: CandidatesRequest): Generator<void, number> {
    const plan = this.planOf(request);
    if (plan === null) return 0;
    const filter = new TreeFilter(this.overlay, plan);
    let count = 0;
    for (const treeIndex of filter.only ?? Array(this.overlay.treeCount).keys()) {
      this.effort.treesTested++;
      if (this.effort.isUsedUp) yield;
      if (filter.passes(treeIndex) && ++count === MANY_TREES) break;
    }
    return count;
  }

  /** Moves the consumers in this order. Retries failed ones as long as a pass moves a consumer. */
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
    const kept = this.keptAllocations(consumer);
    const held = allocationsIn(this.drained.snapshot, kept);
    this.allocate(held, -1);
    for (const request of requests) {
      const key = JSON.stringify([request, kept]);
      // The request fits nowhere if it failed before and no move has released allocations since.
      if (this.failures.get(key) === this.releases) continue;
      const found = yield* this.find(request, key, seed);
      if (found === null) {
        // The trees of consumers that the request names may change at any time.
        if (consumersNamedIn(request).length === 0) this.failures.set(key, this.releases);
        continue;
      }
      const allocations = allocationsOf(found.found.plan!, found);
      this.allocate(allocations, 1);
      if (held.length > 0) this.releases++;
      if (this.holdings.has(consumer.uuid)) this.holdings.set(consumer.uuid, providersOfFound(found));
      return found;
    }
    this.allocate(held, 1);
    return null;
  }

  /** Returns the allocations of a consumer outside the drained trees, which are filled. */
  private keptAllocations({ allocations }: HeldConsumer): ProviderAllocationInput[] {
    const { snapshot, trees } = this.drained;
    return allocations.filter(({ resourceProvider }) => {
      const provider = snapshot.locate(resourceProvider);
      return provider !== undefined && !trees.has(treeIndexOf(provider));
    });
  }

  private allocate(allocations: readonly CandidateAllocation[], sign: 1 | -1): void {
    for (const allocation of allocations) {
      this.overlay.allocate(allocation, sign);
      this.empty.update(allocation.provider.treeIndex);
    }
  }

  /**
   * Searches for a candidate. Without an order of its own, the request prefers the tree of the last equal
   * request, then trees with allocations, the fullest first, then empty ones.
   */
  private *find(
    request: CandidatesRequest,
    key: string,
    seed: number,
  ): Generator<void, Found<Candidate> | null> {
    const isOrdered = request.orderBy.length > 0;
    const plan = this.planOf(isOrdered ? request : { ...request, orderBy: [this.packing(request)] });
    if (plan === null) return null;
    const found = isOrdered ? yield* this.search(plan, seed) : yield* this.packed(plan, key, seed);
    if (!found) return null;
    const values = isOrdered ? valuesOf(plan, found) : [];
    const result = { snapshot: this.overlay, request, plan, candidates: [found], complete: false, seed };
    return { assignments: found.assignments, values, found: result };
  }

  private *packed(plan: Plan, key: string, seed: number): Generator<void, Candidate | null> {
    const { near } = plan.trees;
    const last = this.lastTrees.get(key);
    if (last !== undefined && near?.has(last) !== false) {
      const trees = { ...plan.trees, near: new Set([last]) };
      const found = yield* this.search({ ...plan, trees }, seed);
      if (found) return found;
    }
    const unordered = { ...plan, orderBy: [] };
    const empty = this.empty.all;
    let found = yield* this.search(plan, seed, empty, MAX_PACKING_WORK);
    if (found === undefined) found = yield* this.search(unordered, seed, empty);
    if (found === null && empty.size > 0) found = yield* this.search(this.inTrees(unordered, empty), seed);
    if (!found) return null;
    const tree = anchorTreeOf(found);
    if (tree !== null) this.lastTrees.set(key, tree);
    return found;
  }

  /** Limits a plan to these trees, unless they are so many that listing them costs more. */
  private inTrees(plan: Plan, trees: ReadonlySet<number>): Plan {
    const { near } = plan.trees;
    if (near !== null || trees.size > MAX_LISTED_TREES) return plan;
    return { ...plan, trees: { ...plan.trees, near: trees } };
  }

  /** Returns null if there is no candidate, undefined after `maxWork`. */
  private *search(
    plan: Plan,
    seed: number,
    notAnchors?: ReadonlySet<number>,
    maxWork = Infinity,
  ): Generator<void, Candidate | null | undefined> {
    const { overlay, effort } = this;
    const filter = new TreeFilter(overlay, plan, notAnchors);
    const options = { limit: 1, stopsAtLimit: true, seed, filter };
    const search = searchFor(overlay, plan, options);
    return (yield* finished(search, effort, maxWork)) ? (search.candidates[0] ?? null) : undefined;
  }

  /** Plans a request with the present holdings of the consumers, without the drained trees. */
  private planOf(request: CandidatesRequest): Plan | null {
    const plan = planRequest(this.overlay, { ...request, holdings: this.holdings });
    if (plan === null) return null;
    const { trees } = this.drained;
    const excluded = plan.trees.excluded.size === 0 ? trees : new Set([...plan.trees.excluded, ...trees]);
    return { ...plan, trees: { ...plan.trees, excluded } };
  }

  /** Packs by the class with the largest share of the free amount. Prefers unshared classes. */
  private packing({ groups }: CandidatesRequest): CandidatesRequest['orderBy'][number] {
    const { classes, sharing } = this.drained.snapshot;
    let best = { resourceClass: '', share: -Infinity };
    for (const { resourceClass, amount } of groups.flatMap(({ resources }) => resources)) {
      const id = classes.idOf(resourceClass)!;
      const share = (sharing.has('class', id) ? 0 : 1) + amount / (amount + this.totalFree(id));
      if (share > best.share) best = { resourceClass, share };
    }
    return { freeShare: { resourceClass: best.resourceClass, strategy: 'PACK' } };
  }

  private totalFree(resourceClass: number): number {
    const known = this.free.get(resourceClass);
    if (known !== undefined) return known;
    const { blocks } = this.drained.snapshot;
    const sum = blocks.reduce(
      (all, { index }) =>
        index.classes.get(resourceClass)?.totalFree.reduce((one, tree) => one + tree, all) ?? all,
      0,
    );
    this.free.set(resourceClass, sum);
    return sum;
  }
}

/** Returns the uuids of the providers of a found candidate. */
export function providersOfFound(found: Found<Candidate>): string[] {
  return allocationsOf(found.found.plan!, found).map(({ provider: { block, row } }) => block.uuids[row]);
}
