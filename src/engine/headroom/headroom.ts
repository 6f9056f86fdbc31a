import { allocationsOf, type Assignment } from '../model/candidate.js';
import type { Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import { isSharing } from '../model/providerChecks.js';
import { blockNumber, treeOf, type Snapshot } from '../model/snapshot.js';
import { HeadroomOverlay } from '../overlay/snapshotOverlay.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { firstChoice } from '../search/descent.js';
import { TreeFilter } from '../search/treeFilter.js';
import { claimsOf, UpperBound } from './bounds.js';

export interface Headroom {
  readonly count: number;
  readonly reachedUpTo: boolean;
  /** Whether the count is proven to be the maximum, or `upTo` was reached. */
  readonly exact: boolean;
}

/**
 * Claims the request in an overlay, tree by tree, until no more fit or `upTo` is reached. This greedy
 * lower bound is exact if an upper bound agrees. Yields when the effort is used up.
 */
export function* headroomOf(
  snapshot: Snapshot,
  plan: Plan,
  upTo: number,
  effort: Effort,
): Generator<void, Headroom> {
  const filter = new TreeFilter(snapshot, plan);
  const overlay = new HeadroomOverlay(snapshot);
  const bound = new UpperBound(plan);
  let count = 0;
  for (const treeIndex of treesToVisit(snapshot, filter, effort)) {
    if (effort.isUsedUp) yield;
    if (treeIndex === undefined) continue;
    const before = visit(snapshot, plan, filter, treeIndex, effort);
    if (before === null) continue;
    const countBefore = count;
    for (;;) {
      if (effort.isUsedUp) yield;
      const assignments = yield* claimAt(overlay, plan, filter, treeIndex, effort);
      if (assignments === null) break;
      for (const allocation of allocationsOf(plan, { assignments })) overlay.allocate(allocation);
      if (++count === upTo) return { count, reachedUpTo: true, exact: true };
    }
    overlay.release(treeIndex);
    // A tree that cannot take the request once adds nothing.
    if (count > countBefore || (yield* claimAt(snapshot, plan, filter, treeIndex, effort)) !== null) {
      yield* bound.add(before, effort);
    }
  }
  return { count, reachedUpTo: false, exact: count === (yield* bound.total()) };
}

export function* treesWithHeadroom(snapshot: Snapshot, plan: Plan, effort: Effort): Generator<void, number> {
  const filter = new TreeFilter(snapshot, plan);
  let count = 0;
  for (const treeIndex of treesToVisit(snapshot, filter, effort)) {
    if (effort.isUsedUp) yield;
    if (treeIndex !== undefined && (yield* claimAt(snapshot, plan, filter, treeIndex, effort)) !== null)
      count++;
  }
  return count;
}

function* treesToVisit(
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

function* claimAt(
  snapshot: Snapshot,
  plan: Plan,
  filter: TreeFilter,
  treeIndex: number,
  effort: Effort,
): Generator<void, Assignment[] | null> {
  const anchor = visit(snapshot, plan, filter, treeIndex, effort);
  if (anchor === null) return null;
  orderDomains(plan, anchor);
  return (yield* firstChoice(plan, anchor, effort)) ?? null;
}

function visit(
  snapshot: Snapshot,
  plan: Plan,
  filter: TreeFilter,
  treeIndex: number,
  effort: Effort,
): Anchor | null {
  const { start, end } = treeOf(snapshot, treeIndex);
  effort.providersExamined += end - start;
  return anchorAt(snapshot, plan, filter, treeIndex, { seed: 0, effort });
}

/** Sorts sharing providers last, then those in fewer domains first, then those for more claims first. */
function orderDomains(plan: Plan, { providers, domains }: Anchor): void {
  const uses = providers.map(() => 0);
  for (const domain of domains) for (const at of domain) uses[at]++;
  domains.forEach((domain, variable) => {
    const claims = new Map(domain.map((at) => [at, claimsOf(providers[at], plan, variable)]));
    domain.sort(
      (a, b) =>
        Number(isSharing(providers[a])) - Number(isSharing(providers[b])) ||
        uses[a] - uses[b] ||
        (claims.get(a) === claims.get(b) ? 0 : claims.get(b)! - claims.get(a)!),
    );
  });
}
