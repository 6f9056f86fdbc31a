import {
  allocationsOf,
  type Candidate,
  type CandidateAllocation,
  anchorAt,
  anchorTreeOf,
  type Anchor,
} from '../search/anchor.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/operation/waiting.js';
import type { Plan } from '../search/plan.js';
import { mix } from '../model/collections.js';
import type { Snapshot } from '../fleet/snapshot.js';
import { valuesOf } from '../search/ordered/terms/values.js';
import { upperBound } from './headroom/bounds.js';
import { Successors } from './successors.js';
import { AllocatedOverlay, withAllocated } from '../search/overlay/snapshotOverlay.js';
import { Descent } from '../search/descent.js';
import { TreeFilter } from '../search/treeFilter.js';
import { TreeOrder } from '../search/search.js';
import type { PlacementPolicy } from './workload/workload.js';

export interface PlacerOptions {
  readonly count: number;
  readonly placement: PlacementPolicy;
  /** The result of a search for one consumer with this seed. With an order, its tree is packed first. Absent: unknown. */
  readonly first?: Candidate;
  readonly seed: number;
  /** The maximum total number of nodes that backtracking may visit. */
  readonly nodeLimit?: number;
}

/** The default node limit. It suffices to try all ways to fill a few trees. */
const NODE_LIMIT = 10_000;

/** The work of placing a consumer while packing, which may copy the used column of a block. */
const WORK_PER_NODE = 100;

/** The work of placing a consumer of a sequence besides its search. */
const WORK_IN_SEQUENCE = 10;

/** A tree, with an upper bound of the consumers that it can take. */
interface PackableTree {
  readonly treeIndex: number;
  readonly bound: number;
}

/** A state of the search in some trees. */
interface Node {
  readonly snapshot: Snapshot;
  /** The position of the tree for the next consumer. */
  position: number;
  /** The untried candidates at that tree; null before it is visited. */
  descent: Descent | null;
  readonly allocated: ReadonlyMap<string, number>;
}

/**
 * Finds candidates of one plan that several equal consumers can have at the same time. Deterministic; yields
 * when the effort is used up.
 */
export class Placer {
  private readonly filter: TreeFilter;
  private nodesLeft: number;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly options: PlacerOptions,
    private readonly effort: Effort,
  ) {
    this.filter = new TreeFilter(snapshot, plan);
    this.nodesLeft = options.nodeLimit ?? NODE_LIMIT;
  }

  /**
   * For policy ANY, and for DISTINCT_TREES with an order, places the consumers in a sequence. If that fails, and
   * for other policies, it packs them. Returns null if it finds no solution, which may exist.
   */
  *run(): Generator<void, readonly Candidate[] | null> {
    const { count, placement } = this.options;
    const isOrdered = this.plan.orderBy.length > 0;
    if (placement === 'ANY' || (placement === 'DISTINCT_TREES' && isOrdered)) {
      const sequence = yield* this.sequence();
      if (sequence.length === count) return sequence;
    }
    return yield* this.packed();
  }

  /**
   * Places one consumer after another. Each has the first result of a search in which the earlier ones count as
   * used. Returns fewer than `count` if the next consumer has no candidate.
   */
  *sequence(): Generator<void, readonly Candidate[]> {
    const { plan, effort } = this;
    const { count, placement, seed, first } = this.options;
    const isDistinct = placement === 'DISTINCT_TREES';
    const overlay = new AllocatedOverlay(this.snapshot);
    const successors = new Successors(overlay, plan, effort);
    const candidates: Candidate[] = [];
    if (first !== undefined) successors.begin(first);
    for (let at = 0; at < count; at++) {
      const isKnown = at === 0 && first !== undefined;
      const candidate = isKnown ? first : yield* successors.next(at === 0 ? seed : mix(seed, at));
      effort.otherWork += WORK_IN_SEQUENCE;
      if (candidate === undefined) break;
      const tree = isDistinct ? anchorTreeOf(candidate) : null;
      if (isDistinct && tree === null) break;
      if (tree !== null) successors.excluded.add(tree);
      candidates.push({ ...candidate, values: valuesOf(plan, candidate) });
      overlay.allocateAll(allocationsOf(plan, candidate));
    }
    return candidates;
  }

  /**
   * Packs each tree by itself. If single trees do not suffice and sharing providers can serve the plan, it
   * searches all trees together. Returns null if it finds no solution, which may exist if the node limit ended a
   * search.
   */
  packed(): Generator<void, readonly Candidate[] | null> {
    return this.options.placement === 'SAME_TREE' ? this.packOneTree() : this.packTrees();
  }

  private *packOneTree(): Generator<void, readonly Candidate[] | null> {
    const { count } = this.options;
    for (const tree of this.trees()) {
      if (this.effort.isUsedUp) yield;
      if (tree === null || tree.bound < count) continue;
      const packed = yield* this.pack(this.snapshot, [tree], count);
      if (packed.length === count) return packed;
    }
    return null;
  }

  private *packTrees(): Generator<void, readonly Candidate[] | null> {
    const { count, placement } = this.options;
    const trees: PackableTree[] = [];
    const packed: Candidate[] = [];
    let snapshot = this.snapshot;
    for (const tree of this.trees()) {
      if (this.effort.isUsedUp) yield;
      if (tree === null) continue;
      trees.push(tree);
      const wanted = placement === 'ANY' ? count - packed.length : 1;
      const some = yield* this.pack(snapshot, [tree], wanted);
      packed.push(...some);
      if (packed.length === count) return packed;
      const allocations = some.flatMap((candidate) => allocationsOf(this.plan, candidate));
      if (some.length > 0) snapshot = withAllocated(snapshot, allocations);
    }
    const bound = trees.reduce((sum, tree) => sum + tree.bound, 0);
    if (bound < count || !this.filter.shareable.includes(true)) return null;
    const packedTogether = yield* this.pack(this.snapshot, trees, count);
    return packedTogether.length === count ? packedTogether : null;
  }

  /** Yields null for a tree that cannot take a consumer, and to pause. */
  private *trees(): Generator<PackableTree | null> {
    const order = new TreeOrder(this.snapshot, this.filter, this.options.seed, this.effort);
    const { count, placement } = this.options;
    const isOrdered = this.plan.orderBy.length > 0;
    const first = isOrdered && this.options.first ? anchorTreeOf(this.options.first) : null;
    const most = placement === 'DISTINCT_TREES' ? 1 : count;
    let next = first ?? order.next();
    while (next !== undefined) {
      const anchor = next === PAUSED ? null : this.anchorIn(this.snapshot, next);
      yield anchor && { treeIndex: anchor.treeIndex, bound: Math.min(most, upperBound(this.plan, anchor)) };
      do next = order.next();
      while (next === first);
    }
  }

  /**
   * Searches depth first for the most consumers, up to `wanted`, that the trees can take together.
   * Prunes nodes whose upper bound cannot beat the best so far, and nodes that differ from an earlier
   * node only in which consumer has which allocations. Uses at most half of the remaining nodes;
   * those before the first step back do not count.
   */
  private *pack(
    snapshot: Snapshot,
    trees: readonly PackableTree[],
    wanted: number,
  ): Generator<void, readonly Candidate[]> {
    const boundsFrom = sumsFrom(trees);
    const path: Node[] = [{ snapshot, position: 0, descent: null, allocated: new Map() }];
    const placed: Candidate[] = [];
    let best: readonly Candidate[] = [];
    const visited = new Set<string>();
    const isDistinct = this.options.placement === 'DISTINCT_TREES';
    const limit = Math.max(0, Math.ceil(this.nodesLeft / 2));
    let nodes = 0;
    let hasSteppedBack = false;
    while (path.length > 0 && best.length < wanted) {
      if (this.effort.isUsedUp) yield;
      const node = path[path.length - 1];
      const { position } = node;
      if (placed.length + boundsFrom[position] <= best.length) {
        path.pop()!.descent?.release();
        placed.pop();
        hasSteppedBack = true;
        continue;
      }
      const toBeat = best.length - placed.length - boundsFrom[position + 1];
      node.descent ??= this.descentAt(node.snapshot, trees[position].treeIndex, toBeat);
      const choice = node.descent?.next() ?? EXHAUSTED;
      if (choice === PAUSED) continue;
      if (choice === EXHAUSTED) {
        node.position++;
        node.descent = null;
        continue;
      }
      if (hasSteppedBack && ++nodes > limit) break;
      const allocations = allocationsOf(this.plan, { assignments: choice });
      const allocated = sumOf(node.allocated, allocations);
      const next = isDistinct ? position + 1 : position;
      if (isRepeated(visited, next, allocated)) continue;
      placed.push({ assignments: choice });
      if (placed.length > best.length) best = [...placed];
      this.effort.otherWork += WORK_PER_NODE;
      path.push({
        snapshot: withAllocated(node.snapshot, allocations),
        position: next,
        descent: null,
        allocated,
      });
    }
    for (const { descent } of path) descent?.release();
    this.nodesLeft -= nodes;
    return best;
  }

  /** Returns null if the tree cannot take more than `toBeat` consumers. */
  private descentAt(snapshot: Snapshot, treeIndex: number, toBeat: number): Descent | null {
    const anchor = this.anchorIn(snapshot, treeIndex);
    return anchor === null || upperBound(this.plan, anchor) <= toBeat
      ? null
      : new Descent(this.plan, anchor, this.effort);
  }

  private anchorIn(snapshot: Snapshot, treeIndex: number): Anchor | null {
    const { effort, options } = this;
    return anchorAt(snapshot, this.plan, this.filter, treeIndex, { seed: options.seed, effort });
  }
}

/** Returns by position the sum of the bounds of the trees from this position on. */
function sumsFrom(trees: readonly PackableTree[]): number[] {
  const sums = [0];
  for (const { bound } of trees.toReversed()) sums.push(sums[sums.length - 1] + bound);
  return sums.reverse();
}

function sumOf(
  allocated: ReadonlyMap<string, number>,
  allocations: readonly CandidateAllocation[],
): Map<string, number> {
  const sums = new Map(allocated);
  for (const { provider, resources } of allocations) {
    for (const { resourceClass, amount } of resources) {
      const key = `${provider.block.ids[provider.row]} ${resourceClass}`;
      sums.set(key, (sums.get(key) ?? 0) + amount);
    }
  }
  return sums;
}

/** Returns whether the same allocations occurred before with the same trees left, and records them. */
function isRepeated(visited: Set<string>, position: number, allocated: ReadonlyMap<string, number>): boolean {
  const sums = Array.from(allocated, ([inventory, sum]) => `${inventory} ${sum}`).sort();
  const { size } = visited;
  return visited.add([position, ...sums].join()).size === size;
}
