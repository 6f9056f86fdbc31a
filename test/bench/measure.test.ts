import { expect, test } from '@jest/globals';
import { orderOfPairs } from '../../bench/measure.js';

test('of two works that are compared each comes first in every other round', () => {
  expect([0, 1, 2].map((round) => orderOfPairs(4, round))).toEqual([
    [0, 1, 2, 3],
    [1, 0, 3, 2],
    [0, 1, 2, 3],
  ]);
});
