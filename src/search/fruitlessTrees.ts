import { addToGroup } from '../model/collections.js';
import { countersOf, isCounter } from '../fleet/consumption.js';
import type { Plan } from './plan.js';
import { freeAt, treeOf, type Block, type Snapshot } from '../fleet/snapshot.js';

/** The maximum count of stored numbers. A tree that would exceed it is not recorded. */
const MOST_NUMBERS = 2 ** 22;

/** Ends the classes, traits and aggregates of a provider. */
const END = -1;

/**
 * Trees without a candidate. The search skips a tree if the inventories, traits and aggregates that
 * the plan reads are equal to those of a recorded tree, row by row.
 */
export class FruitlessTrees {
  private readonly classes: ReadonlySet<number>;
  private readonly traits: ReadonlySet<number>;
  private readonly aggregates: ReadonlySet<number>;
  private readonly found = new Map<number, (readonly number[])[]>();
  private kept = 0;
  /** The first `length` of these are the numbers of the last tree. */
  private readonly numbers: number[] = [];
  private length = 0;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly hasShareable: boolean,
  ) {
    const { groups } = plan;
    this.classes = new Set(
      groups.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)),
    );
    this.traits = new Set(
      groups.flatMap(({ requiredTraits, forbiddenTraits }) => [
        ...requiredTraits.ids,
        ...forbiddenTraits.ids,
      ]),
    );
    this.aggregates = new Set(
      groups.flatMap(({ memberOf, forbiddenAggregates }) => [...memberOf.ids, ...forbiddenAggregates.ids]),
    );
  }

  /** Returns false if a group names a tree, or if uuids decide how a merged class is split. */
  static canCompare({ groups, variables, mergedClasses }: Plan): boolean {
    return (
      groups.every(({ tree }) => tree === null) &&
      !variables.some(
        ({ canSplit, resources }) => canSplit && mergedClasses.includes(resources[0].resourceClass),
      )
    );
  }

  has(treeIndex: number): boolean {
    const hash = this.read(treeIndex);
    return hash !== null && (this.found.get(hash)?.some((other) => this.isRead(other)) ?? false);
  }

  add(treeIndex: number): void {
    const hash = this.read(treeIndex);
    if (hash === null || this.kept + this.length > MOST_NUMBERS) return;
    this.kept += this.length;
    addToGroup(this.found, hash, this.numbers.slice(0, this.length));
  }

  /** Reads the numbers of a tree and returns their hash; null for a tree with a sharing provider. */
  private read(treeIndex: number): number | null {
    const { block, start, end } = treeOf(this.snapshot, treeIndex);
    this.length = 0;
    for (let row = start; row < end; row++) {
      if (block.sharing[row] === 1) return null;
      this.readRow(block, row, start);
    }
    if (this.hasShareable) this.readLinks(block, start, end);
    let hash = 0;
    for (let at = 0; at < this.length; at++) hash = (Math.imul(hash, 31) + this.numbers[at]) | 0;
    return hash;
  }

  private readRow(block: Block, row: number, start: number): void {
    if (this.plan.sameSubtree.length > 0) this.push(block.ends[row] - start);
    for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
      if (!this.classes.has(block.classes[at])) continue;
      this.push(block.classes[at]);
      this.push(Math.max(0, freeAt(block, at)));
      this.push(block.minUnits[at]);
      this.push(block.maxUnits[at]);
      this.push(block.stepSizes[at]);
      if (block.consumption !== null) this.readCounters(block, at, block.inventoryStarts[start]);
    }
    this.push(END);
    for (let at = block.traitStarts[row]; at < block.traitStarts[row + 1]; at++)
      if (this.traits.has(block.traits[at])) this.push(block.traits[at]);
    this.push(END);
    for (let at = block.aggregateStarts[row]; at < block.aggregateStarts[row + 1]; at++)
      if (this.aggregates.has(block.aggregates[at])) this.push(block.aggregates[at]);
    this.push(END);
  }

  private readCounters(block: Block, at: number, base: number): void {
    this.push(Number(isCounter(block, at)));
    for (const { counter, amount } of countersOf(block, at)) {
      this.push(counter - base);
      this.push(amount);
      this.push(counter < 0 ? 0 : Math.min(freeAt(block, counter), block.maxUnits[counter]));
    }
    this.push(END);
  }

  /** Reads the aggregates by which sharing providers of other trees may serve the tree. */
  private readLinks(block: Block, start: number, end: number): void {
    const all = block.aggregates.subarray(block.aggregateStarts[start], block.aggregateStarts[end]);
    const linked = new Set([...all].filter((aggregate) => this.snapshot.sharing.in(aggregate).length > 0));
    for (const aggregate of [...linked].sort((a, b) => a - b)) this.push(aggregate);
  }

  private push(number: number): void {
    this.numbers[this.length++] = number;
  }

  private isRead(other: readonly number[]): boolean {
    if (other.length !== this.length) return false;
    for (let at = 0; at < other.length; at++) if (other[at] !== this.numbers[at]) return false;
    return true;
  }
}
