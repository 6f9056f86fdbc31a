import { allocationsOf } from '../model/candidate.js';
import type { Effort } from '../model/effort.js';
import type { Snapshot } from '../model/snapshot.js';
import { searchFor } from '../ordered/orderedSearch.js';
import { withoutAllocations } from '../overlay/snapshotOverlay.js';
import { areUnitsMet } from './inventoryAmounts.js';
import type { ConsumerRequests, Positions } from './consumerRequests.js';
import { keyOf, treesOf, type RebalanceProblem } from './problem.js';
import { finished } from '../search/search.js';

/** If a consumer's own trees have more candidates, the consumer counts as correct. */
const MAX_COMPARED = 10_000;

const NONE: readonly number[] = [];

/** The consumers whose allocations are not a candidate of their request. None unless the goal is FIX. */
export class Faults {
  /** The consumers whose fault does not depend on other consumers. A move ends the fault. */
  readonly independent = new Set<number>();

  private constructor(
    private readonly problem: RebalanceProblem,
    private readonly requests: ConsumerRequests,
  ) {}

  static *of(problem: RebalanceProblem, requests: ConsumerRequests, effort: Effort): Generator<void, Faults> {
    const faults = new Faults(problem, requests);
    if (problem.goal !== 'FIX') return faults;
    const empty = withoutAllocations(problem.snapshot);
    for (const [consumer, { isStated, allocations }] of problem.consumers.entries()) {
      effort.otherWork++;
      if (effort.isUsedUp) yield;
      const isCorrect = isStated
        ? yield* faults.isCandidate(empty, consumer, effort)
        : areUnitsMet(problem.snapshot, allocations);
      if (!isCorrect) faults.independent.add(consumer);
    }
    return faults;
  }

  /** Returns the faulty consumers when all consumers are at these positions. */
  at(positions: Positions): readonly number[] {
    if (this.problem.goal !== 'FIX') return NONE;
    const faulty = [...this.independent].filter((consumer) => this.isUnmoved(consumer, positions));
    for (const consumer of this.requests.related) {
      const isCounted = this.independent.has(consumer) && this.isUnmoved(consumer, positions);
      if (!isCounted && !this.requests.isMet(consumer, positions)) faulty.push(consumer);
    }
    return faulty;
  }

  private isUnmoved(consumer: number, positions: Positions): boolean {
    return positions(consumer) === this.problem.consumers[consumer].allocations;
  }

  private *isCandidate(empty: Snapshot, consumer: number, effort: Effort): Generator<void, boolean> {
    const plan = this.requests.planOf(consumer);
    if (plan === null) return false;
    const { allocations } = this.problem.consumers[consumer];
    const { near } = plan.trees;
    const trees = treesOf(allocations).filter((tree) => near?.has(tree) ?? true);
    const own = { ...plan, trees: { ...plan.trees, near: new Set(trees) } };
    const search = searchFor(empty, own, { limit: MAX_COMPARED, seed: 0 });
    yield* finished(search, effort);
    const key = keyOf(allocations);
    return !search.complete || search.candidates.some((one) => keyOf(allocationsOf(own, one)) === key);
  }
}
