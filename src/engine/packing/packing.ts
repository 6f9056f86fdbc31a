import { allocationsOf, type Candidate } from '../model/candidate.js';
import { Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import type { Snapshot } from '../model/snapshot.js';
import { withAllocated } from '../overlay/allocatedOverlay.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { TreeFilter } from '../search/treeFilter.js';
import { TreeOrder } from '../search/treeOrder.js';
import { Backtracking, upperBound, type PackableTree } from './backtracking.js';

/** How the anchor trees of several consumers' candidates have to relate. */
export type PlacementPolicy = 'ANY' | 'SAME_TREE' | 'DISTINCT_TREES';

export interface PackingOptions {
  /** How many consumers are to be placed. */
  readonly count: number;
  readonly placement: PlacementPolicy;
  /** The tree to try before all others; null: none. */
  readonly first?: number | null;
  /** Chooses the order of the trees and of the providers in them. */
  readonly seed: number;
  /** How many nodes backtracking may visit in all before the best found so far must do. */
  readonly nodeLimit?: number;
}

/** Enough to try all ways to fill a few trees. */
const NODE_LIMIT = 10_000;

/** Each step may copy the used column of a block, which takes longer than the effort says. */
const STEPS_PER_RUN = 8;

/**
 * Looks for candidates of one plan that several equal consumers can have at the same time.
 *
 * Each tree is packed by itself, as full as it goes. Where no sharing provider can serve the plan, trees are
 * disjoint, and that is all; else, where it is not enough, all trees are searched together. Without a result
 * either nothing fits, or the node limit was reached: see {@link isProven}.
 *
 * Like Search it is resumable and deterministic: it has no clock, and no chance but the seed.
 */
export class Packing {
  readonly effort = new Effort();
  /** What the consumers get, once the search is done; null: no way was found. */
  found: readonly Candidate[] | null = null;
  /** Whether nothing was left untried: then, with nothing found, nothing fits. */
  isProven = true;

  private readonly filter: TreeFilter;
  private readonly work: Generator<void, readonly Candidate[] | null>;
  private nodesLeft: number;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly options: PackingOptions,
  ) {
    this.filter = new TreeFilter(snapshot, plan);
    this.nodesLeft = options.nodeLimit ?? NODE_LIMIT;
    this.work = options.placement === 'SAME_TREE' ? this.packOneTree() : this.packTrees();
  }

  /** Goes on for about so much work (Effort.spent), or for less; true when there is nothing left to do. */
  run(budget = Infinity): boolean {
    this.effort.allow(budget);
    for (let step = 0; step < STEPS_PER_RUN && !this.effort.isUsedUp; step++) {
      const { done, value } = this.work.next();
      if (done === true) {
        this.found = value;
        return true;
      }
    }
    return false;
  }

  private *packOneTree(): Generator<void, readonly Candidate[] | null> {
    const { count } = this.options;
    for (const tree of this.trees()) {
      yield;
      if (tree.bound < count) continue;
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
      yield;
      trees.push(tree);
      const wanted = placement === 'ANY' ? count - packed.length : 1;
      for (const candidate of yield* this.pack(snapshot, [tree], wanted)) {
        packed.push(candidate);
        snapshot = withAllocated(snapshot, allocationsOf(this.plan, candidate));
      }
      if (packed.length === count) return packed;
    }
    const bound = trees.reduce((sum, tree) => sum + tree.bound, 0);
    if (bound < count || !this.filter.shareable.includes(true)) return null;
    const packedTogether = yield* this.pack(this.snapshot, trees, count);
    return packedTogether.length === count ? packedTogether : null;
  }

  /** The trees that could take any consumer, in a seeded order. */
  private *trees(): Generator<PackableTree> {
    const order = new TreeOrder(this.snapshot, this.filter, this.options.seed, this.effort);
    const { count, placement, first = null } = this.options;
    const most = placement === 'DISTINCT_TREES' ? 1 : count;
    for (
      let treeIndex = first ?? order.next();
      treeIndex !== undefined;
      treeIndex = nextExcept(first, order)
    ) {
      const anchor = this.anchorIn(this.snapshot, treeIndex);
      if (anchor !== null) yield { treeIndex, bound: Math.min(most, upperBound(this.plan, anchor)) };
    }
  }

  /** The most consumers, up to `wanted`, that the trees can take. May use half of the nodes left. */
  private *pack(
    snapshot: Snapshot,
    trees: readonly PackableTree[],
    wanted: number,
  ): Generator<void, readonly Candidate[]> {
    const search = new Backtracking(this.plan, snapshot, trees, this.effort, {
      wanted,
      isDistinct: this.options.placement === 'DISTINCT_TREES',
      nodeLimit: Math.max(0, Math.ceil(this.nodesLeft / 2)),
      anchorIn: (overlay, treeIndex) => this.anchorIn(overlay, treeIndex),
    });
    const best = yield* search.run();
    this.nodesLeft -= search.nodes;
    if (search.isCutOff) this.isProven = false;
    return best;
  }

  private anchorIn(snapshot: Snapshot, treeIndex: number): Anchor | null {
    this.effort.treesVisited++;
    return anchorAt(snapshot, this.plan, this.filter, treeIndex, this.options.seed);
  }
}

/** The next tree of an order other than one. */
function nextExcept(treeIndex: number | null, order: TreeOrder): number | undefined {
  const next = order.next();
  return next !== undefined && next === treeIndex ? order.next() : next;
}
