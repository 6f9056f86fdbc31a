import type { Block } from '../model/snapshot.js';

/** The inventories of one class in a block, those with the smallest free share first, equal ones in the order of their trees. */
export interface FreeFractions {
  /** Tree of the inventory, counted from 0 in the block. */
  readonly trees: Uint16Array;
  readonly free: Float64Array;
  readonly capacities: Float64Array;
  /** What of the capacity is free. */
  readonly fractions: Float64Array;
  /** The smallest and largest capacity. */
  readonly leastCapacity: number;
  readonly mostCapacity: number;
}

/** Blocks never change, so what was sorted once stays right; it goes with its block. */
const known = new WeakMap<Block, Map<number, FreeFractions>>();

/** Sorts a block's inventories of a class when they are first asked for. */
export function freeFractionsOf(block: Block, resourceClass: number): FreeFractions {
  let byClass = known.get(block);
  if (byClass === undefined) known.set(block, (byClass = new Map<number, FreeFractions>()));
  let shares = byClass.get(resourceClass);
  if (shares === undefined) byClass.set(resourceClass, (shares = sorted(block, resourceClass)));
  return shares;
}

function sorted(block: Block, resourceClass: number): FreeFractions {
  const { classes, capacities, used, inventoryStarts, trees } = block;
  const entries: { tree: number; free: number; capacity: number; share: number }[] = [];
  for (let row = 0; row < trees.length; row++) {
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      if (classes[at] !== resourceClass || capacities[at] === 0) continue;
      const free = capacities[at] - used[at];
      entries.push({ tree: trees[row], free, capacity: capacities[at], share: free / capacities[at] });
    }
  }
  entries.sort((a, b) => a.share - b.share || a.tree - b.tree);
  const held = entries.map(({ capacity }) => capacity);
  return {
    trees: Uint16Array.from(entries, ({ tree }) => tree),
    free: Float64Array.from(entries, ({ free }) => free),
    capacities: Float64Array.from(held),
    fractions: Float64Array.from(entries, ({ share }) => share),
    leastCapacity: held.reduce((least, one) => Math.min(least, one), Infinity),
    mostCapacity: held.reduce((most, one) => Math.max(most, one), 0),
  };
}
