import { allocationsOf, type Assignment } from '../model/candidate.js';
import type { Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import { isSharing } from '../model/providerChecks.js';
import { treeOf, type Snapshot } from '../model/snapshot.js';
import { HeadroomOverlay } from '../overlay/headroomOverlay.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { firstChoice } from '../search/firstChoice.js';
import { TreeFilter } from '../search/treeFilter.js';
import { claimsOf } from './claimBounds.js';
import { UpperBound } from './upperBound.js';

/** How many more of a request fit. */
export interface Headroom {
  readonly count: number;
  /** Whether it stopped there because no more were asked for. */
  readonly reachedUpTo: boolean;
  /** Whether it is proven that there are no more, or no more were asked for. */
  readonly exact: boolean;
}

/**
 * Claims the request again and again in an overlay, until no more fit or `upTo` are reached: a lower bound.
 * It is greedy, tree by tree, and at each takes the providers first that are of least use to others. Where an
 * upper bound agrees, the count is exact. Costs a visit of every tree that the index does not rule out, and
 * one for each claim. Yields when the effort is used up.
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
    // A tree that cannot take the request even once adds nothing, whatever its bound.
    if (count > countBefore || (yield* claimAt(snapshot, plan, filter, treeIndex, effort)) !== null) {
      bound.add(before);
    }
  }
  return { count, reachedUpTo: false, exact: count === (yield* bound.total()) };
}

/** How many trees could take the request at least once. Visits all that the index does not rule out. */
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

/** The trees that the index does not rule out; undefined for each that it does. */
function* treesToVisit(
  { treeCount }: Snapshot,
  filter: TreeFilter,
  effort: Effort,
): Generator<number | undefined, void> {
  for (const treeIndex of filter.only ?? Array(treeCount).keys()) {
    effort.treesTested++;
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
  effort.treesVisited++;
  effort.providersExamined += end - start;
  return anchorAt(snapshot, plan, filter, treeIndex, 0);
}

/** Sharing providers come last; before that, those in fewer domains first, then those for more claims. */
function orderDomains(plan: Plan, { providers, domains }: Anchor): void {
  const uses = providers.map((_, at) => domains.filter((domain) => domain.includes(at)).length);
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
