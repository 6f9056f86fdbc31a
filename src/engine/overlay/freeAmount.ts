import { inventoryAt, type Block, type ProviderRef } from '../model/snapshot.js';

/** What is free of the inventory at a position; 0 where more is used than there is capacity. */
export function freeAt(block: Omit<Block, 'index'>, at: number): number {
  return Math.max(0, block.capacities[at] - block.used[at]);
}

/** What a provider has free of a class. */
export function freeOf({ block, row }: ProviderRef, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : freeAt(block, at);
}
