import { saturatingSum } from '../../domain/capacity.js';
import { hasAnyTrait, isMemberOfAny } from '../model/providerChecks.js';
import { blockOf, rootRow, type Block, type ProviderRef, type Snapshot } from '../model/snapshot.js';

/** What totals are told apart by besides the resource class. */
export type TotalsGrouping = 'TREE' | 'AGGREGATE' | 'TRAIT';

/** Where a row stands: rows are in the order of groups, then of classes. The group of all providers is ''. */
export interface TotalPlace {
  readonly group: string;
  readonly resourceClass: string;
}

/** What the providers of one group offer and have in use of one class. Sums saturate (decision D2). */
export interface Total extends TotalPlace {
  capacity: number;
  used: number;
  /** How many of them have an inventory of the class. */
  providers: number;
  /** The root, where trees are told apart. */
  readonly root: ProviderRef | null;
}

/** Which providers count, in the numbers of the snapshot, and how they are told apart. */
export interface TotalsPlan {
  readonly grouping: TotalsGrouping | null;
  /** The slot of the only tree that counts; null: all. */
  readonly tree: number | null;
  /** AND of ORs. A provider has its own traits and aggregates here, and those of the root of its tree. */
  readonly memberOf: readonly (readonly number[])[];
  readonly requiredTraits: readonly (readonly number[])[];
  /** The only class that counts; null: all. */
  readonly resourceClass: number | null;
}

/**
 * Adds up the columns of a snapshot: one pass over its inventories, some ten nanoseconds each, in slices that the caller asks
 * for. Of the rows it keeps those of one page. Grouped by aggregate or trait it holds a sum for each row there is; by tree only
 * for the page, because a tree is over when its last provider has been added.
 */
export class Totals {
  /** How many rows there are in all; known at the end. */
  count = 0;
  private treeIndex: number;
  private readonly end: number;
  private readonly sums = new Map<number, Map<number, Total>>();
  private readonly kept: Kept;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: TotalsPlan,
    page: { readonly after: TotalPlace | null; readonly limit: number },
  ) {
    this.treeIndex = plan.tree ?? 0;
    this.end = plan.tree === null ? snapshot.treeCount : plan.tree + 1;
    this.kept = new Kept(page.after, page.limit);
  }

  /** Goes on for about this many providers; true at the end. */
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
    return this.kept.rows;
  }

  private addTree(treeIndex: number): number {
    const block = blockOf(this.snapshot, treeIndex);
    const tree = treeIndex - block.firstTree;
    const [start, end] = [block.treeStarts[tree], block.treeStarts[tree + 1]];
    for (let row = start; row < end; row++) if (this.counts(block, row)) this.addProvider(block, row);
    if (this.plan.grouping === 'TREE') this.close();
    return end - start;
  }

  private counts(block: Block, row: number): boolean {
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
        const total = this.sumOf(block, row, group, resourceClass);
        if (total === null) continue;
        total.capacity = saturatingSum(total.capacity, block.capacities[at]);
        total.used = saturatingSum(total.used, block.used[at]);
        total.providers += 1;
      }
    }
  }

  /** In the numbers of the snapshot. */
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
  private sumOf(block: Block, row: number, group: number, resourceClass: number): Total | null {
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

  /** Takes over the sums: nothing is added to them any more. */
  private close(): void {
    for (const ofGroup of this.sums.values()) {
      for (const total of ofGroup.values()) this.kept.offer(total);
      this.count += ofGroup.size;
    }
    this.sums.clear();
  }
}

/** The group of all, and that of the tree at hand. */
const ONE_GROUP = [0];

/** The first rows behind a place. */
class Kept {
  private sorted: Total[] = [];
  private isSorted = true;
  private last: Total | undefined;

  constructor(
    private readonly after: TotalPlace | null,
    private readonly limit: number,
  ) {}

  offer(total: Total): void {
    if (this.after !== null && inOrder(total, this.after) <= 0) return;
    if (this.last !== undefined && inOrder(total, this.last) > 0) return;
    this.sorted.push(total);
    this.isSorted = false;
    if (this.sorted.length > 2 * this.limit + 1) this.sort();
  }

  get rows(): readonly Total[] {
    if (!this.isSorted) this.sort();
    return this.sorted;
  }

  private sort(): void {
    this.sorted = this.sorted.sort(inOrder).slice(0, this.limit);
    this.isSorted = true;
    if (this.sorted.length === this.limit) this.last = this.sorted.at(-1);
  }
}

function inOrder(a: TotalPlace, b: TotalPlace): number {
  return compare(a.group, b.group) || compare(a.resourceClass, b.resourceClass);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
