import { freeAt, type Block } from '../model/snapshot.js';

/** The inventories of one class in a block, and their order by free fraction. */
export interface FreeFractions {
  /** Of each inventory: its tree, counted from 0 in the block. */
  readonly trees: Uint16Array;
  readonly free: Float64Array;
  readonly capacities: Float64Array;
  /** free / capacity; without capacity -Infinity. */
  readonly fractions: Float64Array;
  /** The inventories by fraction, ascending; equal ones in tree order. */
  readonly order: Int32Array;
  /** Where in the order those with a capacity begin. */
  readonly start: number;
  /** Of these the smallest and largest capacity. */
  readonly leastCapacity: number;
  readonly mostCapacity: number;
}

/** Where a block has its inventories of one class, and how these were when they were last put in order. */
interface Inventories {
  readonly positions: Int32Array;
  readonly trees: Uint16Array;
  last: Pick<FreeFractions, 'fractions' | 'order'> | null;
}

/** Of so many inventories new places are found one by one; with more all are sorted. */
const FEW = 8;

/** Blocks are immutable, so what was put in order once stays right as long as there is the block. */
const ordered = new WeakMap<Block, Map<number, FreeFractions>>();
/** By the column of classes, which blocks share that differ in use alone. */
const located = new WeakMap<Block['classes'], Map<number, Inventories>>();

/** Puts a block's inventories of a class in order when they are first asked for. */
export function freeFractionsOf(block: Block, resourceClass: number): FreeFractions {
  const byClass = mapIn(ordered, block);
  let fractions = byClass.get(resourceClass);
  if (fractions === undefined) {
    fractions = fractionsOf(block, inventoriesOf(block, resourceClass));
    byClass.set(resourceClass, fractions);
  }
  return fractions;
}

/** Whether that was done before. */
export function isOrdered(block: Block, resourceClass: number): boolean {
  return ordered.get(block)?.has(resourceClass) ?? false;
}

function inventoriesOf(block: Block, resourceClass: number): Inventories {
  const byClass = mapIn(located, block.classes);
  let inventories = byClass.get(resourceClass);
  if (inventories === undefined) byClass.set(resourceClass, (inventories = locate(block, resourceClass)));
  return inventories;
}

function locate({ classes, inventoryStarts, trees }: Block, resourceClass: number): Inventories {
  const found: { position: number; tree: number }[] = [];
  for (let row = 0; row < trees.length; row++) {
    for (let position = inventoryStarts[row]; position < inventoryStarts[row + 1]; position++)
      if (classes[position] === resourceClass) found.push({ position, tree: trees[row] });
  }
  return {
    positions: Int32Array.from(found, ({ position }) => position),
    trees: Uint16Array.from(found, ({ tree }) => tree),
    last: null,
  };
}

function fractionsOf(block: Block, inventories: Inventories): FreeFractions {
  const { positions, trees } = inventories;
  const free = new Float64Array(positions.length);
  const capacities = new Float64Array(positions.length);
  const fractions = new Float64Array(positions.length);
  let [start, leastCapacity, mostCapacity] = [0, Infinity, 0];
  for (let at = 0; at < positions.length; at++) {
    const capacity = block.capacities[positions[at]];
    free[at] = freeAt(block, positions[at]);
    capacities[at] = capacity;
    fractions[at] = capacity > 0 ? free[at] / capacity : -Infinity;
    if (capacity > 0) {
      leastCapacity = Math.min(leastCapacity, capacity);
      mostCapacity = Math.max(mostCapacity, capacity);
    } else start++;
  }
  const order = orderOf(fractions, inventories.last);
  inventories.last = { fractions, order };
  return { trees, free, capacities, fractions, order, start, leastCapacity, mostCapacity };
}

/** From the order that there was, because a claim changes few of the inventories of a block. */
function orderOf(fractions: Float64Array, last: Inventories['last']): Int32Array {
  const isBefore = (one: number, other: number): boolean =>
    fractions[one] < fractions[other] || (fractions[one] === fractions[other] && one < other);
  const changed = last && changedIn(last.fractions, fractions);
  if (changed === null) {
    const all = Array.from(fractions, (_, at) => at);
    return Int32Array.from(all.sort((one, other) => (isBefore(one, other) ? -1 : 1)));
  }
  const order = last!.order.slice();
  for (const at of changed) order.copyWithin(order.indexOf(at), order.indexOf(at) + 1);
  for (const [placed, at] of changed.entries()) {
    const length = order.length - changed.length + placed;
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(order[middle], at)) low = middle + 1;
      else high = middle;
    }
    order.copyWithin(low + 1, low, length);
    order[low] = at;
  }
  return order;
}

/** The inventories that differ; null where they are more than a few. */
function changedIn(before: Float64Array, after: Float64Array): number[] | null {
  const changed: number[] = [];
  for (let at = 0; at < after.length; at++) {
    if (before[at] === after[at]) continue;
    if (changed.push(at) > FEW) return null;
  }
  return changed;
}

function mapIn<K extends object, V>(maps: WeakMap<K, Map<number, V>>, key: K): Map<number, V> {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new Map<number, V>()));
  return map;
}
