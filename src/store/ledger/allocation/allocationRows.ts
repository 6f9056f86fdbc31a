import { columns, deletionFrom, insertion } from '../../sql/statements.js';
import { saturatingSum, unitsFit } from '../../../model/capacity.js';
import { CapacityExceeded, NoInventory, UnitViolation } from '../../../model/rejections.js';
import { inventoryKey, type InventoryKey, type InventoryUsage } from '../inventory/inventoryUsage.js';
import { batches, type RowChange } from '../rows.js';
import type { Transaction } from '../transaction.js';

/** An amount that a consumer has of one provider and class. */
export interface AllocationRow extends InventoryKey {
  readonly consumer: string;
  readonly used: number;
}

export interface StoredAllocation extends AllocationRow {
  readonly id: number;
  /** The uuid of the consumer as it is stored. */
  readonly text: string;
}

/** The rows to write to get from stored allocations to wanted ones. */
export type AllocationChange = RowChange<StoredAllocation, AllocationRow>;

const { id: ID } = columns('allocations');
const DELETE = `${deletionFrom('allocations')} WHERE ${ID} IN (?) ORDER BY ${ID}`;
const ROW = ['consumer_id', 'resource_provider_id', 'resource_class_id', 'used', 'created_at'] as const;
const INSERT = insertion('allocations', ROW);

/** @param textOf returns the stored text of a consumer's uuid */
export function writeAllocations(
  tx: Transaction,
  { removed, added }: RowChange<Pick<StoredAllocation, 'id'>, AllocationRow>,
  textOf: (consumer: string) => string = (consumer) => consumer,
): void {
  for (const batch of batches(removed)) tx.send(DELETE, [batch.map(({ id }) => id)]);
  for (const batch of batches(added)) {
    const rows = batch.map(
      ({ consumer, providerId, classId, used }) =>
        [textOf(consumer), providerId, classId, used, tx.now] as const,
    );
    tx.send(...INSERT(rows));
  }
}

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
  { limits, used }: InventoryUsage,
  labels: Labels,
  /** Consumers that take over existing amounts. These count as usage but are not checked. */
  takingOver: Pick<ReadonlySet<string>, 'has'> = new Set(),
): AllocationViolation[] {
  const withoutInventory: AllocationViolation[] = [];
  const outsideUnits: AllocationViolation[] = [];
  const overCapacity: AllocationViolation[] = [];
  const wantedSums = sums(wanted);
  const namedSums = sums(named);
  for (const row of wanted) {
    const { consumer } = row;
    if (takingOver.has(consumer)) continue;
    const key = inventoryKey(row);
    const names = (): [string, string] => [labels.provider(row.providerId), labels.class(row.classId)];
    const inventory = limits.get(key);
    if (inventory === undefined) {
      withoutInventory.push({ consumer, rejection: () => new NoInventory(...names()) });
      continue;
    }
    const units = [inventory.minUnit, inventory.maxUnit, inventory.stepSize] as const;
    if (!unitsFit(row.used, ...units)) {
      outsideUnits.push({ consumer, rejection: () => new UnitViolation(...names(), row.used, ...units) });
    }
    const before = used.get(key) ?? 0;
    const others = Math.max(0, before - (namedSums.get(key) ?? 0));
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
