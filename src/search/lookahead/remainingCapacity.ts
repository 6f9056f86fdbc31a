import { addToGroup } from '../../model/collections.js';
import { amountOf, type PlannedIsolation, type Plan } from '../plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import { type Domains, type PartialAssignment, canMatch } from './domains.js';
import { unitsFit } from '../../model/input.js';
import { inventoryAt, largestAmount } from '../../fleet/snapshot.js';
import { commonDivisor } from '../splitting/partitions.js';

/** Returns whether the remaining providers can take all open variables, by number or by sum of amounts. */
type CapacityCheck = (assigned: PartialAssignment, domains: Domains) => boolean;

export function capacityChecksOf(plan: Plan, anchor: Anchor): CapacityCheck[] {
  const checks = plan.mergedClasses.map((resourceClass) => mergedClassCheck(resourceClass, plan, anchor));
  const { isolation } = plan;
  if (isolation !== null && isolation.alone.size > 1) checks.unshift(isolationCheck(isolation, anchor));
  return checks;
}

/** Each isolated variable needs a provider that serves no assigned variable. */
function isolationCheck({ alone, among }: PlannedIsolation, anchor: Anchor): CapacityCheck {
  return (assigned, domains) => {
    const taken = new Set<number>();
    for (const variable of among) {
      if (alone.has(variable) || assigned[variable] < 0) continue;
      const parts = partsOf(anchor, assigned[variable]);
      if (parts === undefined) taken.add(assigned[variable]);
      else for (const { provider } of parts) taken.add(provider);
    }
    const open = [...alone].map((variable) => domains[variable]).filter((domain) => domain !== null);
    return canMatch(open, (provider) => (taken.has(provider) ? 0 : 1));
  };
}

/** Above this number of cells, `largestSum` returns only an upper bound. */
const MOST_SUMS = 4_096;

/** The sums up to a maximum that subsets of numbers have, as bits. */
class PossibleSums {
  private readonly words: Uint32Array;

  constructor(most: number) {
    this.words = new Uint32Array((most >> 5) + 1);
    this.words[0] = 1;
  }

  has(sum: number): boolean {
    return ((this.words[sum >> 5] >>> (sum & 31)) & 1) === 1;
  }

  /** Adds a number, which each subset has or not. */
  add(number: number): void {
    const { words } = this;
    if (number >= 32 * words.length) return;
    const [skipped, shift] = [number >> 5, number & 31];
    // from the largest sum on: the words below have the sums without the number
    for (let word = words.length - 1; word >= skipped; word--) {
      const carried = shift > 0 && word > skipped ? words[word - skipped - 1] >>> (32 - shift) : 0;
      words[word] |= (words[word - skipped] << shift) | carried;
    }
  }
}

/**
 * The amounts of one class that several variables ask for. They must fit one by one (a matching in which a
 * provider counts for as many of the smallest as it could take) and in sum (a provider counts for the
 * largest sum that its units allow).
 */
function mergedClassCheck(resourceClass: number, plan: Plan, anchor: Anchor): CapacityCheck {
  const amounts = plan.variables.map(({ resources }) => amountOf(resources, resourceClass));
  const variables = [...amounts.keys()].filter((variable) => amounts[variable] > 0);
  /** By provider: the largest sum that it could take. */
  const most = anchor.providers.map((provider) => largestAmount(provider, resourceClass));
  const divisor = variables.reduce((all, variable) => commonDivisor(all, amounts[variable]), 0);

  /** Returns, by provider, the sum of the amounts of the assigned variables. */
  const sumsOf = (assigned: PartialAssignment): Float64Array => {
    const sums = new Float64Array(most.length);
    for (const variable of variables) {
      if (assigned[variable] < 0) continue;
      const parts = partsOf(anchor, assigned[variable]);
      if (parts === undefined) sums[assigned[variable]] += amounts[variable];
      else for (const { provider, amount } of parts) sums[provider] += amount;
    }
    return sums;
  };

  const fitOneByOne = (open: readonly number[], sums: Float64Array, domains: Domains): boolean => {
    const smallest = open.map((variable) => amounts[variable]).sort((a, b) => a - b);
    const counts = Array.from(sums, (sum, provider) => {
      let rest = most[provider] - sum;
      let count = 0;
      while (count < smallest.length && smallest[count] <= rest) rest -= smallest[count++];
      return count;
    });
    return canMatch(
      open.map((variable) => domains[variable]!),
      (provider) => counts[provider],
    );
  };

  /**
   * Returns the largest sum that a provider can take of these amounts. If `areComplete`, the sum must also
   * satisfy min_unit, max_unit and step_size.
   */
  const largestSum = (
    provider: number,
    sum: number,
    added: readonly number[],
    areComplete: boolean,
  ): number => {
    const all = added.reduce((total, amount) => total + amount, sum);
    const top = Math.min(most[provider], all);
    const cells = Math.floor((top - sum) / divisor);
    if (cells > MOST_SUMS) return top;
    const { block, row } = anchor.providers[provider];
    const at = inventoryAt(block, row, resourceClass);
    const sums = new PossibleSums(Math.max(0, cells));
    for (const amount of added) sums.add(amount / divisor);
    for (let cell = cells; cell > 0; cell--) {
      const made = sum + cell * divisor;
      const isAllowed =
        !areComplete || unitsFit(made, block.minUnits[at], block.maxUnits[at], block.stepSizes[at]);
      if (isAllowed && sums.has(cell)) return made;
    }
    return sum;
  };

  return (assigned, domains) => {
    const sums = sumsOf(assigned);
    const unassigned = variables.filter((variable) => assigned[variable] < 0);
    const open = unassigned.filter((variable) => domains[variable] !== null);
    // A part of a split amount may change any sum to one that the units allow.
    const areComplete = open.length === unassigned.length;
    if (!fitOneByOne(open, sums, domains)) return false;
    const amountsAt = new Map<number, number[]>();
    let wanted = 0;
    for (const variable of open) {
      wanted += amounts[variable];
      for (const provider of domains[variable]!) addToGroup(amountsAt, provider, amounts[variable]);
    }
    for (const [provider, added] of amountsAt) {
      if (wanted <= 0) return true;
      wanted -= largestSum(provider, sums[provider], added, areComplete) - sums[provider];
    }
    return wanted <= 0;
  };
}
