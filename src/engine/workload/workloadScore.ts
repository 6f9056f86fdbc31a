import type { AllocatedOverlay } from '../overlay/snapshotOverlay.js';
import { freeAt, inventoryAt, blockNumber } from '../model/snapshot.js';
import { placementsIn, type Step } from './placementState.js';
import type { Problem } from './problem.js';

/**
 * Returns the score of placed members: by member and entry of its order, the sum over its consumers of the
 * fraction that their providers of the class have free after the whole workload; larger is better, negated
 * for PACK.
 */
export function workloadScore(
  { members, alternatives }: Problem,
  steps: readonly Step[],
  { blocks }: Pick<AllocatedOverlay, 'blocks'>,
): number[] {
  const placements = placementsIn(steps);
  return [...members.keys()].flatMap((member) => {
    const own = placements.filter((one) => one.member === member);
    if (own.length === 0) return [];
    const { orderBy } = alternatives[member][own[0].alternative]!.plan;
    return orderBy.map(({ resourceClass, direction }) => {
      const fractions = own.map(({ allocations }) => {
        let free = 0;
        let capacity = 0;
        for (const { provider, resources } of allocations) {
          if (resources.every((one) => one.resourceClass !== resourceClass)) continue;
          const block = blocks[blockNumber(provider.treeIndex)];
          const at = inventoryAt(block, provider.row, resourceClass);
          free += freeAt(block, at);
          capacity += block.capacities[at];
        }
        return free / capacity;
      });
      // Sorted, so that equal sets of fractions have equal sums.
      return direction * fractions.sort((a, b) => a - b).reduce((sum, one) => sum + one, 0);
    });
  });
}
