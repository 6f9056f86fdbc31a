import type { BoundedTree, Source } from './source.js';
import type { BlockGroup, BlockGroups } from './blockGroups.js';
import { Heap } from './heap.js';
import { ranksAbove, type RankKey } from './topCandidates.js';
import type { TreeRanks } from './treeRanks.js';
import type { Block } from '../model/snapshot.js';

/** The trees of a block that have inventories of the class themselves: group by group, those of one when it is their turn. */
export class BlockSource implements Source {
  next: RankKey | null;
  private readonly trees = new Heap<BoundedTree>(ranksAbove);

  constructor(
    private readonly block: Block,
    private readonly groups: BlockGroups,
    /** The one whose trees are taken, or are taken next. */
    private group: BlockGroup,
    private readonly ranks: TreeRanks,
  ) {
    this.next = this.keyOf(group);
  }

  take(): number | null {
    const taken = this.trees.pop();
    if (taken === undefined) this.rank(this.group);
    const next = this.trees.top;
    if (next !== undefined) {
      this.next = next;
    } else {
      const group = this.groups.after(this.block, this.group);
      this.next = group && this.keyOf(group);
      if (group !== null) this.group = group;
    }
    return taken?.treeIndex ?? null;
  }

  private keyOf({ best }: BlockGroup): RankKey {
    return { score: best, rank: this.ranks.firstIn(this.block) };
  }

  private rank(group: BlockGroup): void {
    for (const tree of group.trees) {
      const treeIndex = this.block.firstTree + tree;
      const score = this.groups.boundOf(this.block, group, tree);
      this.trees.push({ treeIndex, score, rank: this.ranks.of(treeIndex) });
    }
  }
}
