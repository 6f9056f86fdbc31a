import { freeAt, type Block } from '../model/snapshot.js';

/** The inventories of one class in a block by free fraction, ascending; equal ones in tree order. */
export interface FreeFractions {
  /** Tree of the inventory, counted from 0 in the block. */
  readonly trees: Uint16Array;
  readonly free: Float64Array;
  readonly capacities: Float64Array;
  /** free / capacity. */
  readonly fractions: Float64Array;
  /** The smallest and largest capacity. */
  readonly leastCapacity: number;
  readonly mostCapacity: number;
}

/** Blocks are immutable, so what was sorted once stays right as long as there is the block. */
const cache = new WeakMap<Block, Map<number, FreeFractions>>();

/** Sorts a block's inventories of a class when they are first asked for. */
export function freeFractionsOf(block: Block, resourceClass: number): FreeFractions {
  let byClass = cache.get(block);
  if (byClass === undefined) cache.set(block, (byClass = new Map<number, FreeFractions>()));
  let fractions = byClass.get(resourceClass);
  if (fractions === undefined) byClass.set(resourceClass, (fractions = sorted(block, resourceClass)));
  return fractions;
}

function sorted(block: Block, resourceClass: number): FreeFractions {
  const { classes, capacities, inventoryStarts, trees } = block;
  const entries: { tree: number; free: number; capacity: number; fraction: number }[] = [];
  for (let row = 0; row < trees.length; row++) {
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      if (classes[at] !== resourceClass || capacities[at] === 0) continue;
      const free = freeAt(block, at);
      entries.push({ tree: trees[row], free, capacity: capacities[at], fraction: free / capacities[at] });
    }
  }
  entries.sort((a, b) => a.fraction - b.fraction || a.tree - b.tree);
  const allCapacities = entries.map(({ capacity }) => capacity);
  return {
    trees: Uint16Array.from(entries, ({ tree }) => tree),
    free: Float64Array.from(entries, ({ free }) => free),
    capacities: Float64Array.from(allCapacities),
    fractions: Float64Array.from(entries, ({ fraction }) => fraction),
    leastCapacity: allCapacities.reduce((least, one) => Math.min(least, one), Infinity),
    mostCapacity: allCapacities.reduce((most, one) => Math.max(most, one), 0),
  };
}
