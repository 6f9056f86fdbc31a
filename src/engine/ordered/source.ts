import type { RankKey } from './topCandidates.js';

/** A tree with an upper bound on the scores of its candidates. */
export interface BoundedTree extends RankKey {
  readonly treeIndex: number;
}

/** Trees in descending order of their bounds, as far as these are known without a test of the tree. */
export interface Source {
  /** The best rank key that the next tree can have; null at the end. */
  readonly next: RankKey | null;
  /** The next tree; null where only the rank key of the next one became more exact. */
  take(): number | null;
}
