import { allocationsOf, type CandidateAllocation, treesServedBy } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { isSharing } from '../../search/treeFilter.js';
import type { ProviderRef, Snapshot } from '../../fleet/snapshot.js';
import { finishedSearch } from '../../search/candidateSearch.js';
import { keyOf, treesOf } from './problem.js';

/** If the possible anchors of allocations have more candidates, the allocations count as one of them. */
const MAX_COMPARED = 10_000;

/** Decides whether allocations are a candidate of a plan in an empty fleet. */
export class OwnCandidates {
  /** By plan and key: the decision for allocations on sharing providers only, which may have many anchors. */
  private readonly known = new Map<Plan, Map<string, boolean>>();

  constructor(
    private readonly empty: Snapshot,
    private readonly effort: Effort,
  ) {}

  *has(plan: Plan, allocations: readonly CandidateAllocation[]): Generator<void, boolean> {
    if (allocations.some(({ provider }) => !isSharing(provider)))
      return yield* this.isFound(plan, treesOf(allocations), allocations);
    const ofPlan = this.known.get(plan) ?? new Map<string, boolean>();
    this.known.set(plan, ofPlan);
    const key = keyOf(allocations);
    let isFound = ofPlan.get(key);
    if (isFound === undefined) ofPlan.set(key, (isFound = yield* this.isServed(plan, allocations)));
    return isFound;
  }

  /** Searches the trees that the sharing providers serve, for candidates on these providers alone. */
  private *isServed(plan: Plan, allocations: readonly CandidateAllocation[]): Generator<void, boolean> {
    const only = new Set(allocations.map(({ provider: { block, row } }) => block.ids[row]));
    const anchors = allocations.flatMap(({ provider }) => [...treesServedBy(this.empty, provider)]);
    // All candidates on one provider are equal.
    const mayUse = ({ block, row }: ProviderRef): boolean => only.has(block.ids[row]);
    return yield* this.isFound({ ...plan, mayUse }, anchors, allocations, only.size === 1 ? 1 : MAX_COMPARED);
  }

  private *isFound(
    plan: Plan,
    anchors: readonly number[],
    allocations: readonly CandidateAllocation[],
    limit = MAX_COMPARED,
  ): Generator<void, boolean> {
    const near = new Set(anchors.filter((tree) => plan.trees.near?.has(tree) ?? true));
    // a consumer may stay on a host that searches exclude
    const own = { ...plan, trees: { ...plan.trees, near, excludedRoots: new Set<number>() } };
    const options = { limit, seed: 0, stopsAtLimit: limit === 1 };
    const search = yield* finishedSearch(this.empty, own, options, this.effort);
    const key = keyOf(allocations);
    const isEqual = search.candidates.some((one) => keyOf(allocationsOf(own, one)) === key);
    return isEqual || (limit > 1 && !search.complete);
  }
}
