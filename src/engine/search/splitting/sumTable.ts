import type { Effort } from '../../model/effort.js';
import type { AllocatableAmounts } from '../../model/providerChecks.js';

/** The maximum size of a table: 2 MiB. */
const MOST_CELLS = 2 ** 20;
const NEVER = 2 ** 16 - 1;

/**
 * The minimum number of the last contributors that can make a sum, for each position and sum: dynamic
 * programming. O(contributors x amount / divisor).
 */
export class SumTable {
  /** By position and sum. */
  private readonly fewest: readonly Uint16Array[];

  private constructor(
    private readonly contributors: readonly AllocatableAmounts[],
    private readonly amount: number,
  ) {
    const last = new Uint16Array(amount + 1).fill(NEVER);
    last[0] = 0;
    const fewest: Uint16Array[] = [last];
    for (const contributor of contributors.toReversed())
      fewest.push(withOneMore(fewest[fewest.length - 1], contributor));
    this.fewest = fewest.reverse();
  }

  /** Returns null if the table would be too large. */
  static of(
    contributors: readonly AllocatableAmounts[],
    amount: number,
    divisor: number,
    effort: Effort,
  ): SumTable | null {
    const cells = (contributors.length + 1) * (amount / divisor + 1);
    if (cells > MOST_CELLS) return null;
    effort.otherWork += cells >> 5;
    const scaled = contributors.map(({ least, most, step, free }) =>
      most > least
        ? { least: least / divisor, most: most / divisor, step: step / divisor, free }
        : { least: least / divisor, most: least / divisor, step: 1, free },
    );
    return new SumTable(scaled, amount / divisor);
  }

  /** Returns whether these members and at most `open` later contributors can make the amount. */
  canComplete(members: readonly number[], open: number, effort: Effort): boolean {
    effort.otherWork += (members.length * this.amount) >> 6;
    let sums: Uint16Array = new Uint16Array(this.amount + 1).fill(NEVER);
    sums[0] = 0;
    for (const member of members) sums = onlyWith(sums, this.contributors[member]);
    const rest = this.fewest[members[members.length - 1] + 1];
    for (let sum = 0; sum <= this.amount; sum++)
      if (sums[sum] !== NEVER && rest[this.amount - sum] <= open) return true;
    return false;
  }
}

/** Adds an optional contributor. */
function withOneMore(fewest: Uint16Array, contributor: AllocatableAmounts): Uint16Array {
  const used = onlyWith(fewest, contributor);
  for (let sum = 0; sum < used.length; sum++) {
    if (used[sum] !== NEVER) used[sum]++;
    if (fewest[sum] < used[sum]) used[sum] = fewest[sum];
  }
  return used;
}

/** Returns, by sum, the minimum over all sums from which the contributor makes this sum. */
function onlyWith(figures: Uint16Array, { least, most, step }: AllocatableAmounts): Uint16Array {
  const result = new Uint16Array(figures.length).fill(NEVER);
  for (let sum = least; sum < figures.length; sum++) result[sum] = figures[sum - least];
  const first = Math.ceil(least / step);
  const count = Math.floor(most / step) - first + 1;
  if (most > least)
    for (let rest = 0; rest < step; rest++) slide(figures, result, { rest, step, first, count });
  return result;
}

/** Minima of a sliding window over the sums with the same remainder, by a monotonic queue. */
function slide(
  figures: Uint16Array,
  result: Uint16Array,
  { rest, step, first, count }: { rest: number; step: number; first: number; count: number },
): void {
  const queue: number[] = [];
  let head = 0;
  for (let sum = rest + first * step, from = rest; sum < figures.length; sum += step, from += step) {
    while (queue.length > head && figures[queue[queue.length - 1]] >= figures[from]) queue.pop();
    queue.push(from);
    if (queue[head] <= from - count * step) head++;
    result[sum] = Math.min(result[sum], figures[queue[head]]);
  }
}
