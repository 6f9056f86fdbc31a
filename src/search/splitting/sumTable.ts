import type { Effort } from '../../model/operation/waiting.js';
import type { AllocatableAmounts } from '../treeFilter.js';

/** The maximum size of a table: 2 MiB. */
const MOST_CELLS = 2 ** 20;
const NEVER = 2 ** 16 - 1;

/** Returns whether some members and at most `open` contributors after them can make the amount. */
export type SumTable = (members: readonly number[], open: number) => boolean;

/**
 * Tabulates the minimum number of the last contributors that can make a sum, for each position and sum: dynamic
 * programming. O(contributors x amount / divisor). Returns null if the table would be too large.
 */
export function sumTable(
  contributors: readonly AllocatableAmounts[],
  amount: number,
  divisor: number,
  effort: Effort,
): SumTable | null {
  const total = amount / divisor;
  const cells = (contributors.length + 1) * (total + 1);
  if (cells > MOST_CELLS) return null;
  effort.otherWork += cells >> 5;
  const scaled = contributors.map(({ least, most, step, free }) =>
    most > least
      ? { least: least / divisor, most: most / divisor, step: step / divisor, free }
      : { least: least / divisor, most: least / divisor, step: 1, free },
  );
  const none: Uint16Array = new Uint16Array(total + 1).fill(NEVER);
  none[0] = 0;
  /** By position and sum. */
  const fewest = [none];
  for (const contributor of scaled.toReversed()) fewest.unshift(withOneMore(fewest[0], contributor));
  return (members, open) => {
    effort.otherWork += (members.length * total) >> 6;
    let sums = none;
    for (const member of members) sums = onlyWith(sums, scaled[member]);
    const rest = fewest[members[members.length - 1] + 1];
    for (let sum = 0; sum <= total; sum++) if (sums[sum] !== NEVER && rest[total - sum] <= open) return true;
    return false;
  };
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
