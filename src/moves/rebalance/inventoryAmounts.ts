import { unitsFit } from '../../model/input.js';
import { countersOf } from '../../fleet/consumption.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import { blockNumber, inventoryAt, type Block, type Snapshot } from '../../fleet/snapshot.js';

interface InventoryAmount {
  readonly block: Block;
  readonly blockNumber: number;
  readonly row: number;
  /** The position of the inventory in the columns of the block. */
  readonly at: number;
  readonly resourceClass: number;
  readonly amount: number;
}

/** Returns the amounts of allocations, each with its inventory. */
export function inventoryAmounts(
  { blocks }: Pick<Snapshot, 'blocks'>,
  allocations: readonly CandidateAllocation[],
): InventoryAmount[] {
  return allocations.flatMap(({ provider: { treeIndex, row }, resources }) => {
    const number = blockNumber(treeIndex);
    const block = blocks[number];
    return resources.map(({ resourceClass, amount }) => {
      const at = inventoryAt(block, row, resourceClass);
      return { block, blockNumber: number, row, at, resourceClass, amount };
    });
  });
}

/** Returns whether less of a counter is stated than the amounts consume: another program wrote them. */
export function lacksCounters(amounts: readonly InventoryAmount[]): boolean {
  const consumed = amounts.flatMap(({ block, at, amount }) =>
    countersOf(block, at).map((one) => ({ block, at: one.counter, amount: amount * one.amount })),
  );
  return consumed.some(({ block, at }) => {
    const sumIn = (all: readonly Pick<InventoryAmount, 'block' | 'at' | 'amount'>[]): number =>
      all.reduce((sum, one) => (one.block === block && one.at === at ? sum + one.amount : sum), 0);
    return sumIn(amounts) < sumIn(consumed);
  });
}

/** A consumer, and the class of its allocation with the largest share of a provider's capacity. */
export interface SizedConsumer {
  readonly consumer: number;
  /** -1 if the consumer has only sharing providers. */
  readonly resourceClass: number;
  readonly share: number;
}

export function sized(
  snapshot: Snapshot,
  consumer: number,
  allocations: readonly CandidateAllocation[],
): SizedConsumer {
  let largest = { consumer, resourceClass: -1, share: 0 };
  for (const { block, row, at, resourceClass, amount } of inventoryAmounts(snapshot, allocations)) {
    const share = amount / Math.max(1, block.capacities[at]);
    if (block.sharing[row] === 0 && share > largest.share) largest = { consumer, resourceClass, share };
  }
  return largest;
}

/** Returns whether the units and the allowed usage of each inventory allow the amount. */
export function areUnitsMet(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): boolean {
  return inventoryAmounts(snapshot, allocations).every(
    ({ block: { allowed, minUnits, maxUnits, stepSizes }, at, amount }) =>
      amount <= allowed[at] && unitsFit(amount, minUnits[at], maxUnits[at], stepSizes[at]),
  );
}
