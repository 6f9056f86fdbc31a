import type { UsageChange } from '../../../feed/usage.js';
import { recalculatedTrees } from '../../../engine/model/classIndex.js';
import { indexWith, inventoryAt, type Block } from '../../../engine/model/snapshot.js';

/** A change of usage, and the row of a block that it is about. */
export interface RowUsage {
  readonly row: number;
  readonly change: UsageChange;
}

export interface UpdatedBlock {
  readonly block: Block;
  /** Providers whose generation was not the one before the change: somebody has written who does not write the change feed. */
  readonly stale: readonly number[];
}

/**
 * A copy of a block in which other amounts are in use: it has columns of its own for generations and use, and of the index those of
 * the classes concerned; all else is shared. Of a class of which a provider has no inventory nothing is kept.
 */
export function withUsage(block: Block, rows: readonly RowUsage[]): UpdatedBlock {
  const generations = block.generations.slice();
  const used = block.used.slice();
  const treesByClass = new Map<number, Set<number>>();
  const stale: number[] = [];
  for (const { row, change } of rows) {
    if (generations[row] + change.steps !== change.generation) stale.push(change.id);
    // commits are not always known in the order in which they were made
    generations[row] = Math.max(generations[row], change.generation);
    for (const [classId, amount] of change.amounts) {
      const at = inventoryAt(block, row, classId);
      if (at < 0) continue;
      used[at] += amount;
      const trees = treesByClass.get(classId);
      if (trees === undefined) treesByClass.set(classId, new Set([block.trees[row]]));
      else trees.add(block.trees[row]);
    }
  }
  const columns = { ...block, generations, used };
  const classes = new Map(block.index.classes);
  for (const [classId, trees] of treesByClass)
    classes.set(classId, recalculatedTrees(columns, trees, classId, classes.get(classId)!));
  return { block: { ...columns, index: indexWith(block.index, classes) }, stale };
}
