import { addToGroup } from '../../model/collections.js';
import { InvalidInput, unknownName } from '../../model/input.js';
import type { Effort } from '../../model/operation/waiting.js';
import { byCodePoint } from '../../model/listing/orderedPage.js';
import { blockOf, hasBit, treeOf, type Snapshot } from '../../fleet/snapshot.js';
import { emptySums, sumUpTree, type Sums } from '../../fleet/sums.js';
import type { TotalsGrouping } from './totals.js';

const SUMS = Object.keys(emptySums()) as (keyof Sums)[];

/** Trees of a map with a common trait or aggregate. */
export interface FleetMapGroup {
  /** A trait, or the uuid of an aggregate. */
  readonly name: string;
  readonly grouping: TotalsGrouping;
  readonly trees: readonly number[];
}

/**
 * The capacity and usage of one class in columns, with one entry for each tree that offers it, and groups of these
 * trees. Finds the trees of each group once.
 */
export class FleetMap {
  private readonly byTrait = new Map<string, FleetMapGroup>();
  private byAggregate: readonly FleetMapGroup[] | null = null;

  private constructor(
    private readonly snapshot: Snapshot,
    private readonly trees: readonly number[],
    /** The names of the roots. */
    readonly names: readonly string[],
    readonly sums: Readonly<Record<keyof Sums, readonly number[]>>,
  ) {}

  /** @param inTrees the indices of the trees in their order; null: all, by the names of their roots */
  static *of(
    snapshot: Snapshot,
    resourceClass: number,
    inTrees: readonly number[] | null,
    effort: Effort,
  ): Generator<void, FleetMap> {
    const trees: number[] = [];
    const names: string[] = [];
    const sums = { capacity: [], used: [], available: [], allowedUsage: [] } as Record<keyof Sums, number[]>;
    const sumsOfTree = emptySums();
    for (let at = 0; at < (inTrees?.length ?? snapshot.treeCount); at++) {
      const tree = treeOf(snapshot, inTrees?.[at] ?? at);
      effort.otherWork += tree.end - tree.start;
      if (effort.isUsedUp) yield;
      if (sumUpTree(sumsOfTree, tree, resourceClass) === 0) continue;
      trees.push(tree.treeIndex);
      names.push(tree.block.names[tree.start]);
      for (const sum of SUMS) sums[sum].push(sumsOfTree[sum]);
    }
    if (inTrees !== null) return new FleetMap(snapshot, trees, names, sums);
    const order = [...names.keys()].sort((one, other) => byCodePoint(names[one], names[other]));
    const inOrder = <T>(column: readonly T[]): T[] => order.map((at) => column[at]);
    return new FleetMap(snapshot, inOrder(trees), inOrder(names), {
      capacity: inOrder(sums.capacity),
      used: inOrder(sums.used),
      available: inOrder(sums.available),
      allowedUsage: inOrder(sums.allowedUsage),
    });
  }

  *aggregates(effort: Effort): Generator<void, readonly FleetMapGroup[]> {
    if (this.byAggregate !== null) return this.byAggregate;
    const names = this.snapshot.aggregates;
    const positions = new Map<number, number[]>();
    for (const [position, tree] of this.trees.entries()) {
      const block = blockOf(this.snapshot, tree);
      for (const [id, bits] of block.index.aggregates)
        if (hasBit(bits, tree - block.firstTree)) addToGroup(positions, id, position);
      effort.otherWork += 1 + block.index.aggregates.size / INDEX_ENTRIES_AT_ONCE;
      if (effort.isUsedUp) yield;
    }
    // an aggregate may have no name in a damaged database
    const named = [...positions].filter(([id]) => names.has(id));
    return (this.byAggregate = named.map(([id, trees]) => ({
      name: names.nameOf(id),
      grouping: 'AGGREGATE',
      trees,
    })));
  }

  /**
   * Returns the trees in which any provider has the trait, for each trait.
   *
   * @throws InvalidInput for an unknown or repeated trait
   */
  *traits(names: readonly string[], effort: Effort): Generator<void, readonly FleetMapGroup[]> {
    const groups = new Map<string, FleetMapGroup>();
    for (const [at, name] of names.entries()) {
      const id = this.snapshot.traits.idOf(name);
      if (id === undefined) throw unknownName('trait', name, ['names', String(at)]);
      if (groups.has(name)) throw new InvalidInput(['names'], 'a trait is repeated');
      let group = this.byTrait.get(name);
      if (group === undefined) {
        group = { name, grouping: 'TRAIT', trees: this.treesWith(id) };
        this.byTrait.set(name, group);
        effort.otherWork += this.trees.length / INDEX_ENTRIES_AT_ONCE;
      }
      groups.set(name, group);
      if (effort.isUsedUp) yield;
    }
    return [...groups.values()];
  }

  private treesWith(trait: number): number[] {
    const found: number[] = [];
    for (const [position, tree] of this.trees.entries()) {
      const block = blockOf(this.snapshot, tree);
      if (hasBit(block.index.traits.get(trait), tree - block.firstTree)) found.push(position);
    }
    return found;
  }
}

/** How many bits of the index of a block are read for one unit of effort. */
const INDEX_ENTRIES_AT_ONCE = 32;
