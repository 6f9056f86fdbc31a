import { unitsFit } from '../../domain/capacity.js';
import type { AllocationRow } from './allocationRows.js';
import { CapacityExceeded, NoInventory, UnitViolation, type ReshapeViolation } from '../errors.js';
import { shelfKey, type Shelves } from '../inventory/inventoryUsage.js';

/** How a refusal calls what a row gives by number. */
export interface Labels {
  provider(id: number): string;
  class(id: number): string;
}

/**
 * Judges the final state of the named consumers' allocations: every amount against the inventory's units (rule 98,
 * decision D1), the sum on each provider and class with what others use against the capacity (97). A sum that is over
 * capacity passes while it leaves no more in use than there is now (99, decision D15). Violations come in the
 * order of precedence of their codes, then of the input.
 *
 * `named` are the allocations that the consumers have now: their use is not counted as others' (rule 96).
 */
export function violationsOf(
  wanted: readonly AllocationRow[],
  named: readonly AllocationRow[],
  { stock, used }: Shelves,
  labels: Labels,
): ReshapeViolation[] {
  const missing: ReshapeViolation[] = [];
  const misfits: ReshapeViolation[] = [];
  const excesses: ReshapeViolation[] = [];
  const given = sums(wanted);
  const freed = sums(named);
  for (const row of wanted) {
    const key = shelfKey(row);
    const place = [labels.provider(row.providerId), labels.class(row.classId)] as const;
    const shelf = stock.get(key);
    if (shelf === undefined) {
      missing.push({ refusal: new NoInventory(...place), consumer: row.consumer });
      continue;
    }
    if (!unitsFit(row.used, shelf.minUnit, shelf.maxUnit, shelf.stepSize)) {
      misfits.push({ refusal: new UnitViolation(...place, row.used, shelf), consumer: row.consumer });
    }
    const before = used.get(key) ?? 0;
    const others = Math.max(0, before - (freed.get(key) ?? 0));
    const requested = given.get(key) ?? 0;
    if (others + requested > shelf.capacity && others + requested > before) {
      const refusal = new CapacityExceeded(...place, requested, shelf.capacity, others);
      excesses.push({ refusal, consumer: row.consumer });
    }
  }
  return [...missing, ...misfits, ...excesses];
}

function sums(rows: readonly AllocationRow[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const row of rows) sum.set(shelfKey(row), (sum.get(shelfKey(row)) ?? 0) + row.used);
  return sum;
}
