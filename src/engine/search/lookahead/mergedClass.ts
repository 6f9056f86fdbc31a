import { unitsFit } from '../../../domain/capacity.js';
import type { Plan } from '../../model/plan.js';
import { freeAt, inventoryAt } from '../../model/snapshot.js';
import { partsOf, type Anchor } from '../anchor.js';
import { commonDivisor } from '../splitting/partition.js';
import type { Domains, PartialAssignment } from './domains.js';
import { canMatch } from './matching.js';

/** Sums of a provider are told apart up to this many; beyond, only their bound is used. */
const MOST_SUMS = 4_096;

/**
 * The amounts of one class that several variables ask for. They have to find room one by one (a matching, where a
 * provider counts for as many of the smallest as it could take), and in sum, where a provider counts for the largest
 * sum that these amounts can make and that its units allow.
 */
export class MergedClass {
  private readonly variables: readonly number[];
  /** By variable. */
  private readonly amounts: Float64Array;
  /** By provider: the largest sum that it could take; 0 where it has nothing of the class. */
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
    // a part of an amount that is split may make any sum one that the units allow
    const areComplete = open.length === unassigned.length;
    return this.fitOneByOne(open, sums, domains) && this.fitInSum(open, sums, domains, areComplete);
  }

  /** By provider what the assigned variables take of it. */
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
      for (const provider of domains[variable]!) {
        const amounts = amountsAt.get(provider);
        if (amounts === undefined) amountsAt.set(provider, [this.amounts[variable]]);
        else amounts.push(this.amounts[variable]);
      }
    }
    for (const [provider, amounts] of amountsAt) {
      if (wanted <= 0) return true;
      wanted -= this.largestSum(provider, sums[provider], amounts, areComplete) - sums[provider];
    }
    return wanted <= 0;
  }

  /** The largest sum that a provider can take, of one and any of these amounts; its units count where they are all. */
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
