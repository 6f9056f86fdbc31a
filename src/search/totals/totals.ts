import { utilizationOf } from '../../model/input.js';
import { addInventory, emptySums, sumUpTree, type Sums } from '../../fleet/sums.js';
import { type SortBounds, type SortKey, OrderedPage, type Placed } from '../../model/listing/orderedPage.js';
import { Clauses } from '../clauses.js';
import {
  rootRow,
  treeOf,
  type Block,
  type ProviderRef,
  type Snapshot,
  type Tree,
} from '../../fleet/snapshot.js';

export type TotalsGrouping = 'TREE' | 'AGGREGATE' | 'TRAIT';

export interface TotalOrder {
  readonly field: TotalOrderField;
  readonly isDescending: boolean;
}

export interface TotalKey {
  /** Empty for all providers. */
  readonly group: string;
  readonly resourceClass: string;
}

/** The sums of one class over the providers of one group. */
export interface Total extends TotalKey, Sums {
  /** The number of providers with an inventory of the class. */
  providers: number;
  /** The root of the tree; null unless totals are by tree. */
  readonly root: ProviderRef | null;
}

/** The filter and grouping, in the ids of the snapshot. */
export interface TotalsPlan {
  readonly grouping: TotalsGrouping | null;
  /** The index of the only tree; null: all. */
  readonly tree: number | null;
  /** The indices of excluded trees. */
  readonly except?: ReadonlySet<number>;
  /** AND of ORs over the traits and aggregates of a provider and of its root. */
  readonly memberOf: Clauses;
  readonly requiredTraits: Clauses;
  readonly resourceClass: number | null;
  /** The group and the class follow as the last keys. */
  readonly orderBy?: readonly TotalOrder[];
}

/** The totals of all providers by resource class. */
export const WHOLE_FLEET: TotalsPlan = {
  grouping: null,
  tree: null,
  memberOf: Clauses.NONE,
  requiredTraits: Clauses.NONE,
  resourceClass: null,
};

/**
 * Adds up the inventories of a snapshot in one pass, in time slices, and collects one page. If
 * grouped by tree, it stores only the sums of the page: the sums of a tree are final after its last
 * provider.
 */
export class Totals {
  count = 0;
  private treeIndex: number;
  private readonly end: number;
  private readonly sums = new Map<number, Map<number, Total>>();
  private readonly page: OrderedPage<Total>;
  /** Undefined if every provider matches. */
  private readonly isMatch: ((block: Block, row: number) => boolean) | undefined;
  /** The total of the present tree. */
  private readonly tree = { group: '', resourceClass: '', ...emptySums(), providers: 0, root: null };

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: TotalsPlan,
    bounds: SortBounds = { limit: Infinity },
  ) {
    this.treeIndex = plan.tree ?? 0;
    const isFiltered = plan.memberOf.length + plan.requiredTraits.length > 0;
    this.isMatch = isFiltered ? (block, row) => this.matches(block, row) : undefined;
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

  /** Adds about this many providers. Returns true when the pass is done. */
  run(providers: number): boolean {
    for (let budget = providers; budget > 0 && this.treeIndex < this.end; this.treeIndex++) {
      budget -= 1 + this.addTree(this.treeIndex);
    }
    if (this.treeIndex < this.end) return false;
    this.close();
    return true;
  }

  get rows(): readonly Total[] {
    return this.page.rows.map(({ item }) => item);
  }

  get placedRows(): readonly Placed<Total>[] {
    return this.page.rows;
  }

  private addTree(treeIndex: number): number {
    if (this.plan.except?.has(treeIndex)) return 0;
    const found = treeOf(this.snapshot, treeIndex);
    const { block, start, end } = found;
    const { grouping, resourceClass } = this.plan;
    if (grouping === 'TREE' && resourceClass !== null) {
      this.addTreeForClass(found, resourceClass);
    } else {
      for (let row = start; row < end; row++)
        if (this.isMatch?.(block, row) !== false) this.addProvider(block, row);
      if (grouping === 'TREE') this.close();
    }
    return end - start;
  }

  /** Needs no map of sums, and an object only for totals that the page may keep. */
  private addTreeForClass(found: Tree, resourceClass: number): void {
    const { tree, isMatch } = this;
    tree.providers = sumUpTree(tree, found, resourceClass, isMatch);
    if (tree.providers === 0 || !this.snapshot.classes.has(resourceClass)) return;
    this.count += 1;
    const { block, start } = found;
    tree.group = block.names[start];
    tree.resourceClass = this.snapshot.classes.nameOf(resourceClass);
    if (this.page.isWanted(tree)) this.page.add({ ...tree, root: { block, row: start } });
  }

  private matches(block: Block, row: number): boolean {
    const { memberOf, requiredTraits } = this.plan;
    const root = rootRow(block, row);
    return (
      memberOf.areMetByEither(block.aggregates, block.aggregateStarts, row, root) &&
      requiredTraits.areMetByEither(block.traits, block.traitStarts, row, root)
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
        addInventory(total, block, at);
        total.providers += 1;
      }
    }
  }

  private groupsOf(block: Block, row: number): Iterable<number> {
    const { grouping } = this.plan;
    if (grouping === null || grouping === 'TREE') return ONE_GROUP;
    const [column, starts] =
      grouping === 'TRAIT' ? [block.traits, block.traitStarts] : [block.aggregates, block.aggregateStarts];
    const root = rootRow(block, row);
    const own = column.subarray(starts[row], starts[row + 1]);
    return root === row ? own : new Set([...own, ...column.subarray(starts[root], starts[root + 1])]);
  }

  /** Returns null if a class, aggregate or trait has no name, as in a damaged database. */
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
        ...emptySums(),
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

  private close(): void {
    for (const ofGroup of this.sums.values()) {
      for (const total of ofGroup.values()) if (this.page.isWanted(total)) this.page.add(total);
      this.count += ofGroup.size;
      ofGroup.clear();
    }
    if (this.plan.grouping !== 'TREE') this.sums.clear(); // the next tree reuses the map
  }
}

const ONE_GROUP = [0];

const KEYS = {
  group: ({ group }: Total) => group,
  resourceClass: ({ resourceClass }: Total) => resourceClass,
  capacity: ({ capacity }: Total) => capacity,
  used: ({ used }: Total) => used,
  available: ({ available }: Total) => available,
  utilization: utilizationOf,
  providerCount: ({ providers }: Total) => providers,
} satisfies Record<string, (total: Total) => SortKey>;

export type TotalOrderField = keyof typeof KEYS;

export const TOTAL_ORDER_FIELDS = Object.keys(KEYS) as TotalOrderField[];

const IDENTITY: readonly TotalOrder[] = [
  { field: 'group', isDescending: false },
  { field: 'resourceClass', isDescending: false },
];
