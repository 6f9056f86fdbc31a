import { expect, test } from '@jest/globals';
import { naiveHeadroom } from '../oracle/headroom.js';
import { query } from '../support/caseRequests.js';
import { engineHeadroom } from '../support/engine.js';
import { readExamples } from '../support/examples.js';
import { forest } from '../support/forest.js';

const UP_TO = 12;

/** `=` is how many more fit, and in how many trees one fits; `not proven` if the count may be too low. */
test.each(readExamples(new URL('./headrooms.txt', import.meta.url)))(
  '$title',
  ({ forest: fleet, questions }) => {
    for (const { query: text, answer } of questions) {
      const [, count, trees, inexact] = /^(\d+) in (\d+)(, not proven)?$/.exec(answer['=']![0])!;
      const exact = inexact === undefined;
      const found = { count: Number(count), reachedUpTo: false, exact, trees: Number(trees) };
      expect(engineHeadroom(fleet, query(text), UP_TO)).toEqual(found);
      const most = naiveHeadroom(fleet, query(text), UP_TO);
      if (exact) expect(most).toBe(found.count);
      else expect(most).toBeGreaterThanOrEqual(found.count);
    }
  },
);

test('a headroom stops at upTo, which is then exact', () => {
  const cn = forest('cn  VCPU:10');
  const up = (upTo: number) => engineHeadroom(cn, query('resources=VCPU:1'), upTo);
  expect(up(9)).toMatchObject({ count: 9, reachedUpTo: true, exact: true });
  expect(up(10)).toMatchObject({ count: 10, reachedUpTo: true, exact: true });
  expect(up(11)).toMatchObject({ count: 10, reachedUpTo: false, exact: true });
});
