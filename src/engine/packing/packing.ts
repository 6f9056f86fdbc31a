import { allocationsOf, type Candidate } from '../model/candidate.js';
import { Effort, PAUSED } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import type { Snapshot } from '../model/snapshot.js';
import { withAllocated } from '../overlay/snapshotOverlay.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { TreeFilter } from '../search/treeFilter.js';
import { TreeOrder } from '../search/treeOrder.js';
import { Backtracking, upperBound, type PackableTree } from './backtracking.js';

export type PlacementPolicy = 'ANY' | 'SAME_TREE' | 'DISTINCT_TREES';

export interface PackingOptions {
  readonly count: number;
  readonly placement: PlacementPolicy;
  readonly first?: number | null;
  readonly seed: number;
  /** The maximum total number of nodes that backtracking may visit. */
  readonly nodeLimit?: number;
}

/** The default node limit. It suffices to try all ways to fill a few trees. */
const NODE_LIMIT = 10_000;

/** Limits the steps: a step may copy the used column of a block; the effort does not count it. */
const STEPS_PER_RUN = 8;

/**
 * Finds candidates of one plan that several equal consumers can have at the same time. Packs each
 * tree by itself. If single trees do not suffice and sharing providers can serve the plan, it
 * searches all trees together. Resumable and deterministic like Search.
 */
export class Packing {
  readonly effort = new Effort();
  /** Set when the search is done; null if it found no solution. */
  found: readonly Candidate[] | null = null;
  /** False if the node limit ended a search early. */
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

  /** Continues for at most this work (Effort.spent). Returns true when done. */
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
      yield;
      if (tree === null) continue;
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

  /** Yields null to pause. */
  private *trees(): Generator<PackableTree | null> {
    const order = new TreeOrder(this.snapshot, this.filter, this.options.seed, this.effort);
    const { count, placement, first = null } = this.options;
    const most = placement === 'DISTINCT_TREES' ? 1 : count;
    let next = first ?? order.next();
    while (next !== undefined) {
      const anchor = next === PAUSED ? null : this.anchorIn(this.snapshot, next);
      if (anchor !== null)
        yield { treeIndex: anchor.treeIndex, bound: Math.min(most, upperBound(this.plan, anchor)) };
      else if (this.effort.isUsedUp) yield null;
      do next = order.next();
      while (next === first);
    }
  }

  /**
   * Returns the most consumers, up to `wanted`, that the trees can take. Uses at most half of the
   * remaining nodes.
   */
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
