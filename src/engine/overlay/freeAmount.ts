import { inventoryAt, type Block, type ProviderRef } from '../model/snapshot.js';

/** What is free of the inventory at a position: negative where it was shrunk below what is used. */
export function freeAt({ capacities, used }: Pick<Block, 'capacities' | 'used'>, at: number): number {
  return capacities[at] - used[at];
}

/** What a provider could still give of a class. */
export function freeOf({ block, row }: ProviderRef, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : Math.max(0, freeAt(block, at));
}
