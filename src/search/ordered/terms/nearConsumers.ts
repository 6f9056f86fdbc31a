import { addToGroup } from '../../../model/collections.js';
import { blockNumber, type Block } from '../../../fleet/snapshot.js';
import type { Term } from './term.js';

/** The number of listed consumers in the tree of a candidate. */
export function nearConsumers(trees: ReadonlyMap<number, number>): Term {
  /** By block: its trees with their numbers of listed consumers. */
  const blocks = new Map<number, [tree: number, count: number][]>();
  for (const tree of trees) addToGroup(blocks, blockNumber(tree[0]), tree);
  const inBlock = ({ firstTree }: Block) => blocks.get(blockNumber(firstTree)) ?? [];
  return {
    variables: [],
    key: '',
    boundBySharing: null,
    keyIn: (block) => JSON.stringify(inBlock(block)),
    writeTreeBounds(block, bounds) {
      bounds.fill(0);
      for (const [tree, count] of inBlock(block)) bounds[tree - block.firstTree] = count;
    },
    boundOfTree: ({ treeIndex }) => trees.get(treeIndex) ?? 0,
    preferences: ({ providers }) => providers.map(() => 0),
    boundAt({ treeIndex }) {
      const bound = trees.get(treeIndex) ?? 0;
      return { move: () => undefined, best: () => bound };
    },
  };
}
