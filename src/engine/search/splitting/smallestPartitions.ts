import { EXHAUSTED, PAUSED, type Effort } from '../../model/effort.js';
import { commonDivisor, divisorOf, partition } from './partition.js';
import type { AllocatableAmounts } from '../../model/providerChecks.js';

/** A provider that could give a part of an amount. */
export interface Contributor extends AllocatableAmounts {
  /** Its position in the reach of the anchor. */
  readonly provider: number;
  readonly uuid: string;
}

/** What one provider gives of an amount that is split. */
export interface Part {
  readonly provider: number;
  readonly amount: number;
}

/**
 * The splits of an amount over as few of the given providers as can hold it, one for each set of that size that can:
 * filled by descending free capacity, ties by uuid (`fill`). They are found one by one, because half of sixty-four
 * devices can be chosen in more ways than anybody can read; a set that is too small is left as soon as that shows.
 *
 * Sets are built depth first out of the parties in descending order of the most that they can give, so that the best that
 * can still be added is what follows next. When nothing came of a party, its equals are passed over.
 */
export class SmallestPartitions {
  private readonly contributors: readonly Contributor[];
  /** Sums of the most that the first so many parties can give. */
  private readonly mostOfFirst: readonly number[];
  /** Per party the position of the next one that is not its equal. */
  private readonly nextKind: readonly number[];
  /** What every party gives at the least. */
  private readonly leastOfAll: number;
  private size = 1;
  private found = 0;

  /** The set being built, and per member what had been found before it; the next party to try; the sums of the set. */
  private readonly members: number[] = [];
  private readonly foundBefore: number[] = [];
  private position = 0;
  private least = 0;
  private most = 0;

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
    this.nextKind = this.kinds();
    this.leastOfAll = Math.min(...this.contributors.map(({ least }) => least));
    const divisor = this.contributors.map(divisorOf).reduce(commonDivisor, 0);
    if (amount % divisor !== 0) this.size = Infinity;
  }

  /** The next split; its parts in the order in which they were filled. */
  next(effort: Effort): readonly Part[] | typeof PAUSED | typeof EXHAUSTED {
    while (this.size <= this.contributors.length && this.size * this.leastOfAll <= this.amount) {
      if (effort.isUsedUp) return PAUSED;
      effort.partialChoices++;
      const partition = this.step();
      if (partition !== null) return partition;
    }
    return EXHAUSTED;
  }

  private step(): readonly Part[] | null {
    const { contributors, position: next } = this;
    const open = this.size - this.members.length;
    if (open === 0) {
      const partition = this.partition();
      if (partition !== null) this.found++;
      this.back();
      return partition;
    }
    if (next + open > contributors.length || this.mostWith(next, open) < this.amount) this.back();
    else if (this.least + contributors[next].least + (open - 1) * this.leastOfAll > this.amount)
      this.position++;
    else this.take(next);
    return null;
  }

  /** The most that the set can give with so many more parties, from the next one on. */
  private mostWith(next: number, open: number): number {
    return this.most + this.mostOfFirst[next + open] - this.mostOfFirst[next];
  }

  private take(at: number): void {
    this.members.push(at);
    this.foundBefore.push(this.found);
    this.least += this.contributors[at].least;
    this.most += this.contributors[at].most;
    this.position = at + 1;
  }

  /** Gives the last member up; without one all sets of this size were tried, and larger ones are only if none could. */
  private back(): void {
    const last = this.members.pop();
    if (last === undefined) {
      this.size = this.found > 0 ? Infinity : this.size + 1;
      this.position = 0;
      return;
    }
    this.least -= this.contributors[last].least;
    this.most -= this.contributors[last].most;
    this.position = this.foundBefore.pop() === this.found ? this.nextKind[last] : last + 1;
  }

  private partition(): Part[] | null {
    const set = this.members
      .map((at) => this.contributors[at])
      .sort((a, b) => b.free - a.free || (a.uuid < b.uuid ? -1 : 1));
    return partition(set, this.amount)?.map((amount, at) => ({ provider: set[at].provider, amount })) ?? null;
  }

  private kinds(): number[] {
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
