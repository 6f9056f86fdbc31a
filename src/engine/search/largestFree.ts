import type { Snapshot } from '../model/snapshot.js';

const known = new WeakMap<Snapshot, Map<number, number>>();

/**
 * The most room that a provider anywhere has for one class, by the index of the blocks; 0 where nobody has any. Costs a look at each
 * block the first time that it is asked of a snapshot.
 */
export function largestFreeIn(snapshot: Snapshot, resourceClass: number): number {
  let ranges = known.get(snapshot);
  if (ranges === undefined) known.set(snapshot, (ranges = new Map<number, number>()));
  let most = ranges.get(resourceClass);
  if (most === undefined) {
    most = 0;
    for (const { index } of snapshot.blocks) {
      most = Math.max(most, index.classes.get(resourceClass)?.maxFree ?? 0);
    }
    ranges.set(resourceClass, most);
  }
  return most;
}
