import {
  type Directions,
  type SortBounds,
  type SortKey,
  OrderedPage,
  type Placed,
} from '../../domain/listing/orderedPage.js';
import { blocksWith, type ProviderRef, type Snapshot } from '../model/snapshot.js';
import { RowSequence } from './blockOrder.js';
import { BlockConditions, type ProviderConditions } from './providerConditions.js';
import { keyOfProvider, type PlannedKey } from './providerOrder.js';

/** No two providers have the same last key. */
export interface ListingPlan {
  readonly conditions: ProviderConditions;
  readonly keys: readonly PlannedKey[];
  readonly directions: Directions;
}

interface OpenBlock {
  readonly sequence: RowSequence;
  readonly conditions: BlockConditions;
  position: number;
  readonly firstKey: SortKey;
}

/** The cost of sorting a row, in visits of a provider. */
const COST_OF_ORDER = 4;

/**
 * Finds one page of an ordered list of providers, in time slices. Reads the most promising blocks
 * first. Stops reading a block when no further row can be on the page.
 */
export class ProviderListing {
  private readonly page: OrderedPage<ProviderRef>;
  private readonly unopened: Snapshot['blocks'][number][];
  private readonly open: OpenBlock[] = [];
  private isSorted = false;
  /** The only name in the list, if it is ordered by name. */
  private readonly onlyName: string | null;

  constructor(
    snapshot: Snapshot,
    private readonly plan: ListingPlan,
    private readonly bounds: SortBounds,
  ) {
    const { conditions, keys, directions } = plan;
    this.page = new OrderedPage({ keyOf: keys.map(keyOfProvider), directions }, bounds);
    this.unopened = [...blocksWith(snapshot, conditions.trees)];
    this.onlyName = keys[0].field === 'name' ? conditions.name : null;
  }

  run(providers: number): boolean {
    let budget = providers;
    for (; this.unopened.length > 0 && budget > 0; budget--) budget -= this.openBlock(this.unopened.pop()!);
    if (this.unopened.length > 0) return false;
    if (!this.isSorted) this.open.sort((one, other) => other.sequence.compare(other.firstKey, one.firstKey));
    this.isSorted = true;
    for (let block = this.open.at(-1); block !== undefined && budget > 0; block = this.open.at(-1)) {
      const start = block.position;
      if (this.read(block, start + budget)) this.open.pop();
      budget -= 1 + block.position - start;
    }
    return this.open.length === 0;
  }

  get rows(): readonly Placed<ProviderRef>[] {
    return this.page.rows;
  }

  private openBlock(block: Snapshot['blocks'][number]): number {
    const { keys, directions, conditions } = this.plan;
    const { after = null, before = null, backwards = false } = this.bounds;
    const { rootsOnly } = conditions;
    const sequence = new RowSequence(block, keys[0], { isDescending: directions[0], backwards, rootsOnly });
    const bound = (backwards ? before : after)?.[0];
    const start = this.onlyName ?? bound;
    const position = start === undefined ? 0 : sequence.firstFrom(start);
    if (position < sequence.length)
      this.open.push({
        sequence,
        conditions: new BlockConditions(block, conditions),
        position,
        firstKey: sequence.keyAt(position),
      });
    return sequence.isNew ? COST_OF_ORDER * sequence.length : 1;
  }

  /** Reads up to a position. Returns true if no further row of the block can be on the page. */
  private read(open: OpenBlock, end: number): boolean {
    const { sequence, conditions } = open;
    const { block } = sequence;
    const { after = null, before = null, backwards = false } = this.bounds;
    const bound = backwards ? after : before;
    for (; open.position < Math.min(end, sequence.length); open.position++) {
      const { threshold } = this.page;
      const key = sequence.keyAt(open.position);
      if (threshold !== null && sequence.compare(key, threshold[0]) > 0) return true;
      if (bound !== null && sequence.compare(key, bound[0]) > 0) return true;
      if (this.onlyName !== null && sequence.compare(key, this.onlyName) > 0) return true;
      const provider = { block, row: sequence.rowAt(open.position) };
      if (this.page.isWanted(provider) && conditions.matches(provider.row)) this.page.add(provider);
    }
    return open.position >= sequence.length;
  }
}

export class ProviderCount {
  count = 0;
  private visited = 0;
  private readonly blocks: Snapshot['blocks'];

  constructor(
    snapshot: Snapshot,
    private readonly conditions: ProviderConditions,
  ) {
    this.blocks = blocksWith(snapshot, conditions.trees);
  }

  run(providers: number): boolean {
    for (let budget = providers; budget > 0 && this.visited < this.blocks.length; this.visited++)
      budget -= this.countIn(this.blocks[this.visited]);
    return this.visited >= this.blocks.length;
  }

  private countIn(block: Snapshot['blocks'][number]): number {
    const { rootsOnly } = this.conditions;
    const conditions = new BlockConditions(block, this.conditions);
    for (let row = 0; row < block.ids.length; row++)
      if ((!rootsOnly || block.parents[row] < 0) && conditions.matches(row)) this.count++;
    return block.ids.length + 1;
  }
}
