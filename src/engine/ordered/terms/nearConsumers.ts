import { addToGroup } from '../../../domain/collections.js';
import { blockNumber, type Block, type Tree } from '../../model/snapshot.js';
import type { Anchor } from '../../search/anchor.js';
import type { Term, TermBound } from './term.js';

/** The number of listed consumers in the tree of a candidate. */
export class NearConsumers implements Term {
  readonly variables = [];
  readonly key = '';
  readonly boundBySharing = null;
  /** By block: its trees with their numbers of listed consumers. */
  private readonly blocks = new Map<number, [tree: number, count: number][]>();

  constructor(private readonly trees: ReadonlyMap<number, number>) {
    for (const tree of trees) addToGroup(this.blocks, blockNumber(tree[0]), tree);
  }

  keyIn(block: Block): string {
    return JSON.stringify(this.inBlock(block));
  }

  writeTreeBounds(block: Block, bounds: Float64Array): void {
    bounds.fill(0);
    for (const [tree, count] of this.inBlock(block)) bounds[tree - block.firstTree] = count;
  }

  private inBlock({ firstTree }: Block): readonly [tree: number, count: number][] {
    return this.blocks.get(blockNumber(firstTree)) ?? [];
  }

  boundOfTree({ treeIndex }: Tree): number {
    return this.trees.get(treeIndex) ?? 0;
  }

  preferences({ providers }: Pick<Anchor, 'providers'>): number[] {
    return providers.map(() => 0);
  }

  boundAt({ treeIndex }: Anchor): TermBound {
    const bound = this.trees.get(treeIndex) ?? 0;
    return { move: () => undefined, best: () => bound };
  }
}
