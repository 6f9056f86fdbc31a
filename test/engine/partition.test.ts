import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { partition } from '../../src/search/splitting/partitions.js';
import { Random } from '../oracle/random.js';
import { cases } from '../support/length.js';

interface Range {
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly free: number;
}

/** Amounts are multiples of it, so that remainders at several providers differ by multiples of 2^32. */
const UNIT = 2 ** 31;

/** The lexicographically largest partition, by trying all. */
function expected(ranges: readonly Range[], amount: number): number[] | null {
  if (ranges.length === 0) return amount === 0 ? [] : null;
  const [{ least, most, step }, ...others] = ranges;
  for (let part = most; part >= least; part -= step) {
    const rest = amount < part ? null : expected(others, amount - part);
    if (rest !== null) return [part, ...rest];
  }
  return null;
}

test('amounts above 2^32 are divided as smaller ones are', () => {
  const random = new Random(1);
  let divided = 0;
  const rounds = cases(20_000, 3_000);
  for (let round = 0; round < rounds; round++) {
    const ranges = Array.from({ length: random.between(3, 5) }, () => {
      const step = random.between(1, 4) * UNIT;
      const least = step * random.between(1, 2);
      const most = least + step * random.between(0, 3);
      return { least, most, step, free: most };
    });
    const amount = random.between(6, 40) * UNIT;
    const parts = expected(ranges, amount);
    if (parts !== null) divided++;
    const found = partition(ranges, amount);
    if (!isDeepStrictEqual(found, parts))
      expect({ ranges, amount, found }).toEqual({ ranges, amount, parts });
  }
  expect(divided).toBeGreaterThan(rounds / 10);
});
