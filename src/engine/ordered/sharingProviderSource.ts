import type { Source } from './source.js';
import type { Score } from './score.js';
import type { RankKey } from './topCandidates.js';
import type { TreeRanks } from './treeRanks.js';
import { hasBit, treeIndexOf, type ProviderRef, type Snapshot } from '../model/snapshot.js';

/** The trees that a sharing provider serves; found when the first is taken. */
export class SharingProviderSource implements Source {
  next: RankKey | null;
  private treeIndices: number[] | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly sharingProvider: ProviderRef,
    private readonly score: Score,
    private readonly ranks: TreeRanks,
  ) {
    this.next = { score, rank: -1 };
  }

  take(): number {
    this.treeIndices ??= this.servedTrees().sort((a, b) => this.ranks.of(b) - this.ranks.of(a));
    const treeIndex = this.treeIndices.pop()!;
    const after = this.treeIndices.at(-1);
    this.next = after === undefined ? null : { score: this.score, rank: this.ranks.of(after) };
    return treeIndex;
  }

  /** At least the tree of the sharing provider itself. */
  private servedTrees(): number[] {
    const { block: own, row } = this.sharingProvider;
    const treeIndices = new Set([treeIndexOf(this.sharingProvider)]);
    for (const aggregate of own.aggregates.subarray(own.aggregateStarts[row], own.aggregateStarts[row + 1])) {
      for (const { firstTree, treeStarts, index } of this.snapshot.blocks) {
        const bits = index.aggregates.get(aggregate);
        if (bits === undefined) continue;
        for (let tree = 0; tree < treeStarts.length - 1; tree++)
          if (hasBit(bits, tree)) treeIndices.add(firstTree + tree);
      }
    }
    return [...treeIndices];
  }
}
