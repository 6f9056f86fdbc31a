import { addToGroup } from '../../model/collections.js';
import { InvalidInput, unknownName } from '../../model/input.js';
import type { Effort } from '../../model/operation/waiting.js';
import { hasBit, type Snapshot } from '../../fleet/snapshot.js';
import type { Total, TotalsGrouping } from './totals.js';

/** Trees of a map with a common trait or aggregate. */
export interface FleetMapGroup {
  /** A trait, or the uuid of an aggregate. */
  readonly name: string;
  readonly grouping: TotalsGrouping;
  readonly trees: readonly number[];
}

/** The trees that offer a resource class, and their groups. Finds the trees of each group once. */
export class FleetMap {
  private readonly byTrait = new Map<string, FleetMapGroup>();
  private byAggregate: readonly FleetMapGroup[] | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    /** In the order of the root's names, or of the providers that select the trees. */
    readonly trees: readonly Total[],
  ) {}

  *aggregates(effort: Effort): Generator<void, readonly FleetMapGroup[]> {
    if (this.byAggregate !== null) return this.byAggregate;
    const names = this.snapshot.aggregates;
    const positions = new Map<number, number[]>();
    for (const [position, { root }] of this.trees.entries()) {
      const { block, row } = root!;
      for (const [id, bits] of block.index.aggregates)
        if (hasBit(bits, block.trees[row])) addToGroup(positions, id, position);
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
    for (const [position, { root }] of this.trees.entries())
      if (hasBit(root!.block.index.traits.get(trait), root!.block.trees[root!.row])) found.push(position);
    return found;
  }
}

/** How many bits of the index of a block are read for one unit of effort. */
const INDEX_ENTRIES_AT_ONCE = 32;
