import { freeAt, inventoryAt, type ProviderRef } from '../model/snapshot.js';

/** The free amount of a class at a provider; 0 if it has no inventory or is overused. */
export function freeOf({ block, row }: ProviderRef, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : Math.max(0, freeAt(block, at));
}
