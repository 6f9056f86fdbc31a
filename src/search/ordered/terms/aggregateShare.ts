import { freeAt, treesWithAny, positionsIn, type Snapshot } from '../../../fleet/snapshot.js';

/** The trees of one aggregate, and the sums of their inventories of a class. */
interface Sums {
  readonly trees: number[];
  free: number;
  capacity: number;
}

/**
 * Returns, by tree, the free share of a class in the aggregates of its root, before a claim. Of several aggregates the
 * preferred share counts. Omits trees whose root is in none. Sharing providers do not count.
 */
export function sharesOfAggregates(
  snapshot: Pick<Snapshot, 'blocks'>,
  resourceClass: number,
  aggregates: readonly number[],
  direction: 1 | -1,
): ReadonlyMap<number, number> {
  const sums = new Map(aggregates.map((id): [number, Sums] => [id, { trees: [], free: 0, capacity: 0 }]));
  for (const block of snapshot.blocks) {
    const { firstTree, treeStarts, inventoryStarts } = block;
    for (const tree of positionsIn(treesWithAny(block.index.aggregates, aggregates))) {
      const [start, end] = [treeStarts[tree], treeStarts[tree + 1]];
      let free = 0;
      let capacity = 0;
      for (let row = start; row < end; row++) {
        if (block.sharing[row] === 1) continue;
        for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
          if (block.classes[at] !== resourceClass) continue;
          free += Math.max(0, freeAt(block, at));
          capacity += block.capacities[at];
        }
      }
      const own = block.aggregates.subarray(block.aggregateStarts[start], block.aggregateStarts[start + 1]);
      for (const id of own) {
        const sum = sums.get(id);
        if (sum === undefined) continue;
        sum.trees.push(firstTree + tree);
        sum.free += free;
        sum.capacity += capacity;
      }
    }
  }
  const shares = new Map<number, number>();
  for (const { trees, free, capacity } of sums.values()) {
    if (capacity === 0) continue;
    const share = free / capacity;
    for (const tree of trees) {
      const other = shares.get(tree);
      if (other === undefined || direction * share > direction * other) shares.set(tree, share);
    }
  }
  return shares;
}
