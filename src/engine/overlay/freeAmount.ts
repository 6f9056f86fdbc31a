import { freeAt, inventoryAt, type ProviderRef } from '../model/snapshot.js';

/** What a provider could still give of a class. */
export function freeOf({ block, row }: ProviderRef, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : Math.max(0, freeAt(block, at));
}
