import { addToGroup } from '../model/collections.js';
import type { SupplyColumns, TreeConsumption } from './consumption.js';

/** An inventory that consumes counters of a group. Positions count from the first inventory of the tree. */
export interface GroupPartition {
  readonly inventory: number;
  /** The counters by their position in the group, and the amount of each unit. */
  readonly counters: readonly (readonly [position: number, amount: number])[];
}

/** Counters that inventories share with each other, but with no other group: those of a card. */
export interface CounterGroup {
  /** The positions of the counters from the first inventory of the tree. */
  readonly counters: readonly number[];
  readonly partitions: readonly GroupPartition[];
}

/** The groups of a tree. */
export interface CounterGroups {
  readonly groups: readonly CounterGroup[];
  /** By counter: the number of its group, and its position in it. */
  readonly placeOf: ReadonlyMap<number, readonly [group: number, position: number]>;
  /** By inventory that consumes counters: the number of its group. */
  readonly groupOf: ReadonlyMap<number, number>;
}

/** Equal trees share one consumption, and so their groups. */
const groupsOf = new WeakMap<TreeConsumption, CounterGroups>();

export function counterGroups(consumption: TreeConsumption): CounterGroups {
  let groups = groupsOf.get(consumption);
  if (groups === undefined) groupsOf.set(consumption, (groups = groupsIn(consumption)));
  return groups;
}

function groupsIn({ starts, counters, amounts }: TreeConsumption): CounterGroups {
  const above = new Map<number, number>();
  const topOf = (counter: number): number => {
    let top = counter;
    while (above.get(top) !== top) top = above.get(top)!;
    return top;
  };
  const consumed = (inventory: number): number[] =>
    [...counters.subarray(starts[inventory], starts[inventory + 1])].filter((counter) => counter >= 0);
  const inventories = [...starts.keys()].slice(0, -1).filter((each) => consumed(each).length > 0);
  for (const inventory of inventories) {
    const [first, ...others] = consumed(inventory);
    for (const counter of [first, ...others]) if (!above.has(counter)) above.set(counter, counter);
    for (const counter of others) above.set(topOf(counter), topOf(first));
  }
  const members = new Map<number, number[]>();
  for (const counter of above.keys()) addToGroup(members, topOf(counter), counter);
  const placeOf = new Map<number, readonly [group: number, position: number]>();
  [...members.values()].forEach((own, group) =>
    own.forEach((counter, position) => placeOf.set(counter, [group, position])),
  );
  const groupOf = new Map<number, number>();
  const partitions = [...members].map((): GroupPartition[] => []);
  for (const inventory of inventories) {
    const entries = Array.from({ length: starts[inventory + 1] - starts[inventory] }, (_, at) => {
      const entry = starts[inventory] + at;
      // nothing that consumes a counter that no longer exists can be allocated
      return counters[entry] < 0
        ? ([-1, amounts[entry]] as const)
        : ([placeOf.get(counters[entry])![1], amounts[entry]] as const);
    });
    if (entries.some(([position]) => position < 0)) continue;
    const [group] = placeOf.get(consumed(inventory)[0])!;
    partitions[group].push({ inventory, counters: entries });
    groupOf.set(inventory, group);
  }
  const groups = Array.from(members.values(), (own, group) => ({
    counters: own,
    partitions: partitions[group],
  }));
  return { groups, placeOf, groupOf };
}

/** Returns the position of the first inventory of the tree of a row. */
export function firstInventory(
  { treeStarts, inventoryStarts }: Pick<SupplyColumns, 'treeStarts' | 'inventoryStarts'>,
  tree: number,
): number {
  return inventoryStarts[treeStarts[tree]];
}
