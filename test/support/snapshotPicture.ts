import { inventoryAt, type Snapshot } from '../../src/fleet/snapshot.js';

/** Returns the content of a full load of the database, without indices that depend on history. */
export function pictureOf(snapshot: Snapshot): object[] {
  return snapshot.blocks
    .flatMap((block) =>
      block.uuids.map((uuid, row) => ({
        uuid,
        name: block.names[row],
        generation: block.generations[row],
        parent: block.parents[row] < 0 ? null : block.uuids[block.parents[row]],
        root: block.uuids[block.treeStarts[block.trees[row]]],
        stock: [...block.classes.subarray(block.inventoryStarts[row], block.inventoryStarts[row + 1])].map(
          (id) => [
            snapshot.classes.nameOf(id),
            block.capacities[inventoryAt(block, row, id)],
            block.used[inventoryAt(block, row, id)],
          ],
        ),
        traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])]
          .map((id) => snapshot.traits.nameOf(id))
          .sort(),
        aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])]
          .map((id) => snapshot.aggregates.nameOf(id))
          .sort(),
      })),
    )
    .sort((a, b) => a.uuid.localeCompare(b.uuid));
}
