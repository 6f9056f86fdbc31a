import { LARGEST_AMOUNT } from '../../domain/capacity.js';
import { columns, type Column, type RowOf } from '../../database/statements.js';

const i = columns('inventories', 'i');

/** All digits of a ratio: as it is, a FLOAT would be shown with six of them only. */
export function exactRatio<T>(column: Column<T>): Column<T> {
  return `${column} + 0e0` as Column<T>;
}

/** What an inventory says of its resource class, as columns of a statement that calls the inventories i. */
export const AMOUNTS = {
  total: i.total,
  reserved: i.reserved,
  minUnit: i.min_unit,
  maxUnit: i.max_unit,
  stepSize: i.step_size,
  allocationRatio: exactRatio(i.allocation_ratio),
};

export type InventoryAmounts = RowOf<typeof AMOUNTS>;

/** The sum of what is used of an inventory, saturated (decision D2). */
export function usedSum(used: Column<number>): Column<number> {
  return `CAST(LEAST(SUM(${used}), ${LARGEST_AMOUNT}) AS SIGNED)` as Column<number>;
}
