import { usedAt, type Snapshot } from '../../fleet/snapshot.js';
import { AllocatedOverlay, type Reallocation } from '../../search/overlay/snapshotOverlay.js';
import { inventoryAmounts } from '../rebalance/inventoryAmounts.js';

/**
 * Returns whether no move exceeds a capacity if the moves before are done. Former and new allocations both count until a
 * move ends; on an inventory that both use, the larger amount counts.
 */
export function isExecutable(snapshot: Snapshot, moves: readonly Reallocation[]): boolean {
  const overlay = new AllocatedOverlay(snapshot);
  return moves.every(({ from, to }) => {
    overlay.allocateAll(from, -1);
    const former = new Map(
      inventoryAmounts(overlay, from).map(({ blockNumber, at, amount }) => [`${blockNumber}.${at}`, amount]),
    );
    overlay.allocateAll(to);
    return inventoryAmounts(overlay, to).every(({ block, blockNumber, at, amount }) => {
      const left = Math.max(0, (former.get(`${blockNumber}.${at}`) ?? 0) - amount);
      return usedAt(block, at) + left <= block.capacities[at];
    });
  });
}
