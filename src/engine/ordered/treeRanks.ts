import { mix } from '../model/random.js';
import { TREES_PER_BLOCK, type Block } from '../model/snapshot.js';

/**
 * The seeded order of trees whose bounds are equal: the blocks in one order, and the trees of a block, one behind the other, in another.
 * So the first of very many equal trees is found without looking into all of their blocks.
 */
export class TreeRanks {
  constructor(private readonly seed: number) {}

  /** The lower, the earlier; no two trees have the same. */
  of(treeIndex: number): number {
    const tree = treeIndex % TREES_PER_BLOCK;
    const random = mix(treeIndex, ~this.seed) >>> 19;
    return this.ofBlock((treeIndex - tree) / TREES_PER_BLOCK) + random * TREES_PER_BLOCK + tree;
  }

  /** No tree of a block ranks lower than this. */
  firstIn({ firstTree }: Block): number {
    return this.ofBlock(firstTree / TREES_PER_BLOCK);
  }

  /** Different for all blocks: under one seed `mix` never gives two numbers the same. Leaves 21 of 53 bits to the trees. */
  private ofBlock(number: number): number {
    return mix(number, this.seed) * 2 ** 21;
  }
}
