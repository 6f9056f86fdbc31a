import { describe, expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import { capacityOf, shortestDecimal } from '../../src/model/input.js';
import { capacity } from '../oracle/capacity.js';
import { query } from '../support/caseRequests.js';
import { forest } from '../support/forest.js';
import { snapshotOf } from '../support/engine.js';
import { cases } from '../support/length.js';
import { engines } from './engines.js';

describe('D2 and rule 24: one capacity in exact decimals', () => {
  describe.each([
    ['10 x 0.7', 'VCPU:10(ratio=0.7)', 7],
    ['100 x 1.15', 'VCPU:100(ratio=1.15)', 115],
    ['1000 x 1.001', 'VCPU:1000(ratio=1.001)', 1001],
    ['(10 - 2) x 2, reserved is not overcommitted', 'VCPU:10(reserved=2,ratio=2)', 16],
    ['all reserved', 'VCPU:10(reserved=10,ratio=2)', 0],
    ['3 x 0.3, rounded down', 'VCPU:3(ratio=0.3)', 0],
  ])('%s', (_sum, inventory, expected) => {
    // As it was given, and as the single-precision column gives it back.
    test.each(engines)('%s', (_name, answer) => {
      const host = forest(`host ${inventory} DISK_GB:1`);
      const [{ uuid, inventories }] = host.providers;
      for (const ratio of [
        inventories.VCPU.allocation_ratio,
        Math.fround(inventories.VCPU.allocation_ratio),
      ]) {
        inventories.VCPU.allocation_ratio = ratio;
        const { summaries } = answer(host, query('resources=DISK_GB:1'));
        expect(summaries[uuid].resources.VCPU).toEqual({ capacity: expected, used: 0 });
        expect(answer(host, query(`resources=VCPU:${expected + 1}`)).candidates).toEqual([]);
        const exactly = query(`resources=VCPU:${Math.max(expected, 1)}`);
        expect(answer(host, exactly).candidates).toHaveLength(expected > 0 ? 1 : 0);
      }
    });
  });

  test('capacities saturate at 2^53-1', () => {
    expect(capacityOf(2147483647, 0, 3.40282e38)).toBe(Number.MAX_SAFE_INTEGER);
    expect(capacityOf(2147483647, 0, 4194304)).toBe(2147483647 * 4194304);
    expect(capacityOf(2147483647, 0, 4194306)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('the sum of what the providers of a tree have free saturates, too', () => {
    const tree = ['A', 'B', 'C'].map((name) => `  ${name} VCPU:2147483647(ratio=3000000)`);
    const snapshot = snapshotOf(forest(['H', ...tree].join('\n')));
    const { totalFree } = snapshot.blocks[0].index.classes.get(snapshot.classes.idOf('VCPU')!)!;
    expect(totalFree[0]).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('the stored single-precision ratio stands for its shortest decimal', () => {
    expect(shortestDecimal(Math.fround(0.7))).toBe(0.7);
    expect(shortestDecimal(Math.fround(1.15))).toBe(1.15);
    expect(shortestDecimal(Math.fround(16))).toBe(16);
    expect(shortestDecimal(Math.fround(3.40282e38))).toBe(3.40282e38);
  });

  test('both engines compute the same capacity of any inventory', () => {
    const total = fc.integer({ min: 1, max: 2147483647 });
    const percent = fc.integer({ min: 0, max: 100 });
    const ratio = fc.oneof(
      fc.integer({ min: 1, max: 99_999 }).map((thousandths) => thousandths / 1000),
      fc.float({ min: Math.fround(1e-6), max: Math.fround(3.40282e38), noNaN: true }),
    );
    fc.assert(
      fc.property(total, percent, ratio, (total, percent, ratio) => {
        const reserved = Math.floor((total / 100) * percent);
        const stored = Math.fround(ratio);
        const inventory = {
          total,
          reserved,
          min_unit: 1,
          max_unit: 1,
          step_size: 1,
          allocation_ratio: stored,
        };
        const exact = capacity(inventory);
        const found = capacityOf(total, reserved, shortestDecimal(stored));
        if (found !== exact) expect({ ...inventory, found }).toEqual({ ...inventory, found: exact });
      }),
      { numRuns: cases(5_000, 1_500) },
    );
  });
});
