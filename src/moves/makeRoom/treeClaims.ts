import { anchorAt, type Anchor, type CandidateAllocation } from '../../search/anchor.js';
import { Descent } from '../../search/descent.js';
import { EXHAUSTED, Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { AllocatedOverlay } from '../../search/overlay/snapshotOverlay.js';
import type { TreeFilter } from '../../search/treeFilter.js';
import { upperBound } from '../headroom/bounds.js';
import { keyOf } from '../rebalance/problem.js';
import { quickClaims } from '../workload/bounds.js';

/** The maximum number of consumers on a tree of which all subsets are counted. */
const MAX_MOVERS = 8;

/** Counts how many consumers of a plan a tree can take beside movable consumers, by its providers. */
export class TreeClaims {
  private readonly overlay: AllocatedOverlay;
  /** By allocations of a movable consumer: a number that is equal for equal allocations. */
  private readonly numbers = new Map<readonly CandidateAllocation[], number>();
  private readonly byText = new Map<string, number>();
  private readonly known = new Map<Plan, Map<string, readonly number[]>>();

  /** @param emptied the fleet without the movable consumers and the workload's own */
  constructor(
    emptied: Snapshot,
    private readonly effort: Effort,
  ) {
    this.overlay = new AllocatedOverlay(emptied);
  }

  /**
   * Returns, by number of moves out of a tree, an upper bound of the consumers that it takes. `movers` are the
   * allocations of the movable consumers in it. Null if they are too many.
   */
  of(
    treeIndex: number,
    plan: Plan,
    filter: TreeFilter,
    movers: readonly (readonly CandidateAllocation[])[],
  ): readonly number[] | null {
    if (movers.length > MAX_MOVERS) return null;
    const byKey = this.known.get(plan) ?? new Map<string, readonly number[]>();
    this.known.set(plan, byKey);
    const claims = (left: readonly (readonly CandidateAllocation[])[]): readonly number[] => {
      const numbers = left.map((one) => this.numberOf(one));
      const key = `${treeIndex} ${numbers.sort((a, b) => a - b).join()}`;
      let known = byKey.get(key);
      if (known === undefined) {
        const fewer = left.map((_, at) => claims(left.toSpliced(at, 1)));
        const now = this.claimsBeside(treeIndex, plan, filter, left);
        known = [now, ...left.map((_, moves) => Math.max(now, ...fewer.map((one) => one[moves])))];
        byKey.set(key, known);
      }
      return known;
    };
    return claims(movers);
  }

  private numberOf(allocations: readonly CandidateAllocation[]): number {
    let number = this.numbers.get(allocations);
    if (number === undefined) {
      const text = keyOf(allocations);
      number = this.byText.get(text) ?? this.byText.size;
      this.byText.set(text, number);
      this.numbers.set(allocations, number);
    }
    return number;
  }

  private claimsBeside(
    treeIndex: number,
    plan: Plan,
    filter: TreeFilter,
    movers: readonly (readonly CandidateAllocation[])[],
  ): number {
    const { overlay, effort } = this;
    const allocations = movers.flat();
    overlay.allocateAll(allocations);
    const most = quickClaims(overlay, { plan, filter }, treeIndex);
    const anchor = most === 0 ? null : anchorAt(overlay, plan, filter, treeIndex, { seed: 0, effort });
    const claims = anchor === null || !this.hasCandidate(plan, anchor) ? 0 : upperBound(plan, anchor);
    overlay.allocateAll(allocations, -1);
    return Math.min(most, claims);
  }

  private hasCandidate(plan: Plan, anchor: Anchor): boolean {
    const effort = new Effort();
    const descent = new Descent(plan, anchor, effort);
    const found = descent.next();
    descent.release();
    this.effort.otherWork += effort.spent;
    return found !== EXHAUSTED;
  }
}
