import { expect, test } from '@jest/globals';
import { Effort } from '../../src/engine/model/effort.js';
import type { Plan } from '../../src/engine/model/plan.js';
import type { Anchor } from '../../src/engine/search/anchor.js';
import { Nogoods } from '../../src/engine/search/nogoods.js';

test('the nogoods of an operation take at most 32 MiB, and descents that end free theirs', () => {
  const effort = new Effort();
  const [plan, anchor] = [{ variables: [] }, { providers: [] }] as unknown as [Plan, Anchor];
  const some = [new Nogoods(plan, anchor, effort), new Nogoods(plan, anchor, effort)];
  for (let at = 0; at < 40_000; at++) for (const nogoods of some) nogoods.add(`${at}`.padEnd(1_000));
  expect(some[0].has('0'.padEnd(1_000))).toBe(true);
  expect(some[0].has('39999'.padEnd(1_000))).toBe(false);
  expect(effort.nogoodBytes).toBeGreaterThan(31 * 2 ** 20);
  expect(effort.nogoodBytes).toBeLessThanOrEqual(32 * 2 ** 20);
  for (const nogoods of some) nogoods.release();
  expect(effort.nogoodBytes).toBe(0);
});
