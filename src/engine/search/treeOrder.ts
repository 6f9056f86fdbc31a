import type { Effort } from '../model/effort.js';
import type { TreeFilter } from './treeFilter.js';
import { mix, Permutation } from '../model/random.js';
import { TREES_PER_BLOCK, type Snapshot } from '../model/snapshot.js';

/** Turns of blocks that have no tree left, beyond the trees found, before the trees that are left are listed instead. */
const MISSES_AT_FIRST = 16;
const MISSES_PER_HIT = 32;

/**
 * The trees worth visiting, each once, in a seeded order that favours none (decision D10). All slots get a turn, in the order of
 * a permutation that costs nothing to set up; but what a turn gives is any tree that is left in the block of the slot and
 * passes the filter. So a block comes up as often as it has trees, and within it the index finds those that pass, however few
 * they are. When turns come to nothing too often, the few trees left in the whole fleet are listed, at a cost that grows with its
 * blocks.
 */
export class TreeOrder {
  private readonly permutation: Permutation;
  private readonly left = new Map<number, TreesLeft>();
  private position = 0;
  private hits = 0;
  private list: number[] | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly filter: TreeFilter,
    private readonly seed: number,
    private readonly effort: Effort,
  ) {
    this.permutation = new Permutation(snapshot.treeCount, seed);
    if (filter.impossible) this.list = [];
    else if (filter.pinned !== undefined) this.list = filter.passes(filter.pinned) ? [filter.pinned] : [];
  }

  /** The next tree; undefined when there are no more. */
  next(): number | undefined {
    while (this.list === null && this.position < this.snapshot.treeCount) {
      if (this.position - this.hits > MISSES_AT_FIRST + MISSES_PER_HIT * this.hits) {
        this.list = this.allLeft();
        break;
      }
      const turn = this.permutation.at(this.position++);
      const treeIndex = this.drawFrom(this.leftIn(Math.floor(turn / TREES_PER_BLOCK)), turn);
      if (treeIndex !== undefined) {
        this.hits++;
        return treeIndex;
      }
    }
    return this.fromList();
  }

  private allLeft(): number[] {
    if (this.filter.exceedsLargestFree()) return [];
    return this.snapshot.blocks.flatMap((block, at) =>
      this.left.has(at) || this.filter.mayMatch(block) ? this.leftIn(at).all() : [],
    );
  }

  private leftIn(at: number): TreesLeft {
    let left = this.left.get(at);
    if (left === undefined) {
      const block = this.snapshot.blocks[at];
      this.left.set(at, (left = new TreesLeft(block.firstTree, this.filter.possibleTreesIn(block))));
    }
    return left;
  }

  private drawFrom(left: TreesLeft, turn: number): number | undefined {
    do {
      this.effort.treesTested++;
      const treeIndex = left.draw(mix(this.seed, turn));
      if (treeIndex === undefined || this.filter.passes(treeIndex)) return treeIndex;
    } while (left.count > 0);
    return undefined;
  }

  private fromList(): number | undefined {
    const { list } = this;
    while (list !== null && list.length > 0) {
      const drawn = mix(this.seed, list.length) % list.length;
      const treeIndex = list[drawn];
      list[drawn] = list[list.length - 1];
      list.pop();
      this.effort.treesTested++;
      if (this.filter.passes(treeIndex)) return treeIndex;
    }
    return undefined;
  }
}

/** The trees of a block that have not been drawn. */
class TreesLeft {
  count = 0;

  constructor(
    private readonly firstTree: number,
    private readonly bits: Uint32Array,
  ) {
    for (const word of bits) this.count += bitsIn(word);
  }

  /** Takes one tree out, by a random number; undefined when there is none. */
  draw(random: number): number | undefined {
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
    return Array.from({ length: this.count }, () => this.draw(0)!);
  }
}

function bitsIn(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
