import { classIndexOf } from '../model/classIndex.js';
import type { Block, BlockIndex, Snapshot } from '../model/snapshot.js';
import { SnapshotOverlay } from './snapshotOverlay.js';

/** The same offer with nothing allocated. Nothing but an empty column is made before a block is looked at. */
export function withoutAllocations(snapshot: Snapshot): Snapshot {
  const longest = snapshot.blocks.reduce((most, { used }) => Math.max(most, used.length), 0);
  const nothing = new Float64Array(longest);
  return new SnapshotOverlay(
    snapshot,
    snapshot.blocks.map((block) => emptiedBlock(block, nothing)),
  );
}

function emptiedBlock({ index, ...columns }: Block, nothing: Float64Array): Block {
  const unused = { ...columns, used: nothing.subarray(0, columns.used.length) };
  let classes: BlockIndex['classes'] | undefined;
  return {
    ...unused,
    index: {
      get classes() {
        return (classes ??= classIndexOf(unused));
      },
      traits: index.traits,
      aggregates: index.aggregates,
    },
  };
}
