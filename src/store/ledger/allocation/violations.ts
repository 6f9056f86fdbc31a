import { saturatingSum, unitsFit } from '../../../model/input.js';
import { CapacityExceeded, NoInventory, UnitViolation } from '../../../model/rejections.js';
import { inventoryKey, type AllocationRow, type InventoryUsage } from './allocationRows.js';
import { usagesBefore, type Consumption } from './counters.js';

/** Returns the names that a rejection uses for the ids of rows. */
export interface Labels {
  provider(id: number): string;
  class(id: number): string;
}

/** A rule that the wanted allocations of a consumer break. */
export interface AllocationViolation {
  readonly consumer: string;
  /** Creates the error on demand: its stack trace costs more time than finding the violation. */
  readonly rejection: () => NoInventory | UnitViolation | CapacityExceeded;
}

/**
 * Validates the final allocations of the named consumers. Checks every amount against the units of
 * the inventory (rule 98, decision D1). Checks the sum on each provider and class, plus the usage
 * by others, against the capacity (97). A sum over capacity passes if the usage does not increase
 * (99, decision D15). Orders violations by the precedence of their codes, then by the input.
 *
 * `named` has the current allocations of the consumers: they are not usage by others (rule 96).
 */
export function allocationViolations(
  wanted: readonly AllocationRow[],
  named: readonly AllocationRow[],
  usage: InventoryUsage,
  labels: Labels,
  consumption: Consumption,
  /** Whether an amount is checked. The others count as usage. */
  isChecked: (row: AllocationRow) => boolean = () => true,
): AllocationViolation[] {
  const withoutInventory: AllocationViolation[] = [];
  const outsideUnits: AllocationViolation[] = [];
  const overCapacity: AllocationViolation[] = [];
  const wantedSums = sums(wanted);
  const usageBefore = usagesBefore(usage, named, consumption);
  for (const row of wanted) {
    const { consumer } = row;
    if (!isChecked(row)) continue;
    const key = inventoryKey(row);
    const names = (): [string, string] => [labels.provider(row.providerId), labels.class(row.classId)];
    const inventory = usage.limits.get(key);
    if (inventory === undefined) {
      withoutInventory.push({ consumer, rejection: () => new NoInventory(...names()) });
      continue;
    }
    const units = [inventory.minUnit, inventory.maxUnit, inventory.stepSize] as const;
    if (!unitsFit(row.used, ...units)) {
      outsideUnits.push({ consumer, rejection: () => new UnitViolation(...names(), row.used, ...units) });
    }
    const { before, others } = usageBefore(key);
    const requested = wantedSums.get(key) ?? 0;
    if (others + requested > inventory.capacity && others + requested > before) {
      const { capacity } = inventory;
      const rejection = (): CapacityExceeded => new CapacityExceeded(...names(), requested, capacity, others);
      overCapacity.push({ consumer, rejection });
    }
  }
  return [...withoutInventory, ...outsideUnits, ...overCapacity];
}

function sums(rows: readonly AllocationRow[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const row of rows)
    sum.set(inventoryKey(row), saturatingSum(sum.get(inventoryKey(row)) ?? 0, row.used));
  return sum;
}
