import { addToGroup, once } from '../../../model/collections.js';
import { blockNumber, type Block } from '../../../fleet/snapshot.js';
import { valueOfTree, type PlannedOrder } from '../plannedOrder.js';
import type { Term } from './term.js';

/** A value that all candidates of a tree have. */
export const valueOfTrees = once((order: Extract<PlannedOrder, { readonly trees: unknown }>): Term => {
  /** By block: its trees with their values. */
  const blocks = new Map<number, [tree: number, value: number][]>();
  for (const tree of order.trees) addToGroup(blocks, blockNumber(tree[0]), tree);
  const inBlock = ({ firstTree }: Block) => blocks.get(blockNumber(firstTree)) ?? [];
  const keyOf = once((block: Block) => JSON.stringify(inBlock(block)));
  const scoreOf = (tree?: number): number => order.direction * valueOfTree(order, tree);
  return {
    variables: [],
    key: `${order.kind}${order.direction}`,
    boundBySharing: null,
    keyIn: keyOf,
    writeTreeBounds(block, bounds) {
      bounds.fill(scoreOf());
      for (const [tree] of inBlock(block)) bounds[tree - block.firstTree] = scoreOf(tree);
    },
    boundOfTree: ({ treeIndex }) => scoreOf(treeIndex),
    preferences: ({ providers }) => providers.map(() => 0),
    boundAt({ treeIndex }) {
      const bound = scoreOf(treeIndex);
      return { move: () => undefined, best: () => bound };
    },
  };
});
