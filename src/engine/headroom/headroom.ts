import { allocationsOf, type Served } from '../candidate.js';
import { Descent } from '../descent.js';
import { EXHAUSTED, PAUSED, type Effort } from '../effort.js';
import { TreeFilter } from '../filter.js';
import type { Plan } from '../plan.js';
import { reachOf, type Reach } from '../reach.js';
import { blockOf, type Snapshot } from '../snapshot.js';
import { UpperBound } from './bound.js';
import { DrawnSnapshot } from './drawn.js';
import { claimsOf, isSharing } from './supply.js';

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
  const drawn = new DrawnSnapshot(snapshot);
  const bound = new UpperBound(plan);
  let count = 0;
  for (const slot of slotsWithRoom(snapshot, filter, effort)) {
    if (effort.isUsedUp) yield;
    if (slot === undefined) continue;
    const before = visit(snapshot, plan, filter, slot, effort);
    if (before === null) continue;
    const countBefore = count;
    for (;;) {
      if (effort.isUsedUp) yield;
      const units = yield* claimAt(drawn, plan, filter, slot, effort);
      if (units === null) break;
      for (const allocation of allocationsOf(plan, { units })) drawn.take(allocation);
      if (++count === upTo) return { count, reachedUpTo: true, exact: true };
    }
    drawn.leave(slot);
    // A tree that cannot take the request even once adds nothing, whatever there is of each thing.
    if (count > countBefore || (yield* claimAt(snapshot, plan, filter, slot, effort)) !== null) {
      bound.add(before);
    }
  }
  return { count, reachedUpTo: false, exact: count === (yield* bound.total()) };
}

/** How many trees could take the request at least once. Visits every tree that has room. */
export function* treesWithRoom(snapshot: Snapshot, plan: Plan, effort: Effort): Generator<void, number> {
  const filter = new TreeFilter(snapshot, plan);
  let count = 0;
  for (const slot of slotsWithRoom(snapshot, filter, effort)) {
    if (effort.isUsedUp) yield;
    if (slot !== undefined && (yield* claimAt(snapshot, plan, filter, slot, effort)) !== null) count++;
  }
  return count;
}

/** The trees that the index does not rule out; undefined for each that it does. */
function* slotsWithRoom(
  { slots }: Snapshot,
  filter: TreeFilter,
  effort: Effort,
): Generator<number | undefined, void> {
  if (filter.impossible) return;
  const first = filter.pinned ?? 0;
  for (let slot = first; slot < (filter.pinned === undefined ? slots : first + 1); slot++) {
    effort.treesTested++;
    yield filter.passes(slot) ? slot : undefined;
  }
}

function* claimAt(
  snapshot: Snapshot,
  plan: Plan,
  filter: TreeFilter,
  slot: number,
  effort: Effort,
): Generator<void, Served[] | null> {
  const reach = visit(snapshot, plan, filter, slot, effort);
  if (reach === null) return null;
  orderDomains(plan, reach);
  const descent = new Descent(plan, reach, effort);
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
  slot: number,
  effort: Effort,
): Reach | null {
  const { treeStarts, firstSlot } = blockOf(snapshot, slot);
  effort.treesVisited++;
  effort.providersJudged += treeStarts[slot - firstSlot + 1] - treeStarts[slot - firstSlot];
  return reachOf(snapshot, plan, filter, slot, 0);
}

/** Who is the tree's own before who shares, who can serve little else before who can, and who has most left. */
function orderDomains(plan: Plan, { units, domains }: Reach): void {
  const uses = units.map((_, at) => domains.filter((domain) => domain.includes(at)).length);
  domains.forEach((domain, variable) => {
    const left = new Map(domain.map((at) => [at, claimsOf(units[at], plan, variable)]));
    domain.sort(
      (a, b) =>
        Number(isSharing(units[a])) - Number(isSharing(units[b])) ||
        uses[a] - uses[b] ||
        (left.get(a) === left.get(b) ? 0 : left.get(b)! - left.get(a)!),
    );
  });
}
