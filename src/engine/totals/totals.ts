import { freeOf, saturatingSum, utilizationOf } from '../../domain/capacity.js';
import { type SortBounds, type SortKey, OrderedPage, type Placed } from '../../domain/listing/orderedPage.js';
import { hasAnyTrait, isMemberOfAny } from '../model/providerChecks.js';
import { blockOf, rootRow, type Block, type ProviderRef, type Snapshot } from '../model/snapshot.js';

/** What totals are grouped by besides the resource class. */
export type TotalsGrouping = 'TREE' | 'AGGREGATE' | 'TRAIT';

/** What rows can be ordered by; a row is identified by its group and class. */
export const TOTAL_ORDER_FIELDS = [
  'GROUP',
  'RESOURCE_CLASS',
  'CAPACITY',
  'USED',
  'AVAILABLE',
  'UTILIZATION',
  'PROVIDER_COUNT',
] as const;

export type TotalOrderField = (typeof TOTAL_ORDER_FIELDS)[number];

export interface TotalOrder {
  readonly field: TotalOrderField;
  readonly isDescending: boolean;
}

/** What tells one total from the others. */
export interface TotalKey {
  /** Of all providers ''. */
  readonly group: string;
  readonly resourceClass: string;
}

/** The sums of one class over the providers of one group. They saturate (decision D2). */
export interface Total extends TotalKey {
  capacity: number;
  used: number;
  /** How many of them have an inventory of the class. */
  providers: number;
  /** The root of the tree; null where totals are not by tree. */
  readonly root: ProviderRef | null;
}

/** Which providers count, in the numbers of the snapshot, and how they are grouped. */
export interface TotalsPlan {
  readonly grouping: TotalsGrouping | null;
  /** The index of the only tree that counts; null: all. */
  readonly tree: number | null;
  /** The index of a tree that does not count; null: all do. */
  readonly except?: number | null;
  /** AND of ORs. A provider has its own traits and aggregates here, and those of the root of its tree. */
  readonly memberOf: readonly (readonly number[])[];
  readonly requiredTraits: readonly (readonly number[])[];
  /** The only class that counts; null: all. */
  readonly resourceClass: number | null;
  /** Behind it group and class decide. */
  readonly orderBy?: readonly TotalOrder[];
}

/**
 * Adds up the inventories of a snapshot in one pass, some ten nanoseconds each, in slices that the caller
 * asks for, and keeps the rows of one page. Grouped by aggregate or trait it holds the sums of all rows; by
 * tree only those of the page, because a tree's sums are final when its last provider has been added.
 */
export class Totals {
  /** How many rows there are in all, once the pass is done. */
  count = 0;
  private treeIndex: number;
  private readonly end: number;
  private readonly sums = new Map<number, Map<number, Total>>();
  private readonly page: OrderedPage<Total>;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: TotalsPlan,
    bounds: SortBounds,
  ) {
    this.treeIndex = plan.tree ?? 0;
    this.end = plan.tree === null ? snapshot.treeCount : plan.tree + 1;
    const keys = [...(plan.orderBy ?? []), ...IDENTITY];
    this.page = new OrderedPage(
      {
        keyOf: keys.map(({ field }) => KEYS[field]),
        directions: keys.map(({ isDescending }) => isDescending),
      },
      bounds,
    );
  }

  /** Adds about this many providers; true when the pass is done. */
  run(providers: number): boolean {
    for (let budget = providers; budget > 0 && this.treeIndex < this.end; this.treeIndex++) {
      budget -= 1 + this.addTree(this.treeIndex);
    }
    if (this.treeIndex < this.end) return false;
    this.close();
    return true;
  }

  /** The rows of the page, in the direction of reading. */
  get rows(): readonly Total[] {
    return this.page.rows.map(({ item }) => item);
  }

  /** The same with their places in the list. */
  get placedRows(): readonly Placed<Total>[] {
    return this.page.rows;
  }

  private addTree(treeIndex: number): number {
    if (treeIndex === this.plan.except) return 0;
    const block = blockOf(this.snapshot, treeIndex);
    const tree = treeIndex - block.firstTree;
    const [start, end] = [block.treeStarts[tree], block.treeStarts[tree + 1]];
    const { grouping, resourceClass } = this.plan;
    if (grouping === 'TREE' && resourceClass !== null) {
      this.addClassOfTree(block, start, end, resourceClass);
    } else {
      for (let row = start; row < end; row++) if (this.matches(block, row)) this.addProvider(block, row);
      if (grouping === 'TREE') this.close();
    }
    return end - start;
  }

  /** The only row of a tree where one class counts: what a map of dashboards asks for, so without a map of sums. */
  private addClassOfTree(block: Block, start: number, end: number, resourceClass: number): void {
    let [capacity, used, providers] = [0, 0, 0];
    const { inventoryStarts, classes, capacities } = block;
    for (let row = start; row < end; row++) {
      if (!this.matches(block, row)) continue;
      for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
        if (classes[at] !== resourceClass) continue;
        capacity = saturatingSum(capacity, capacities[at]);
        used = saturatingSum(used, block.used[at]);
        providers++;
      }
    }
    if (providers === 0 || !this.snapshot.classes.has(resourceClass)) return;
    const name = this.snapshot.classes.nameOf(resourceClass);
    const root = { block, row: start };
    const total = { group: block.names[start], resourceClass: name, capacity, used, providers, root };
    this.count++;
    if (this.page.isWanted(total)) this.page.add(total);
  }

  private matches(block: Block, row: number): boolean {
    const { memberOf, requiredTraits } = this.plan;
    if (memberOf.length + requiredTraits.length === 0) return true;
    const root = rootRow(block, row);
    return (
      memberOf.every((set) => isMemberOfAny(block, row, set) || isMemberOfAny(block, root, set)) &&
      requiredTraits.every((set) => hasAnyTrait(block, row, set) || hasAnyTrait(block, root, set))
    );
  }

  private addProvider(block: Block, row: number): void {
    const start = block.inventoryStarts[row];
    const end = block.inventoryStarts[row + 1];
    if (start === end) return;
    const groups = this.groupsOf(block, row);
    for (let at = start; at < end; at++) {
      const resourceClass = block.classes[at];
      if (this.plan.resourceClass !== null && this.plan.resourceClass !== resourceClass) continue;
      for (const group of groups) {
        const total = this.totalOf(block, row, group, resourceClass);
        if (total === null) continue;
        total.capacity = saturatingSum(total.capacity, block.capacities[at]);
        total.used = saturatingSum(total.used, block.used[at]);
        total.providers += 1;
      }
    }
  }

  /** The groups that a provider counts in, in the numbers of the snapshot. */
  private groupsOf(block: Block, row: number): Iterable<number> {
    const { grouping } = this.plan;
    if (grouping === null || grouping === 'TREE') return ONE_GROUP;
    const [column, starts] =
      grouping === 'TRAIT' ? [block.traits, block.traitStarts] : [block.aggregates, block.aggregateStarts];
    const root = rootRow(block, row);
    const own = column.subarray(starts[row], starts[row + 1]);
    return root === row ? own : new Set([...own, ...column.subarray(starts[root], starts[root + 1])]);
  }

  /** Null for what has no name: in a damaged database a class, an aggregate or a trait may not exist. */
  private totalOf(block: Block, row: number, group: number, resourceClass: number): Total | null {
    let ofGroup = this.sums.get(group);
    if (ofGroup === undefined) this.sums.set(group, (ofGroup = new Map<number, Total>()));
    let total = ofGroup.get(resourceClass);
    if (total === undefined) {
      const root = this.plan.grouping === 'TREE' ? { block, row: rootRow(block, row) } : null;
      const name = root === null ? this.nameOf(group) : block.names[root.row];
      if (name === null || !this.snapshot.classes.has(resourceClass)) return null;
      total = {
        group: name,
        resourceClass: this.snapshot.classes.nameOf(resourceClass),
        capacity: 0,
        used: 0,
        providers: 0,
        root,
      };
      ofGroup.set(resourceClass, total);
    }
    return total;
  }

  private nameOf(group: number): string | null {
    if (this.plan.grouping === null) return '';
    const names = this.plan.grouping === 'TRAIT' ? this.snapshot.traits : this.snapshot.aggregates;
    return names.has(group) ? names.nameOf(group) : null;
  }

  /** Moves the sums to the page: they are final. */
  private close(): void {
    for (const ofGroup of this.sums.values()) {
      for (const total of ofGroup.values()) if (this.page.isWanted(total)) this.page.add(total);
      this.count += ofGroup.size;
      ofGroup.clear();
    }
    if (this.plan.grouping !== 'TREE') this.sums.clear(); // a tree's own is used again for the next one
  }
}

/** Where every provider that is being added is in the same group. */
const ONE_GROUP = [0];

const KEYS: Readonly<Record<TotalOrderField, (total: Total) => SortKey>> = {
  GROUP: ({ group }) => group,
  RESOURCE_CLASS: ({ resourceClass }) => resourceClass,
  CAPACITY: ({ capacity }) => capacity,
  USED: ({ used }) => used,
  AVAILABLE: freeOf,
  UTILIZATION: utilizationOf,
  PROVIDER_COUNT: ({ providers }) => providers,
};

/** What rows are ordered by where nothing else decides. */
const IDENTITY: readonly TotalOrder[] = [
  { field: 'GROUP', isDescending: false },
  { field: 'RESOURCE_CLASS', isDescending: false },
];
