/**
 * What allocated units of the inventories of a tree consume of counters: inventories of the same provider or of an
 * ancestor. Positions count from the first inventory of the tree.
 */
export interface TreeConsumption {
  /** The counters of inventory i are the entries from starts[i] up to, but not including, starts[i + 1]. */
  readonly starts: Int32Array;
  /** -1: the counter no longer exists. */
  readonly counters: Int32Array;
  /** The amount for each allocated unit. */
  readonly amounts: Int32Array;
  /** The reverse: the inventories that consume counter i. */
  readonly userStarts: Int32Array;
  readonly users: Int32Array;
  readonly userAmounts: Int32Array;
  /** The rows of the counters that no longer exist, with the positions of their inventories. */
  readonly lost: readonly (readonly [inventory: number, row: ConsumptionRow])[];
}

/** The columns of a block from which free amounts follow. */
export interface SupplyColumns {
  readonly treeStarts: Int32Array;
  readonly inventoryStarts: Int32Array;
  readonly capacities: Float64Array;
  readonly used: Float64Array;
  readonly consumption: readonly (TreeConsumption | null)[] | null;
}

/** Rows of a tree with their inventories, before the columns of a block exist. */
interface TreeRows {
  readonly ids: Int32Array;
  readonly parents: Int32Array;
  readonly inventoryStarts: Int32Array;
  readonly classes: Int32Array;
}

/** By the id of a provider: what its inventories consume, as ids. */
export type ConsumptionById = ReadonlyMap<number, readonly ConsumptionRow[]>;

/** Each allocated unit of a class of a provider consumes an amount of a counter. */
export interface ConsumptionRow {
  readonly classId: number;
  readonly counterProviderId: number;
  readonly counterClassId: number;
  readonly amount: number;
}

/** The position of a counter that no longer exists. Nothing that consumes it can be allocated. */
const MISSING = -1;

/**
 * Returns the consumption of the trees of a block, or null if there is none. Equal trees share one object, so that the
 * memory does not grow with the number of equal hosts.
 */
export function consumptionOf(
  trees: { readonly treeStarts: Int32Array } & TreeRows,
  byId: ConsumptionById | null,
): (TreeConsumption | null)[] | null {
  if (byId === null) return null;
  const known = new Map<string, TreeConsumption>();
  const all = Array.from({ length: trees.treeStarts.length - 1 }, (_, tree) => {
    const [start, end] = [trees.treeStarts[tree], trees.treeStarts[tree + 1]];
    const entries = entriesIn(trees, start, end, byId);
    if (entries.length === 0) return null;
    const key = entries.map(textOf).join(';');
    const length = trees.inventoryStarts[end] - trees.inventoryStarts[start];
    const consumption = known.get(key) ?? indexed(entries, length);
    known.set(key, consumption);
    return consumption;
  });
  return all.some((each) => each !== null) ? all : null;
}

/** The row is stated if the counter no longer exists. */
type Entry = readonly [inventory: number, counter: number, amount: number, lost: ConsumptionRow | null];

function textOf([inventory, counter, amount, lost]: Entry): string {
  const ids = lost === null ? [] : [lost.counterProviderId, lost.counterClassId];
  return [inventory, counter, amount, ...ids].join();
}

/** Returns the consumption in positions relative to the first inventory of the tree. */
function entriesIn(trees: TreeRows, start: number, end: number, byId: ConsumptionById): Entry[] {
  const base = trees.inventoryStarts[start];
  const entries: Entry[] = [];
  for (let row = start; row < end; row++) {
    for (const each of byId.get(trees.ids[row]) ?? []) {
      const inventory = positionIn(trees, row, each.classId);
      if (inventory === MISSING) continue;
      let above = row;
      while (above >= start && trees.ids[above] !== each.counterProviderId) above = trees.parents[above];
      const counter = above < start ? MISSING : positionIn(trees, above, each.counterClassId);
      const isLost = counter === MISSING;
      entries.push([inventory - base, isLost ? MISSING : counter - base, each.amount, isLost ? each : null]);
    }
  }
  return entries.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

function positionIn({ inventoryStarts, classes }: TreeRows, row: number, resourceClass: number): number {
  for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++)
    if (classes[at] === resourceClass) return at;
  return MISSING;
}

function indexed(entries: readonly Entry[], length: number): TreeConsumption {
  const used = entries.filter(([, counter]) => counter !== MISSING).sort((a, b) => a[1] - b[1]);
  return {
    starts: startsOf(
      entries.map(([inventory]) => inventory),
      length,
    ),
    counters: Int32Array.from(entries, ([, counter]) => counter),
    amounts: Int32Array.from(entries, ([, , amount]) => amount),
    userStarts: startsOf(
      used.map(([, counter]) => counter),
      length,
    ),
    users: Int32Array.from(used, ([inventory]) => inventory),
    userAmounts: Int32Array.from(used, ([, , amount]) => amount),
    lost: entries.flatMap(([inventory, , , row]) => (row === null ? [] : [[inventory, row] as const])),
  };
}

/** Returns the start of the entries of each of `length` keys, and one more at the end. */
function startsOf(ascending: readonly number[], length: number): Int32Array {
  const starts = new Int32Array(length + 1);
  for (const key of ascending) starts[key + 1]++;
  for (let key = 0; key < length; key++) starts[key + 1] += starts[key];
  return starts;
}

/** Returns the ids and amounts of a tree's consumption by row. The inverse of `consumptionOf`. */
export function consumptionRowsOf(block: SupplyColumns & TreeRows, row: number): ConsumptionRow[] {
  const rows: ConsumptionRow[] = [];
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
    for (const { counter, amount } of countersOf(block, at)) {
      if (counter === MISSING) continue;
      const counterProviderId = block.ids[ownerOf(block, row, counter)];
      const counterClassId = block.classes[counter];
      rows.push({ classId: block.classes[at], counterProviderId, counterClassId, amount });
    }
  const place = placeOf(block, block.inventoryStarts[row]);
  for (const [inventory, lost] of place?.consumption.lost ?? []) {
    const at = place!.base + inventory;
    if (at >= block.inventoryStarts[row] && at < block.inventoryStarts[row + 1]) rows.push(lost);
  }
  return rows;
}

/** Returns the row of the provider, or of its ancestor, that has a counter. */
export function ownerOf(
  { inventoryStarts, parents }: Pick<TreeRows, 'inventoryStarts' | 'parents'>,
  row: number,
  counter: number,
): number {
  let above = row;
  while (inventoryStarts[above] > counter || inventoryStarts[above + 1] <= counter) above = parents[above];
  return above;
}

/** A counter by its position in the columns of inventories, and the amount that each unit consumes. */
export interface Counted {
  readonly counter: number;
  readonly amount: number;
}

interface Place {
  readonly consumption: TreeConsumption;
  /** The position of the first inventory of the tree. */
  readonly base: number;
}

/** Returns the consumption of the tree of an inventory. */
function placeOf({ consumption, treeStarts, inventoryStarts }: SupplyColumns, at: number): Place | null {
  if (consumption === null) return null;
  let tree = 0;
  for (let above = treeStarts.length - 1; above - tree > 1;) {
    const middle = (tree + above) >> 1;
    if (inventoryStarts[treeStarts[middle]] <= at) tree = middle;
    else above = middle;
  }
  const own = consumption[tree] ?? null;
  return own && { consumption: own, base: inventoryStarts[treeStarts[tree]] };
}

/** Returns the counters that an inventory consumes. */
export function countersOf(block: SupplyColumns, at: number): Counted[] {
  const place = placeOf(block, at);
  if (place === null) return [];
  const { consumption, base } = place;
  const { starts, counters, amounts } = consumption;
  const found: Counted[] = [];
  for (let entry = starts[at - base]; entry < starts[at - base + 1]; entry++) {
    const counter = counters[entry];
    found.push({ counter: counter === MISSING ? MISSING : base + counter, amount: amounts[entry] });
  }
  return found;
}

/** Returns the positions of the inventories that consume a counter. */
export function usersOf(block: SupplyColumns, counter: number): number[] {
  const place = placeOf(block, counter);
  if (place === null) return [];
  const { consumption, base } = place;
  const { userStarts, users } = consumption;
  const own = users.subarray(userStarts[counter - base], userStarts[counter - base + 1]);
  return Array.from(own, (user) => base + user);
}

/** Returns whether an inventory is a counter: nothing is allocated from it directly. */
export function isCounter(block: SupplyColumns, at: number): boolean {
  const place = placeOf(block, at);
  if (place === null) return false;
  const { userStarts } = place.consumption;
  return userStarts[at - place.base + 1] > userStarts[at - place.base];
}

/** Returns the usage of an inventory: of a counter, what its partitions imply if that is larger. */
export function usageWithImplied(block: SupplyColumns, at: number, used: SupplyColumns['used']): number {
  const place = placeOf(block, at);
  return place === null ? used[at] : counterUsage(used, place, at - place.base);
}

/**
 * Returns the usage of a counter: the stored usage, or what the usage of its partitions implies if that is larger.
 * Another program may allocate a partition without its counters.
 */
function counterUsage(used: SupplyColumns['used'], { consumption, base }: Place, counter: number): number {
  const { userStarts, users, userAmounts } = consumption;
  let implied = 0;
  for (let entry = userStarts[counter]; entry < userStarts[counter + 1]; entry++)
    implied += used[base + users[entry]] * userAmounts[entry];
  return Math.max(used[base + counter], implied);
}

/** Returns the free amount of an inventory of which `free` would be left without counters. */
export function freeWithCounters(block: SupplyColumns, at: number, free: number): number {
  const place = placeOf(block, at);
  if (place === null) return free;
  const { consumption, base } = place;
  const { starts, counters, amounts, userStarts } = consumption;
  const own = at - base;
  let least = free;
  if (userStarts[own + 1] > userStarts[own])
    least = Math.min(least, block.capacities[at] - counterUsage(block.used, place, own));
  for (let entry = starts[own]; entry < starts[own + 1]; entry++) {
    const counter = counters[entry];
    const left =
      counter === MISSING ? 0 : block.capacities[base + counter] - counterUsage(block.used, place, counter);
    least = Math.min(least, Math.floor(left / amounts[entry]));
  }
  return least;
}

/** Returns the classes of a tree whose free amounts follow from counters, and of its counters. */
export function countedClasses(block: SupplyColumns & Pick<TreeRows, 'classes'>, tree: number): Set<number> {
  const own = block.consumption?.[tree];
  const found = new Set<number>();
  if (own == null) return found;
  const base = block.inventoryStarts[block.treeStarts[tree]];
  for (let at = 0; at + 1 < own.starts.length; at++)
    if (own.starts[at + 1] > own.starts[at] || own.userStarts[at + 1] > own.userStarts[at])
      found.add(block.classes[base + at]);
  return found;
}
