import { addToGroup } from '../../../domain/collections.js';
import type { PlannedIsolation, Plan } from '../../model/plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import { type Domains, type PartialAssignment, canMatch } from './domains.js';
import { unitsFit } from '../../../domain/capacity.js';
import { freeAt, inventoryAt } from '../../model/snapshot.js';
import { commonDivisor } from '../splitting/partitions.js';

/** Checks whether the remaining providers can take all open variables, by number and by sum of amounts. */
export class RemainingCapacity {
  private readonly classes: readonly MergedClass[];
  private readonly isolation: PlannedIsolation | null;

  constructor(
    plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.isolation = plan.isolation !== null && plan.isolation.alone.size > 1 ? plan.isolation : null;
    this.classes = plan.mergedClasses.map((resourceClass) => new MergedClass(resourceClass, plan, anchor));
  }

  get isEmpty(): boolean {
    return this.classes.length === 0 && this.isolation === null;
  }

  suffices(assigned: PartialAssignment, domains: Domains): boolean {
    return (
      (this.isolation === null || this.canIsolate(this.isolation, assigned, domains)) &&
      this.classes.every((each) => each.fits(assigned, domains))
    );
  }

  /** Each isolated variable needs a provider that serves no assigned variable. */
  private canIsolate(
    { alone, among }: PlannedIsolation,
    assigned: PartialAssignment,
    domains: Domains,
  ): boolean {
    const taken = new Set<number>();
    for (const variable of among) {
      if (alone.has(variable) || assigned[variable] < 0) continue;
      const parts = partsOf(this.anchor, assigned[variable]);
      if (parts === undefined) taken.add(assigned[variable]);
      else for (const { provider } of parts) taken.add(provider);
    }
    const open = [...alone].map((variable) => domains[variable]).filter((domain) => domain !== null);
    return canMatch(open, (provider) => (taken.has(provider) ? 0 : 1));
  }
}

/** Above this number of cells, `largestSum` returns only an upper bound. */
const MOST_SUMS = 4_096;

/**
 * The amounts of one class that several variables ask for. They must fit one by one (a matching in which a
 * provider counts for as many of the smallest as it could take) and in sum (a provider counts for the
 * largest sum that its units allow).
 */
class MergedClass {
  private readonly variables: readonly number[];
  private readonly amounts: Float64Array;
  /** By provider: the largest sum that it could take. */
  private readonly most: Float64Array;
  private readonly divisor: number;

  constructor(
    private readonly resourceClass: number,
    plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.amounts = Float64Array.from(
      plan.variables,
      ({ resources }) => resources.find((each) => each.resourceClass === resourceClass)?.amount ?? 0,
    );
    this.variables = [...plan.variables.keys()].filter((variable) => this.amounts[variable] > 0);
    this.most = Float64Array.from(anchor.providers, ({ block, row }) => {
      const at = inventoryAt(block, row, resourceClass);
      return at < 0 ? 0 : Math.max(0, Math.min(freeAt(block, at), block.maxUnits[at]));
    });
    this.divisor = this.variables.reduce(
      (divisor, variable) => commonDivisor(divisor, this.amounts[variable]),
      0,
    );
  }

  fits(assigned: PartialAssignment, domains: Domains): boolean {
    const sums = this.sumsOf(assigned);
    const unassigned = this.variables.filter((variable) => assigned[variable] < 0);
    const open = unassigned.filter((variable) => domains[variable] !== null);
    // A part of a split amount may change any sum to one that the units allow.
    const areComplete = open.length === unassigned.length;
    return this.fitOneByOne(open, sums, domains) && this.fitInSum(open, sums, domains, areComplete);
  }

  /** Returns, by provider, the sum of the amounts of the assigned variables. */
  private sumsOf(assigned: PartialAssignment): Float64Array {
    const sums = new Float64Array(this.most.length);
    for (const variable of this.variables) {
      if (assigned[variable] < 0) continue;
      const parts = partsOf(this.anchor, assigned[variable]);
      if (parts === undefined) sums[assigned[variable]] += this.amounts[variable];
      else for (const { provider, amount } of parts) sums[provider] += amount;
    }
    return sums;
  }

  private fitOneByOne(open: readonly number[], sums: Float64Array, domains: Domains): boolean {
    const smallest = open.map((variable) => this.amounts[variable]).sort((a, b) => a - b);
    const counts = Array.from(sums, (sum, provider) => {
      let rest = this.most[provider] - sum;
      let count = 0;
      while (count < smallest.length && smallest[count] <= rest) rest -= smallest[count++];
      return count;
    });
    return canMatch(
      open.map((variable) => domains[variable]!),
      (provider) => counts[provider],
    );
  }

  private fitInSum(
    open: readonly number[],
    sums: Float64Array,
    domains: Domains,
    areComplete: boolean,
  ): boolean {
    const amountsAt = new Map<number, number[]>();
    let wanted = 0;
    for (const variable of open) {
      wanted += this.amounts[variable];
      for (const provider of domains[variable]!) addToGroup(amountsAt, provider, this.amounts[variable]);
    }
    for (const [provider, amounts] of amountsAt) {
      if (wanted <= 0) return true;
      wanted -= this.largestSum(provider, sums[provider], amounts, areComplete) - sums[provider];
    }
    return wanted <= 0;
  }

  /**
   * Returns the largest sum that a provider can take of these amounts. If `areComplete`, the sum
   * must also satisfy min_unit, max_unit and step_size.
   */
  private largestSum(
    provider: number,
    sum: number,
    amounts: readonly number[],
    areComplete: boolean,
  ): number {
    const all = amounts.reduce((total, amount) => total + amount, sum);
    const most = Math.min(this.most[provider], all);
    const cells = Math.floor((most - sum) / this.divisor);
    if (cells > MOST_SUMS) return most;
    const { block, row } = this.anchor.providers[provider];
    const at = inventoryAt(block, row, this.resourceClass);
    const canBe = new Uint8Array(Math.max(0, cells) + 1);
    canBe[0] = 1;
    for (const amount of amounts) {
      const step = amount / this.divisor;
      for (let cell = cells; cell >= step; cell--) canBe[cell] |= canBe[cell - step];
    }
    for (let cell = cells; cell > 0; cell--) {
      const made = sum + cell * this.divisor;
      const isAllowed =
        !areComplete || unitsFit(made, block.minUnits[at], block.maxUnits[at], block.stepSizes[at]);
      if (canBe[cell] === 1 && isAllowed) return made;
    }
    return sum;
  }
}
