import { saturatingSum } from '../model/input.js';
import { freeAt, type Block, type Tree } from './snapshot.js';

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

/** Sets the sums of one class over the providers of a tree that `matches` selects. Returns the number of inventories. */
export function sumUpTree(
  sums: Sums,
  { block, start, end }: Pick<Tree, 'block' | 'start' | 'end'>,
  resourceClass: number,
  matches?: (block: Block, row: number) => boolean,
): number {
  let [capacity, used, available, allowedUsage, providers] = [0, 0, 0, 0, 0];
  const { inventoryStarts, classes, capacities, allowed, used: usages } = block;
  for (let row = start; row < end; row++) {
    if (matches?.(block, row) === false) continue;
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      if (classes[at] !== resourceClass) continue;
      capacity = saturatingSum(capacity, capacities[at]);
      used = saturatingSum(used, usages[at]);
      available = saturatingSum(available, Math.max(0, freeAt(block, at)));
      if (allowed !== capacities) allowedUsage = saturatingSum(allowedUsage, allowed[at]);
      providers += 1;
    }
  }
  sums.capacity = capacity;
  sums.used = used;
  sums.available = available;
  sums.allowedUsage = allowed === capacities ? capacity : allowedUsage;
  return providers;
}
