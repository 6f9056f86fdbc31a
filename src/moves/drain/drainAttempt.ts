import { textKey } from '../textKey.js';
import { once } from '../../model/collections.js';
import {
  allocationsOf,
  anchorTreeOf,
  type Candidate,
  type CandidateAllocation,
} from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import { planRequest, workToPlan, type Plan } from '../../search/plan.js';
import type { CandidatesRequest, CandidateStrategy, Holdings } from '../../model/request.js';
import { freeAt, treeOf, type Snapshot } from '../../fleet/snapshot.js';
import { finishedSearch } from '../../search/candidateSearch.js';
import { valuesOf } from '../../search/ordered/terms/values.js';
import { AllocatedOverlay, EmptyTrees, type Reallocation } from '../../search/overlay/snapshotOverlay.js';
import { treesToVisit } from '../headroom/headroom.js';
import { GroupPlacement, type Places } from '../relations/groupPlacement.js';
import type { WorkloadRules } from '../relations/domainRules.js';
import { restricted, withoutRelations } from '../relations/relations.js';
import { TreeFilter } from '../../search/treeFilter.js';
import type { Found } from '../../search/candidateSearch.js';
import type { DrainRelations, Leaving, OtherConsumer } from './drainRelations.js';
import { keyOf } from '../rebalance/problem.js';

/** A consumer and its new candidate. `found` is null if nothing fits. Then `to` equals `from`. */
export interface Move extends Leaving, Reallocation {
  readonly found: Found<Candidate> | null;
}

export interface Drained {
  readonly snapshot: Snapshot;
  /** The indices of the trees to empty, which take no consumers. */
  readonly trees: ReadonlySet<number>;
  /** The allocations of the consumers that the requests name. */
  readonly holdings: Holdings;
  /** The consumers that are not placed but whose stated relations count. */
  readonly others: readonly OtherConsumer[];
  /** The rules of the named workloads of the consumers. Absent: none. */
  readonly workloads?: WorkloadRules;
}

/** The work after which a search for the fullest tree accepts any tree. */
const MAX_PACKING_WORK = 2_000;

/** With more empty trees, a search that only they can answer goes through the whole fleet. */
const MAX_LISTED_TREES = 1_000;

/** The number of trees that a group tries in the order of packing. Then it tries the emptiest trees. */
const MAX_PACKED = 4;

/** The number of candidates of a consumer that the rules of its workload judge: the first may be in no domain. */
const MAX_JUDGED = 16;

/** The limit of a count of trees. Consumers with at least this many trees compare as equal. */
const MANY_TREES = 256;

const NOBODY: ReadonlySet<Leaving> = new Set();

/** A new place of a consumer, and its allocations outside the drained trees, which it leaves. */
interface Placed {
  readonly held: readonly CandidateAllocation[];
  readonly to: readonly CandidateAllocation[];
  readonly found: Found<Candidate>;
}

/** A search for a place of a consumer outside of the tried trees, while others keep their positions. */
interface Wish {
  readonly each: Leaving;
  readonly request: CandidatesRequest;
  readonly key: string;
  readonly tried: ReadonlySet<number>;
  readonly stays: ReadonlySet<Leaving>;
}

/** The work of planning a search and beginning it, in the unit of `Effort.spent`. */
const WORK_OF_PLAN = 300;

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
  /** The number of times that allocations outside the drained trees were released. */
  private releases = 0;
  private readonly numbers = new Map<string, number>();
  private readonly placed = new Map<Leaving, Placed>();

  constructor(
    private readonly drained: Drained,
    private readonly relations: DrainRelations,
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
    const allocations: CandidateAllocation[] = [];
    for (let row = start; row < end; row++) {
      const resources = [];
      for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
        resources.push({ resourceClass: block.classes[at], amount: Math.max(0, freeAt(block, at)) });
      allocations.push({ provider: { block, row, treeIndex }, resources });
    }
    this.overlay.allocateAll(allocations);
  }

  /** Counts the trees in which each consumer may fit before any move; stops at MANY_TREES. */
  *countTrees(leaving: readonly Leaving[]): Generator<void, Map<Leaving, number>> {
    const counts = new Map<Leaving, number>();
    const byRequest = new Map<string, number>();
    for (const each of leaving) {
      const request = each.requests.at(-1)!;
      const key = `${this.numberOf(request)} ${this.relations.isRelated(each) ? each.consumer.uuid : ''}`;
      const count = byRequest.get(key) ?? (yield* this.treesFor(each, request));
      byRequest.set(key, count);
      counts.set(each, count);
      if (this.effort.isUsedUp) yield;
    }
    return counts;
  }

  /** Returns the same number for equal requests. */
  private readonly numberOf = once((request: CandidatesRequest): number => {
    const text = JSON.stringify(request);
    const key = textKey(text);
    const number = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, number);
    this.effort.otherWork += text.length >> 8;
    return number;
  });

  private *treesFor(each: Leaving, request: CandidatesRequest): Generator<void, number> {
    const plan = this.planOf(each, request, NOBODY);
    if (plan === null) return 0;
    const filter = new TreeFilter(this.overlay, plan);
    let count = 0;
    for (const treeIndex of treesToVisit(this.overlay, filter, this.effort)) {
      if (this.effort.isUsedUp) yield;
      if (treeIndex !== undefined && ++count === MANY_TREES) break;
    }
    return count;
  }

  /** Moves the consumers in this order. Retries failed ones as long as a pass moves a consumer. */
  *run(order: readonly Leaving[]): Generator<void, Move[]> {
    let left = order;
    for (;;) {
      const failed = new Set<Leaving>();
      for (const each of left) {
        if (this.placed.has(each)) continue;
        const group = this.groupOf(each, left);
        if (group.length > 1 && !failed.has(each)) {
          if (yield* new GroupPlacement(group, this.placesFor(group)).run()) continue;
          for (const member of group) failed.add(member);
        }
        const place = yield* this.next(each, new Set(), new Set(group.filter((member) => member !== each)));
        if (place !== null) this.put(each, place);
      }
      const stuck = left.filter((each) => !this.placed.has(each));
      if (stuck.length === 0 || stuck.length === left.length) {
        const moved = Array.from(this.placed, ([each, { to, found }]) => ({ ...each, to, found }));
        return [...moved, ...stuck.map((each) => ({ ...each, to: each.from, found: null }))];
      }
      left = stuck;
    }
  }

  /** Returns the consumers without a place that must stay near this one: it, then the others in their order. */
  private groupOf(each: Leaving, order: readonly Leaving[]): Leaving[] {
    const group = new Set(this.relations.groupOf(each));
    if (group.size < 2) return [each];
    const others = order.filter((one) => one !== each && group.has(one) && !this.placed.has(one));
    return [each, ...others];
  }

  private placesFor(group: readonly Leaving[]): Places<Leaving, Placed> {
    return {
      next: (each, tried) => this.next(each, tried, NOBODY),
      treeOf: ({ found }) => anchorTreeOf(found),
      put: (each, place) => this.put(each, place),
      takeBack: (each, place) => this.takeBack(each, place),
      accepts: () =>
        group.every((each) => this.relations.areMet(each, { placed: this.placed, stays: NOBODY })),
    };
  }

  /** Finds a place outside of the tried trees, while the consumers in `stays` keep their positions. */
  private *next(
    each: Leaving,
    tried: ReadonlySet<number>,
    stays: ReadonlySet<Leaving>,
  ): Generator<void, Placed | null> {
    const held = each.from.filter(({ provider }) => !this.drained.trees.has(provider.treeIndex));
    const heldKey = keyOf(held);
    // Where a related consumer fits depends on the positions of others.
    const isRelated = this.relations.isRelated(each);
    this.allocate(held, -1);
    let found: Found<Candidate> | null = null;
    for (const request of each.requests) {
      const key = `${this.numberOf(request)} ${heldKey}`;
      // The request fits nowhere if it failed before and no move has released allocations since.
      if (!isRelated && this.failures.get(key) === this.releases) continue;
      found = yield* this.find({ each, request, key, tried, stays });
      if (found !== null) break;
      if (!isRelated) this.failures.set(key, this.releases);
    }
    this.allocate(held, 1);
    return found && { held, to: allocationsOf(found.found.plan!, found), found };
  }

  private put(each: Leaving, place: Placed): void {
    const { held, to } = place;
    const { uuid } = each.consumer;
    this.allocate(held, -1);
    this.allocate(to, 1);
    if (held.length > 0) this.releases++;
    this.placed.set(each, place);
    if (this.holdings.has(uuid)) this.holdings.set(uuid, providersOf(to));
  }

  private takeBack(each: Leaving, { held, to }: Placed): void {
    const { uuid } = each.consumer;
    this.allocate(to, -1);
    this.allocate(held, 1);
    this.releases++;
    this.placed.delete(each);
    const { holdings } = this.drained;
    if (holdings.has(uuid)) this.holdings.set(uuid, holdings.get(uuid)!);
  }

  private allocate(allocations: readonly CandidateAllocation[], sign: 1 | -1): void {
    this.overlay.allocateAll(allocations, sign);
    for (const treeIndex of new Set(allocations.map(({ provider }) => provider.treeIndex)))
      this.empty.update(treeIndex);
  }

  /**
   * Searches for a candidate. Without an order of its own, the request prefers the tree of the last equal
   * request, then trees with allocations, the fullest first, then empty ones.
   */
  private *find(wish: Wish): Generator<void, Found<Candidate> | null> {
    this.effort.otherWork += WORK_OF_PLAN;
    if (this.effort.isUsedUp) yield;
    const { each, request, tried, stays } = wish;
    const isOrdered = request.orderBy.length > 0;
    // a domain for several consumers needs room for all of them
    const isPacking = tried.size < MAX_PACKED && !this.relations.mustBeTogether(each);
    const strategy = isPacking ? 'PACK' : 'SPREAD';
    const ordered = isOrdered ? request : { ...request, orderBy: [this.packing(request, strategy)] };
    const planned = this.planOf(each, ordered, stays);
    if (planned === null) return null;
    const plan = restricted(planned, { away: tried, near: null });
    const { seed } = each;
    const isPacked = !isOrdered && strategy === 'PACK';
    const found = isPacked ? yield* this.packed(wish, plan) : yield* this.search(wish, plan);
    if (!found) return null;
    const values = isOrdered ? valuesOf(plan, found) : [];
    const result = { snapshot: this.overlay, request, plan, candidates: [found], complete: false, seed };
    return { assignments: found.assignments, values, found: result };
  }

  private *packed(wish: Wish, plan: Plan): Generator<void, Candidate | null> {
    const { key } = wish;
    const { near } = plan.trees;
    const last = this.lastTrees.get(key);
    if (last !== undefined && near?.has(last) !== false) {
      const trees = { ...plan.trees, near: new Set([last]) };
      const found = yield* this.search(wish, { ...plan, trees });
      if (found) return found;
    }
    const unordered = { ...plan, orderBy: [] };
    const empty = this.empty.all;
    let found = yield* this.search(wish, plan, empty, MAX_PACKING_WORK);
    if (found === undefined) found = yield* this.search(wish, unordered, empty);
    if (found === null && empty.size > 0) found = yield* this.search(wish, this.inTrees(unordered, empty));
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
    { each, stays }: Wish,
    plan: Plan,
    notAnchors?: ReadonlySet<number>,
    maxWork = Infinity,
  ): Generator<void, Candidate | null | undefined> {
    const { overlay, effort, relations, placed } = this;
    const filter = new TreeFilter(overlay, plan, notAnchors);
    const limit = relations.hasRules(each) ? MAX_JUDGED : 1;
    const options = { limit, stopsAtLimit: true, seed: each.seed, filter };
    const { isDone, candidates } = yield* finishedSearch(overlay, plan, options, effort, maxWork);
    if (!isDone) return undefined;
    const isAllowed = (one: Candidate): boolean =>
      limit === 1 || relations.keepsRules(each, allocationsOf(plan, one), { placed, stays });
    return candidates.find(isAllowed) ?? null;
  }

  /** Plans a request at the present positions of the other consumers, without the drained trees. */
  private planOf(each: Leaving, request: CandidatesRequest, stays: ReadonlySet<Leaving>): Plan | null {
    this.effort.otherWork += workToPlan(request);
    const plan = planRequest(this.overlay, { ...withoutRelations(request), holdings: this.holdings });
    if (plan === null) return null;
    const { trees } = this.drained;
    const excluded = plan.trees.excluded.size === 0 ? trees : new Set([...plan.trees.excluded, ...trees]);
    const outside = { ...plan, trees: { ...plan.trees, excluded } };
    return this.relations.restrict(outside, each, { placed: this.placed, stays });
  }

  /** Orders by the class with the largest share of the free amount. Prefers unshared classes. */
  private packing(
    { groups }: CandidatesRequest,
    strategy: CandidateStrategy,
  ): CandidatesRequest['orderBy'][number] {
    const { classes, sharing } = this.drained.snapshot;
    let best = { resourceClass: '', share: -Infinity };
    for (const { resourceClass, amount } of groups.flatMap(({ resources }) => resources)) {
      const id = classes.idOf(resourceClass)!;
      const share = (sharing.has('class', id) ? 0 : 1) + amount / (amount + this.totalFree(id));
      if (share > best.share) best = { resourceClass, share };
    }
    return { freeShare: { resourceClass: best.resourceClass, strategy } };
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

/** Returns the uuids of the providers of allocations. */
export function providersOf(allocations: readonly CandidateAllocation[]): string[] {
  return allocations.map(({ provider: { block, row } }) => block.uuids[row]);
}
