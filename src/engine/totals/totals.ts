import { saturatingSum } from '../../domain/capacity.js';
import { hasAnyTrait, isMemberOfAny } from '../model/providerChecks.js';
import { blockOf, rootRow, type Block, type ProviderRef, type Snapshot } from '../model/snapshot.js';

/** What totals are grouped by besides the resource class. */
export type TotalsGrouping = 'TREE' | 'AGGREGATE' | 'TRAIT';

/** What identifies a row; rows are sorted by it. The group of all providers is ''. */
export interface TotalKey {
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
  /** AND of ORs. A provider has its own traits and aggregates here, and those of the root of its tree. */
  readonly memberOf: readonly (readonly number[])[];
  readonly requiredTraits: readonly (readonly number[])[];
  /** The only class that counts; null: all. */
  readonly resourceClass: number | null;
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
  private readonly page: Page;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: TotalsPlan,
    { after, limit }: { readonly after: TotalKey | null; readonly limit: number },
  ) {
    this.treeIndex = plan.tree ?? 0;
    this.end = plan.tree === null ? snapshot.treeCount : plan.tree + 1;
    this.page = new Page(after, limit);
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

  /** The rows of the page, in order. */
  get rows(): readonly Total[] {
    return this.page.rows;
  }

  private addTree(treeIndex: number): number {
    const block = blockOf(this.snapshot, treeIndex);
    const tree = treeIndex - block.firstTree;
    const [start, end] = [block.treeStarts[tree], block.treeStarts[tree + 1]];
    for (let row = start; row < end; row++) if (this.matches(block, row)) this.addProvider(block, row);
    if (this.plan.grouping === 'TREE') this.close();
    return end - start;
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
      for (const total of ofGroup.values()) this.page.add(total);
      this.count += ofGroup.size;
    }
    this.sums.clear();
  }
}

/** Where every provider that is being added is in the same group. */
const ONE_GROUP = [0];

/** The first rows after a key. */
class Page {
  private sorted: Total[] = [];
  private isSorted = true;
  private last: Total | undefined;

  constructor(
    private readonly after: TotalKey | null,
    private readonly limit: number,
  ) {}

  add(total: Total): void {
    if (this.after !== null && compareKeys(total, this.after) <= 0) return;
    if (this.last !== undefined && compareKeys(total, this.last) > 0) return;
    this.sorted.push(total);
    this.isSorted = false;
    if (this.sorted.length > 2 * this.limit + 1) this.sort();
  }

  get rows(): readonly Total[] {
    if (!this.isSorted) this.sort();
    return this.sorted;
  }

  private sort(): void {
    this.sorted = this.sorted.sort(compareKeys).slice(0, this.limit);
    this.isSorted = true;
    if (this.sorted.length === this.limit) this.last = this.sorted.at(-1);
  }
}

function compareKeys(a: TotalKey, b: TotalKey): number {
  return compareText(a.group, b.group) || compareText(a.resourceClass, b.resourceClass);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
