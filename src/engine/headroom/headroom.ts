import { allocationsOf, type Assignment } from '../model/candidate.js';
import { Descent } from '../search/descent.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import { TreeFilter } from '../search/treeFilter.js';
import type { Plan } from '../model/plan.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { blockOf, type Snapshot } from '../model/snapshot.js';
import { UpperBound } from './upperBound.js';
import { HeadroomOverlay } from '../overlay/headroomOverlay.js';
import { claimsOf, isSharing } from './claimBounds.js';

/** How many more of a request fit. */
export interface Headroom {
  readonly count: number;
  /** Whether it stopped there because no more were asked for. */
  readonly reachedUpTo: boolean;
  /** Whether it is proven that there are no more, or no more were asked for. */
  readonly exact: boolean;
}

/**
 * Claims the request again and again, in a picture of what would then be left, until no more fit or `upTo` are reached: so many fit
 * for sure. It goes tree by tree, at each with the providers first that are of least use to others. What cannot be exceeded
 * is added up beside it: where both agree, the count is exact. Costs a visit of every tree that has room, and one for each
 * claim. It stops at each `yield` when the effort is used up.
 */
export function* headroomOf(
  snapshot: Snapshot,
  plan: Plan,
  upTo: number,
  effort: Effort,
): Generator<void, Headroom> {
  const filter = new TreeFilter(snapshot, plan);
  const drawn = new HeadroomOverlay(snapshot);
  const bound = new UpperBound(plan);
  let count = 0;
  for (const treeIndex of slotsWithRoom(snapshot, filter, effort)) {
    if (effort.isUsedUp) yield;
    if (treeIndex === undefined) continue;
    const before = visit(snapshot, plan, filter, treeIndex, effort);
    if (before === null) continue;
    const countBefore = count;
    for (;;) {
      if (effort.isUsedUp) yield;
      const providers = yield* claimAt(drawn, plan, filter, treeIndex, effort);
      if (providers === null) break;
      for (const allocation of allocationsOf(plan, { assignments: providers })) drawn.take(allocation);
      if (++count === upTo) return { count, reachedUpTo: true, exact: true };
    }
    drawn.leave(treeIndex);
    // A tree that cannot take the request even once adds nothing, whatever there is of each thing.
    if (count > countBefore || (yield* claimAt(snapshot, plan, filter, treeIndex, effort)) !== null) {
      bound.add(before);
    }
  }
  return { count, reachedUpTo: false, exact: count === (yield* bound.total()) };
}

/** How many trees could take the request at least once. Visits every tree that has room. */
export function* treesWithRoom(snapshot: Snapshot, plan: Plan, effort: Effort): Generator<void, number> {
  const filter = new TreeFilter(snapshot, plan);
  let count = 0;
  for (const treeIndex of slotsWithRoom(snapshot, filter, effort)) {
    if (effort.isUsedUp) yield;
    if (treeIndex !== undefined && (yield* claimAt(snapshot, plan, filter, treeIndex, effort)) !== null)
      count++;
  }
  return count;
}

/** The trees that the index does not rule out; undefined for each that it does. */
function* slotsWithRoom(
  { treeCount: treeIndices }: Snapshot,
  filter: TreeFilter,
  effort: Effort,
): Generator<number | undefined, void> {
  if (filter.impossible) return;
  const first = filter.pinned ?? 0;
  for (
    let treeIndex = first;
    treeIndex < (filter.pinned === undefined ? treeIndices : first + 1);
    treeIndex++
  ) {
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
  const descent = new Descent(plan, anchor, effort);
  for (;;) {
    const choice = descent.next();
    if (choice === EXHAUSTED) return null;
    if (choice !== PAUSED) return choice;
    yield;
  }
}

function visit(
  snapshot: Snapshot,
  plan: Plan,
  filter: TreeFilter,
  treeIndex: number,
  effort: Effort,
): Anchor | null {
  const { treeStarts, firstTree } = blockOf(snapshot, treeIndex);
  effort.treesVisited++;
  effort.providersExamined += treeStarts[treeIndex - firstTree + 1] - treeStarts[treeIndex - firstTree];
  return anchorAt(snapshot, plan, filter, treeIndex, 0);
}

/** Who is the tree's own before who shares, who can serve little else before who can, and who has most left. */
function orderDomains(plan: Plan, { providers, domains }: Anchor): void {
  const uses = providers.map((_, at) => domains.filter((domain) => domain.includes(at)).length);
  domains.forEach((domain, variable) => {
    const left = new Map(domain.map((at) => [at, claimsOf(providers[at], plan, variable)]));
    domain.sort(
      (a, b) =>
        Number(isSharing(providers[a])) - Number(isSharing(providers[b])) ||
        uses[a] - uses[b] ||
        (left.get(a) === left.get(b) ? 0 : left.get(b)! - left.get(a)!),
    );
  });
}
