import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { blockNumber, type Snapshot } from '../../fleet/snapshot.js';
import { HeadroomOverlay } from '../../search/overlay/snapshotOverlay.js';
import { firstChoice } from '../../search/descent.js';
import { TreeFilter } from '../../search/treeFilter.js';
import { upperBound, UpperBound } from './bounds.js';
import type { Anchor } from '../../search/anchor.js';
import { repeatable, repeated } from './repeatedPlan.js';
import { ClaimedTree, OrderedDomains, visit, WIDE_TREE } from './claimedTree.js';

/** The maximum work (Effort.spent) of such a search in one tree, and in all trees. */
const MAX_WORK_OF_TREE = 20_000;
const MAX_EXACT_WORK = 1_000_000;

export interface Headroom {
  readonly count: number;
  readonly reachedUpTo: boolean;
  /** Whether the count is proven to be the maximum, or `upTo` was reached. */
  readonly exact: boolean;
}

/**
 * Claims the request in an overlay, tree by tree, until no more fit or `upTo` is reached. This greedy
 * lower bound is exact if an upper bound agrees.
 */
export class HeadroomCount {
  /** The claims so far: at any time a lower bound. */
  count = 0;
  private readonly filter: TreeFilter;
  private readonly overlay: HeadroomOverlay;
  private readonly bound: UpperBound;
  /** The work that is left for searches of the largest number of claims of single trees. */
  private exactWork = MAX_EXACT_WORK;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly upTo: number,
    /** See WIDE_TREE. */
    private readonly wideTree = WIDE_TREE,
  ) {
    this.filter = new TreeFilter(snapshot, plan);
    this.overlay = new HeadroomOverlay(snapshot);
    this.bound = new UpperBound(plan);
  }

  /** Yields when the effort is used up. */
  *run(effort: Effort): Generator<void, Headroom> {
    for (const treeIndex of treesToVisit(this.snapshot, this.filter, effort)) {
      if (effort.isUsedUp) yield;
      if (treeIndex !== undefined) yield* this.claimIn(treeIndex, effort);
      if (this.count === this.upTo) return { count: this.count, reachedUpTo: true, exact: true };
    }
    const { count } = this;
    return { count, reachedUpTo: false, exact: count === (yield* this.bound.total()) };
  }

  /** Claims until `upTo` is reached or no more fit in a tree. Then adds the tree to the upper bound. */
  private *claimIn(treeIndex: number, effort: Effort): Generator<void, void> {
    const { snapshot, overlay, plan, filter } = this;
    const before = visit(snapshot, plan, filter, treeIndex, effort);
    if (before === null) return;
    const countBefore = this.count;
    const tree = new ClaimedTree(overlay, plan, filter, treeIndex, effort, this.wideTree);
    while (yield* tree.claim()) {
      if (++this.count === this.upTo) return;
      if (effort.isUsedUp) yield;
    }
    overlay.release(treeIndex);
    if (repeatable(plan, before)) {
      const exact = yield* this.exactClaims(before, this.count - countBefore, effort);
      if (exact !== null) {
        this.count = Math.min(this.upTo, countBefore + exact);
        this.bound.addExact(exact);
        return;
      }
    }
    // A tree that cannot take the request once adds nothing.
    if (this.count > countBefore || (yield* canClaim(snapshot, plan, filter, treeIndex, effort)))
      yield* this.bound.add(before, effort);
  }

  /**
   * Returns the largest number of claims that a tree with counters can take together, of which `least` are known to fit.
   * Returns null if that takes too much work.
   */
  private *exactClaims(anchor: Anchor, least: number, effort: Effort): Generator<void, number | null> {
    const bound = Math.min(upperBound(this.plan, anchor), least + this.upTo - this.count);
    for (let claims = least; claims < bound; claims++) {
      if (this.exactWork <= 0) return null;
      const before = effort.spent;
      const { plan, anchor: all } = repeated(this.plan, anchor, claims + 1);
      const choice = yield* firstChoice(plan, all, effort, Math.min(MAX_WORK_OF_TREE, this.exactWork));
      this.exactWork -= effort.spent - before;
      if (choice === undefined) return null;
      if (choice === null) return claims;
    }
    return bound;
  }
}

export function* treesWithHeadroom(snapshot: Snapshot, plan: Plan, effort: Effort): Generator<void, number> {
  const filter = new TreeFilter(snapshot, plan);
  let count = 0;
  for (const treeIndex of treesToVisit(snapshot, filter, effort)) {
    if (effort.isUsedUp) yield;
    if (treeIndex !== undefined && (yield* canClaim(snapshot, plan, filter, treeIndex, effort))) count++;
  }
  return count;
}

/** Yields each tree that may take the request, and undefined for each other one. */
export function* treesToVisit(
  { treeCount }: Snapshot,
  filter: TreeFilter,
  effort: Effort,
): Generator<number | undefined, void> {
  let block = -1;
  for (const treeIndex of filter.only ?? Array(treeCount).keys()) {
    effort.treesTested++;
    if (blockNumber(treeIndex) !== block) effort.otherWork += filter.workPerBlock;
    block = blockNumber(treeIndex);
    yield filter.passes(treeIndex) ? treeIndex : undefined;
  }
}

function* canClaim(
  snapshot: Snapshot,
  plan: Plan,
  filter: TreeFilter,
  treeIndex: number,
  effort: Effort,
): Generator<void, boolean> {
  const anchor = visit(snapshot, plan, filter, treeIndex, effort);
  if (anchor === null) return false;
  return Boolean(yield* firstChoice(plan, new OrderedDomains(plan, anchor).anchor, effort));
}
