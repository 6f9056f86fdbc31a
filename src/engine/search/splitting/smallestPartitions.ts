import { EXHAUSTED, PAUSED, type Effort } from '../../model/effort.js';
import { commonDivisor, divisorOf, partition } from './partition.js';
import type { AllocatableAmounts } from '../../model/providerChecks.js';
import { SumTable } from './sumTable.js';

/** A provider that could take a part of an amount. */
export interface Contributor extends AllocatableAmounts {
  /** Its position in the anchor's providers. */
  readonly provider: number;
  readonly uuid: string;
}

/** Sets that could not take the amount, before a table of the sums that can be made is worth its while. */
const FAILURES_BEFORE_TABLE = 32;

/** What one provider takes of an amount that is split. */
export interface Part {
  readonly provider: number;
  readonly amount: number;
}

/**
 * The partitions of an amount over as few of the given providers as can take it, one for each set of that
 * size that can: filled by descending free capacity, ties by uuid (`partition`). They are found one by one,
 * because half of sixty-four devices can be chosen in more ways than anybody can read.
 *
 * Sets are built depth first from the contributors in descending order of the most that they can take, so
 * that the sum of those that follow next is the upper bound by which a set is pruned. Where a contributor led
 * to nothing, its equals are skipped. Where many sets fail because of units, a table of sums tells from then on which
 * contributors lead to a partition; it is made anew for each, because a search may keep many of these objects.
 */
export class SmallestPartitions {
  private readonly contributors: readonly Contributor[];
  /** Sums of the most that the first so many contributors can take. */
  private readonly mostOfFirst: readonly number[];
  /** By contributor: the position of the next one that is not its equal. */
  private readonly nextDistinct: readonly number[];
  /** The least that any contributor takes. */
  private readonly leastOfAll: number;
  /** The greatest common divisor of all that they could take. */
  private readonly divisor: number;
  private size = 1;
  private found = 0;

  /** The set being built: how many were found before each member; the next contributor to try; the sums. */
  private readonly members: number[] = [];
  private readonly foundBefore: number[] = [];
  private position = 0;
  private least = 0;
  private most = 0;
  private failures = 0;
  private table: SumTable | null = null;

  constructor(
    contributors: readonly Contributor[],
    private readonly amount: number,
  ) {
    this.contributors = contributors.toSorted(
      (a, b) => b.most - a.most || a.least - b.least || a.step - b.step,
    );
    const sums = [0];
    for (const { most } of this.contributors) sums.push(sums[sums.length - 1] + most);
    this.mostOfFirst = sums;
    this.nextDistinct = this.distinctAfter();
    this.leastOfAll = Math.min(...this.contributors.map(({ least }) => least));
    this.divisor = this.contributors.map(divisorOf).reduce(commonDivisor, 0);
    if (amount % this.divisor !== 0) this.size = Infinity;
  }

  /** The next partition; its parts in the order in which they were filled. */
  next(effort: Effort): readonly Part[] | typeof PAUSED | typeof EXHAUSTED {
    while (this.size <= this.contributors.length && this.size * this.leastOfAll <= this.amount) {
      if (effort.isUsedUp) return PAUSED;
      effort.partialAssignments++;
      const partition = this.step(effort);
      if (partition !== null) {
        this.failures = 0;
        this.table = null;
        return partition;
      }
    }
    return EXHAUSTED;
  }

  private step(effort: Effort): readonly Part[] | null {
    const { contributors, position: next } = this;
    const open = this.size - this.members.length;
    if (open === 0) {
      const partition = this.partition();
      if (partition !== null) this.found++;
      else if (++this.failures === FAILURES_BEFORE_TABLE)
        this.table = SumTable.of(contributors, this.amount, this.divisor, effort);
      this.backtrack();
      return partition;
    }
    if (next + open > contributors.length || this.mostWith(next, open) < this.amount) this.backtrack();
    else if (this.least + contributors[next].least + (open - 1) * this.leastOfAll > this.amount)
      this.position++;
    else if (this.table?.canComplete([...this.members, next], open - 1, effort) === false) this.position++;
    else this.include(next);
    return null;
  }

  /** The most that the set can take with so many more contributors, from the next one on. */
  private mostWith(next: number, open: number): number {
    return this.most + this.mostOfFirst[next + open] - this.mostOfFirst[next];
  }

  private include(at: number): void {
    this.members.push(at);
    this.foundBefore.push(this.found);
    this.least += this.contributors[at].least;
    this.most += this.contributors[at].most;
    this.position = at + 1;
  }

  /** Removes the last member. Without one all sets of this size are tried: larger ones if none was found. */
  private backtrack(): void {
    const last = this.members.pop();
    if (last === undefined) {
      this.size = this.found > 0 ? Infinity : this.size + 1;
      this.position = 0;
      return;
    }
    this.least -= this.contributors[last].least;
    this.most -= this.contributors[last].most;
    this.position = this.foundBefore.pop() === this.found ? this.nextDistinct[last] : last + 1;
  }

  private partition(): Part[] | null {
    const set = this.members
      .map((at) => this.contributors[at])
      .sort((a, b) => b.free - a.free || (a.uuid < b.uuid ? -1 : 1));
    return partition(set, this.amount)?.map((amount, at) => ({ provider: set[at].provider, amount })) ?? null;
  }

  private distinctAfter(): number[] {
    const next: number[] = [];
    for (let at = this.contributors.length - 1; at >= 0; at--) {
      const { least, most, step } = this.contributors[at];
      const after = this.contributors.at(at + 1);
      const isEqual =
        after !== undefined && after.least === least && after.most === most && after.step === step;
      next[at] = isEqual && at + 1 < this.contributors.length ? next[at + 1] : at + 1;
    }
    return next;
  }
}
