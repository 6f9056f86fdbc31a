import type { Snapshot } from './snapshot.js';

const known = new WeakMap<Snapshot, Map<number, number>>();

/**
 * The most room that a provider anywhere has for one class, by the index of the blocks; 0 where nobody has any. Costs a look at each
 * block the first time that it is asked of a snapshot.
 */
export function mostRoomIn(snapshot: Snapshot, resourceClass: number): number {
  let rooms = known.get(snapshot);
  if (rooms === undefined) known.set(snapshot, (rooms = new Map<number, number>()));
  let most = rooms.get(resourceClass);
  if (most === undefined) {
    most = 0;
    for (const { index } of snapshot.blocks) {
      most = Math.max(most, index.classes.get(resourceClass)?.mostRoom ?? 0);
    }
    rooms.set(resourceClass, most);
  }
  return most;
}
