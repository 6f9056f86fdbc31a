import { PAUSED, type Effort } from '../model/effort.js';
import type { TreeFilter } from './treeFilter.js';
import { mix, permutation } from '../model/random.js';
import { blockNumber, type Snapshot } from '../fleet/snapshot.js';

/** Steps without a result, initially and per result, before the order lists all remaining trees. */
const MISSES_AT_FIRST = 16;
const MISSES_PER_HIT = 32;

/**
 * The trees that pass the filter, each once, in a seeded uniform order (decision D10): random sampling
 * without replacement, stratified by block. Each step takes the next index of a permutation and picks a
 * random remaining tree of the same block. After too many steps without a result it lists the remaining
 * trees of the fleet.
 */
export class TreeOrder {
  private readonly permutation: (position: number) => number;
  private readonly remaining = new Map<number, RemainingTrees>();
  private position = 0;
  private hits = 0;
  private isSampling: boolean;
  /** The remaining trees of the blocks before `blocksListed`, after sampling. */
  private readonly list: number[] = [];
  private blocksListed = 0;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly filter: TreeFilter,
    private readonly seed: number,
    private readonly effort: Effort,
  ) {
    this.permutation = permutation(snapshot.treeCount, seed);
    this.isSampling = filter.only === null;
    if (filter.only === null) return;
    this.list = [...filter.only];
    this.blocksListed = snapshot.blocks.length;
  }

  /**
   * Returns undefined if no tree remains, and PAUSED when the effort is used up. A call that returns PAUSED made
   * progress too.
   */
  next(): number | typeof PAUSED | undefined {
    do {
      const treeIndex = this.step();
      if (treeIndex !== null) return treeIndex;
    } while (!this.effort.isUsedUp);
    return PAUSED;
  }

  /** Does a small part of the work. Returns null if this step finds no tree, undefined if none remains. */
  private step(): number | null | undefined {
    if (this.isSampling) return this.sample();
    if (this.blocksListed === this.snapshot.blocks.length) return this.pickListed();
    this.listBlock(this.blocksListed++);
    return null;
  }

  private sample(): number | null {
    const misses = this.position - this.hits;
    if (this.position === this.snapshot.treeCount || misses > MISSES_AT_FIRST + MISSES_PER_HIT * this.hits) {
      this.isSampling = false;
      return null;
    }
    const sample = this.permutation(this.position++);
    const treeIndex = this.pickFrom(this.remainingIn(blockNumber(sample)), sample);
    if (treeIndex !== null) this.hits++;
    return treeIndex;
  }

  private listBlock(at: number): void {
    this.effort.otherWork += this.filter.workPerBlock;
    if (!this.remaining.has(at) && !this.filter.mayMatch(this.snapshot.blocks[at])) return;
    const trees = this.remainingIn(at);
    if (trees.count === 0) return;
    this.effort.blocksRead++;
    this.list.push(...trees.all());
  }

  private remainingIn(at: number): RemainingTrees {
    let trees = this.remaining.get(at);
    if (trees === undefined) {
      const block = this.snapshot.blocks[at];
      this.effort.otherWork += this.filter.workPerBlock;
      this.remaining.set(
        at,
        (trees = new RemainingTrees(block.firstTree, this.filter.possibleTreesIn(block))),
      );
    }
    return trees;
  }

  private pickFrom(trees: RemainingTrees, sample: number): number | null {
    do {
      this.effort.treesTested++;
      const treeIndex = trees.takeRandom(mix(this.seed, sample));
      if (treeIndex === undefined) return null;
      if (this.filter.passes(treeIndex)) return treeIndex;
    } while (trees.count > 0);
    return null;
  }

  private pickListed(): number | null | undefined {
    const { list } = this;
    if (list.length === 0) return undefined;
    const picked = mix(this.seed, list.length) % list.length;
    const treeIndex = list[picked];
    list[picked] = list[list.length - 1];
    list.pop();
    this.effort.treesTested++;
    return this.filter.passes(treeIndex) ? treeIndex : null;
  }
}

class RemainingTrees {
  count = 0;

  constructor(
    private readonly firstTree: number,
    private readonly bits: Uint32Array,
  ) {
    for (const word of bits) this.count += bitsIn(word);
  }

  /** Removes a tree; returns undefined if none remains. */
  takeRandom(random: number): number | undefined {
    if (this.count === 0) return undefined;
    let nth = random % this.count--;
    let at = 0;
    for (; nth >= bitsIn(this.bits[at]); at++) nth -= bitsIn(this.bits[at]);
    let word = this.bits[at];
    for (; nth > 0; nth--) word &= word - 1;
    const bit = word & -word;
    this.bits[at] ^= bit;
    return this.firstTree + at * 32 + 31 - Math.clz32(bit);
  }

  all(): number[] {
    return Array.from({ length: this.count }, () => this.takeRandom(0)!);
  }
}

function bitsIn(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
