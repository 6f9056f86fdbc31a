import { saturatingSum } from '../model/input.js';
import { freeAt, type Block } from './snapshot.js';

/** Sums over inventories of one class, saturating (decision D2). */
export interface Sums {
  capacity: number;
  used: number;
  /** The sum of the free amounts: an inventory over capacity does not reduce it (decision D23). */
  available: number;
  /** See allowedUsageOf. */
  allowedUsage: number;
}

export function emptySums(): Sums {
  return { capacity: 0, used: 0, available: 0, allowedUsage: 0 };
}

export function addInventory(sums: Sums, block: Block, at: number): void {
  sums.capacity = saturatingSum(sums.capacity, block.capacities[at]);
  sums.used = saturatingSum(sums.used, block.used[at]);
  sums.available = saturatingSum(sums.available, Math.max(0, freeAt(block, at)));
  sums.allowedUsage = saturatingSum(sums.allowedUsage, block.allowed[at]);
}
