import { classIndexOf } from '../model/classIndex.js';
import type { Block, BlockIndex, Snapshot } from '../model/snapshot.js';
import { SnapshotOverlay } from './snapshotOverlay.js';

/** The same inventories without allocations. The index of a block is built when it is first read. */
export function withoutAllocations(snapshot: Snapshot): Snapshot {
  const longest = snapshot.blocks.reduce((most, { used }) => Math.max(most, used.length), 0);
  const zeros = new Float64Array(longest);
  return new SnapshotOverlay(
    snapshot,
    snapshot.blocks.map((block) => unallocated(block, zeros)),
  );
}

function unallocated({ index, ...columns }: Block, zeros: Float64Array): Block {
  const unused = { ...columns, used: zeros.subarray(0, columns.used.length) };
  let classes: BlockIndex['classes'] | undefined;
  return {
    ...unused,
    index: {
      ...index,
      bestBounds: new Map(),
      get classes() {
        return (classes ??= classIndexOf(unused));
      },
    },
  };
}
