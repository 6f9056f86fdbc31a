import { EXHAUSTED, PAUSED, type Effort } from '../../model/operation/waiting.js';
import type { AllocatableAmounts } from '../treeFilter.js';
import { sumTable, type SumTable } from './sumTable.js';

/** The source of a variable's partitions, and all providers that may contribute. */
interface PartitionSource {
  readonly partitions: SmallestPartitions;
  readonly providers: readonly number[];
}

/**
 * The partitions at one anchor. Their values are numbers from the number of providers on. `grow`
 * finds partitions on demand and appends them to the domain.
 */
export class Partitions {
  private readonly found: (readonly Part[])[] = [];
  private readonly contributors: ReadonlySet<number>;

  constructor(
    private readonly providerCount: number,
    private readonly domains: readonly number[][],
    /** By variable; only variables whose whole amount no provider can take. */
    private readonly sources: ReadonlyMap<number, PartitionSource>,
  ) {
    this.contributors = new Set([...sources.values()].flatMap(({ providers }) => providers));
  }

  /** Returns undefined if the value is a provider. */
  at(value: number): readonly Part[] | undefined {
    return value < this.providerCount ? undefined : this.found[value - this.providerCount];
  }

  /** Adds one more partition of a variable's amount to its domain. */
  grow(variable: number, effort: Effort): 'grown' | typeof PAUSED | typeof EXHAUSTED {
    const partition = this.sources.get(variable)?.partitions.next(effort) ?? EXHAUSTED;
    if (partition === PAUSED || partition === EXHAUSTED) return partition;
    this.domains[variable].push(this.providerCount + this.found.push(partition) - 1);
    return 'grown';
  }

  contributorsFor(variable: number): readonly number[] {
    return this.sources.get(variable)?.providers ?? [];
  }

  mayUse(provider: number): boolean {
    return this.contributors.has(provider);
  }
}

export interface Contributor extends AllocatableAmounts {
  readonly provider: number;
  readonly uuid: string;
}

/** The number of failed sets after which a table of sums is worthwhile. */
const FAILURES_BEFORE_TABLE = 32;

export interface Part {
  readonly provider: number;
  readonly amount: number;
}

/**
 * The partitions of an amount over the minimum number of providers, one for each set of that size
 * that can take it. `next` finds them one by one, because there may be billions.
 *
 * The search builds sets depth first from the contributors in descending order of their maximum
 * amounts. That order bounds the sum of a set. If a contributor leads to no partition, the search
 * skips equal contributors. If many sets fail because of units, a table of sums prunes the next
 * sets. The next partition releases the table, because a search may hold many of these objects.
 */
export class SmallestPartitions {
  private readonly contributors: readonly Contributor[];
  /** By count: the sum of the maximum amounts of the first contributors. */
  private readonly mostOfFirst: readonly number[];
  /** By contributor: the position of the next one that differs. */
  private readonly nextDistinct: readonly number[];
  private readonly leastOfAll: number;
  /** The greatest common divisor of all amounts that the contributors could take. */
  private readonly divisor: number;
  private size = 1;
  private found = 0;

  /** The set being built, the number of partitions found before each member, and the next contributor. */
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

  /** Returns the next partition, filled by descending free capacity, ties by uuid. */
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
        this.table = sumTable(contributors, this.amount, this.divisor, effort);
      this.backtrack();
      return partition;
    }
    const most = this.most + this.mostOfFirst[next + open] - this.mostOfFirst[next];
    if (next + open > contributors.length || most < this.amount) this.backtrack();
    else if (this.least + contributors[next].least + (open - 1) * this.leastOfAll > this.amount)
      this.position++;
    else if (this.table?.([...this.members, next], open - 1) === false) this.position++;
    else this.include(next);
    return null;
  }

  private include(at: number): void {
    this.members.push(at);
    this.foundBefore.push(this.found);
    this.least += this.contributors[at].least;
    this.most += this.contributors[at].most;
    this.position = at + 1;
  }

  /**
   * Removes the last member. If the set is empty, continues with larger sets unless this size has a
   * partition.
   */
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
      const isEqual = after?.least === least && after.most === most && after.step === step;
      next[at] = isEqual ? next[at + 1] : at + 1;
    }
    return next;
  }
}

/**
 * Divides an amount over all of the given providers: the lexicographically largest list of parts
 * that each provider could take in one allocation. Returns null if there is none. Tries parts from
 * the largest down, and skips remainders that failed before.
 */
export function partition(ranges: readonly AllocatableAmounts[], amount: number): number[] | null {
  const after = sumsAfter(ranges);
  const parts: number[] = [];
  /** By provider: the remainders that it and the later providers cannot take. */
  const nogoods = ranges.map(() => new Set<number>());
  const divide = (at: number, rest: number): boolean => {
    if (at === ranges.length) return rest === 0;
    const { least, most, divisor } = after[at];
    if (rest < least || rest > most || rest % divisor !== 0) return false;
    if (nogoods[at].has(rest)) return false;
    const highest = at + 1 < ranges.length ? rest - after[at + 1].least : rest;
    const lowest = at + 1 < ranges.length ? rest - after[at + 1].most : rest;
    for (const part of amountsOf(ranges[at], highest, lowest)) {
      parts[at] = part;
      if (divide(at + 1, rest - part)) return true;
    }
    nogoods[at].add(rest);
    return false;
  };
  return divide(0, amount) ? parts : null;
}

/** Returns, by provider, the sums that it and the later providers can make, and a common divisor of them. */
function sumsAfter(ranges: readonly AllocatableAmounts[]) {
  let sums = { least: 0, most: 0, divisor: 0 };
  const after = ranges.toReversed().map((range) => {
    const divisor = commonDivisor(sums.divisor, divisorOf(range));
    return (sums = { least: sums.least + range.least, most: sums.most + range.most, divisor });
  });
  return after.reverse();
}

function divisorOf({ least, most, step }: AllocatableAmounts): number {
  return most > least ? commonDivisor(least, step) : least;
}

export function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}

/** Yields the amounts that decision D1 allows in a range, the highest first. */
function* amountsOf(
  { least, most, step }: AllocatableAmounts,
  highest: number,
  lowest: number,
): Generator<number, void> {
  const top = Math.min(most, highest);
  let part = top - (top % step);
  for (; part >= Math.max(least, lowest); part -= step) yield part;
  const isStep = least % step === 0;
  if (!isStep && least >= lowest && least <= top) yield least;
}
