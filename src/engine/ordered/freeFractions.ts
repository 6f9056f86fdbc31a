import { freeAt, type Block } from '../model/snapshot.js';

/** Where a block has its inventories of one class. */
export interface InventoryPositions {
  /** Positions in the block's columns, in tree order. */
  readonly positions: Int32Array;
  /** Of each of them: its tree, counted from 0 in the block. */
  readonly trees: Uint16Array;
  /** Per tree where its inventories begin among them, and one more at the end. */
  readonly treeStarts: Uint16Array;
}

/** The inventories of one class in a block, and their order by free fraction. */
export interface FreeFractions extends InventoryPositions {
  readonly free: Float64Array;
  readonly capacities: Float64Array;
  /** free / capacity; without capacity -Infinity. */
  readonly fractions: Float64Array;
  /** The inventories by fraction, ascending; equal ones in tree order. */
  readonly order: Int32Array;
  /** Of those with a capacity the smallest and the largest one. */
  readonly leastCapacity: number;
  readonly mostCapacity: number;
}

/** With how these inventories were when they were last put in order. */
interface Inventories extends InventoryPositions {
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

/**
 * Keeps the order up with what is used of a class in one tree (counted from 0) of a block, after that was changed in the block itself:
 * for whoever has a block of its own, which nobody else reads.
 */
export function reorderTree(block: Block, tree: number, resourceClass: number): void {
  const known = ordered.get(block)?.get(resourceClass);
  if (known === undefined) return;
  const { positions, treeStarts, free, capacities, fractions, order } = known;
  for (let at = treeStarts[tree]; at < treeStarts[tree + 1]; at++) {
    free[at] = freeAt(block, positions[at]);
    const fraction = fractionOf(free[at], capacities[at]);
    if (fraction === fractions[at]) continue;
    takeOut(order, at);
    fractions[at] = fraction;
    putIn(order, order.length - 1, at, fractions);
  }
}

function fractionOf(free: number, capacity: number): number {
  return capacity > 0 ? free / capacity : -Infinity;
}

/** Where a block has its inventories of a class. */
export function inventoriesOf(block: Block, resourceClass: number): Inventories {
  const byClass = mapIn(located, block.classes);
  let inventories = byClass.get(resourceClass);
  if (inventories === undefined) byClass.set(resourceClass, (inventories = locate(block, resourceClass)));
  return inventories;
}

function locate({ classes, inventoryStarts, trees, treeStarts }: Block, resourceClass: number): Inventories {
  const found: { position: number; tree: number }[] = [];
  for (let row = 0; row < trees.length; row++) {
    for (let position = inventoryStarts[row]; position < inventoryStarts[row + 1]; position++)
      if (classes[position] === resourceClass) found.push({ position, tree: trees[row] });
  }
  const positions = Int32Array.from(found, ({ position }) => position);
  const inTrees = Uint16Array.from(found, ({ tree }) => tree);
  const starts = new Uint16Array(treeStarts.length);
  for (const tree of inTrees) starts[tree + 1]++;
  for (let tree = 1; tree < starts.length; tree++) starts[tree] += starts[tree - 1];
  return { positions, trees: inTrees, treeStarts: starts, last: null };
}

function fractionsOf(block: Block, inventories: Inventories): FreeFractions {
  const { positions, trees, treeStarts } = inventories;
  const free = new Float64Array(positions.length);
  const capacities = new Float64Array(positions.length);
  const fractions = new Float64Array(positions.length);
  let [leastCapacity, mostCapacity] = [Infinity, 0];
  for (let at = 0; at < positions.length; at++) {
    const capacity = block.capacities[positions[at]];
    free[at] = freeAt(block, positions[at]);
    capacities[at] = capacity;
    fractions[at] = fractionOf(free[at], capacity);
    if (capacity === 0) continue;
    leastCapacity = Math.min(leastCapacity, capacity);
    mostCapacity = Math.max(mostCapacity, capacity);
  }
  const order = orderOf(fractions, inventories.last);
  inventories.last = { fractions, order };
  return { positions, trees, treeStarts, free, capacities, fractions, order, leastCapacity, mostCapacity };
}

/** From the order that there was, because a claim changes few of the inventories of a block. */
function orderOf(fractions: Float64Array, last: Inventories['last']): Int32Array {
  const changed = last && changedIn(last.fractions, fractions);
  if (changed === null) {
    const all = Array.from(fractions, (_, at) => at);
    return Int32Array.from(all.sort((one, other) => (isBefore(fractions, one, other) ? -1 : 1)));
  }
  const order = last!.order.slice();
  for (const at of changed) takeOut(order, at);
  for (const [placed, at] of changed.entries())
    putIn(order, order.length - changed.length + placed, at, fractions);
  return order;
}

function isBefore(fractions: Float64Array, one: number, other: number): boolean {
  return fractions[one] < fractions[other] || (fractions[one] === fractions[other] && one < other);
}

/** Closes the gap; at the end there is one place more than inventories. */
function takeOut(order: Int32Array, at: number): void {
  const place = order.indexOf(at);
  order.copyWithin(place, place + 1);
}

/** Puts an inventory in its place among the first so many. */
function putIn(order: Int32Array, length: number, at: number, fractions: Float64Array): void {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(fractions, order[middle], at)) low = middle + 1;
    else high = middle;
  }
  order.copyWithin(low + 1, low, length);
  order[low] = at;
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
