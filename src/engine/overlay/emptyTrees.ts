import { treeOf, type Snapshot } from '../model/snapshot.js';

/** The trees without any allocation. The owner of the snapshot calls `update` after a change in a tree. */
export class EmptyTrees {
  readonly all = new Set<number>();

  constructor(private readonly snapshot: Snapshot) {
    for (let treeIndex = 0; treeIndex < snapshot.treeCount; treeIndex++) this.update(treeIndex);
  }

  update(treeIndex: number): void {
    const { block, start, end } = treeOf(this.snapshot, treeIndex);
    const used = block.used.subarray(block.inventoryStarts[start], block.inventoryStarts[end]);
    if (used.every((amount) => amount === 0)) this.all.add(treeIndex);
    else this.all.delete(treeIndex);
  }
}
