import { TREES_PER_BLOCK, type Block } from '../../../engine/model/snapshot.js';
import { buildBlock } from './blockBuilder.js';
import { columnsOf } from '../providerColumns.js';
import { replaceTree } from './treeReplacement.js';
import { treesOf, type Trees } from '../trees.js';

/** The blocks of the next snapshot in the making: those of the present one, with trees replaced. */
export class BlocksDraft {
  readonly blocks: Block[];
  readonly freeTreeIndices: number[];
  /** The positions of blocks with replaced trees. */
  readonly replaced = new Set<number>();

  constructor(
    blocks: readonly Block[],
    public treeCount: number,
    freeTreeIndices: readonly number[],
    private readonly sharingTrait: number | undefined,
  ) {
    this.blocks = [...blocks];
    this.freeTreeIndices = [...freeTreeIndices];
  }

  /** Replaces the tree at an index; without a tree the index becomes free. */
  replace(treeIndex: number, tree: Trees | undefined): void {
    const at = Math.floor(treeIndex / TREES_PER_BLOCK);
    const block = this.blocks[at];
    const replacement = buildBlock(treeIndex, tree ?? EMPTY_TREE, this.sharingTrait);
    this.blocks[at] = replaceTree(block, treeIndex - block.firstTree, replacement);
    this.replaced.add(at);
    if (tree === undefined) this.freeTreeIndices.push(treeIndex);
  }

  /** Adds a tree at a free index, or behind the last one. */
  add(tree: Trees): number {
    const free = this.freeTreeIndices.pop();
    const treeIndex = free ?? this.treeCount++;
    if (free === undefined) {
      const at = Math.floor(treeIndex / TREES_PER_BLOCK);
      const block = this.blocks[at] ?? buildBlock(treeIndex, NO_TREE, this.sharingTrait);
      this.blocks[at] = { ...block, treeStarts: Int32Array.of(...block.treeStarts, block.ids.length) };
    }
    this.replace(treeIndex, tree);
    return treeIndex;
  }
}

const NO_TREE = treesOf(columnsOf([]));
const EMPTY_TREE: Trees = { ...NO_TREE, starts: Int32Array.of(0, 0) };
