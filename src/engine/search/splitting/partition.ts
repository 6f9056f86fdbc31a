import type { AllocatableAmounts } from '../../model/providerChecks.js';

/**
 * Divides an amount over all of the given providers, in their order: each takes a part that it could take in
 * one allocation. Of all ways to do so it is the one whose first part is the largest, then whose second is,
 * and so on (lexicographically largest); null when there is none.
 *
 * Where min_unit and step_size are 1 the first try succeeds. Otherwise parts are tried from the largest down,
 * and a remainder that could not be divided over the providers left is not tried again.
 */
export function partition(ranges: readonly AllocatableAmounts[], amount: number): number[] | null {
  const after = sumsAfter(ranges);
  const parts: number[] = [];
  /** By provider, the remainders that it and those after it cannot take. */
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

interface Sums {
  readonly least: number;
  readonly most: number;
  /** A common divisor of all sums that the providers can make. */
  readonly divisor: number;
}

/** By provider: the least and the most that it and those after it can take together. */
function sumsAfter(ranges: readonly AllocatableAmounts[]): Sums[] {
  const sums: Sums[] = [];
  let [least, most, divisor] = [0, 0, 0];
  for (let at = ranges.length - 1; at >= 0; at--) {
    least += ranges[at].least;
    most += ranges[at].most;
    divisor = commonDivisor(divisor, divisorOf(ranges[at]));
    sums[at] = { least, most, divisor };
  }
  return sums;
}

/** The greatest common divisor of all amounts that a provider could take. */
export function divisorOf({ least, most, step }: AllocatableAmounts): number {
  return most > least ? commonDivisor(least, step) : least;
}

export function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}

/** The amounts that decision D1 allows between two others, the highest first. */
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
