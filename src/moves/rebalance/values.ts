import type { Effort } from '../../model/operation/waiting.js';
import {
  type Block,
  type Snapshot,
  blockNumber,
  excessAt,
  isReservedWhole,
  treeOf,
  usedAt,
} from '../../fleet/snapshot.js';
import type { RebalanceProblem } from './problem.js';

/** The used columns of the blocks, by block number. */
export type UsedColumns = (block: number) => Block['used'];

/** Measures how far a fleet is from a goal: smaller is better. */
export class Values {
  private readonly sums = new Map<number, { used: number; capacity: number }>();

  constructor(private readonly problem: Pick<RebalanceProblem, 'snapshot' | 'goal' | 'classes'>) {}

  /** Combines the values of trees: FREE_HOSTS and FIX count, EVEN_OUT takes the largest. */
  combine(value: number, other: number): number {
    return this.problem.goal === 'EVEN_OUT' ? Math.max(value, other) : value + other;
  }

  /** Returns the value of one tree. Sharing providers count for FIX only. */
  of(treeIndex: number, used: UsedColumns): number {
    const { snapshot, goal } = this.problem;
    const { block, start, end } = treeOf(snapshot, treeIndex);
    const column = used(blockNumber(treeIndex));
    if (goal === 'EVEN_OUT') return this.utilizationOf(block, start, end, column);
    let value = 0;
    for (let row = start; row < end; row++) {
      for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
        if (goal === 'FIX') value += excessAt(block, at, column) > 0 ? 1 : 0;
        else if (column[at] > 0 && block.sharing[row] === 0) return 1;
      }
    }
    return value;
  }

  /** Returns the class with the highest utilization of a tree, and its sums. The tree must have inventories. */
  fullestClass(treeIndex: number, used: UsedColumns) {
    const { block, start, end } = treeOf(this.problem.snapshot, treeIndex);
    const highest = this.utilizationOf(block, start, end, used(blockNumber(treeIndex)));
    const [resourceClass, sums] = [...this.sums].find(([, each]) => shareOf(each) === highest)!;
    return { resourceClass, ...sums };
  }

  private utilizationOf(block: Block, start: number, end: number, used: Block['used']): number {
    const { sums } = this;
    const { classes } = this.problem;
    sums.clear();
    for (let row = start; row < end; row++) {
      if (block.sharing[row] === 1) continue;
      for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
        const resourceClass = block.classes[at];
        if (classes !== null && !classes.has(resourceClass)) continue;
        if (isReservedWhole(block, at)) continue;
        const sum = sums.get(resourceClass) ?? { used: 0, capacity: 0 };
        sum.used += usedAt(block, at, used);
        sum.capacity += block.capacities[at];
        sums.set(resourceClass, sum);
      }
    }
    let highest = 0;
    for (const sum of sums.values()) highest = Math.max(highest, shareOf(sum));
    return highest;
  }
}

/** Returns the utilization. An inventory without capacity counts as capacity 1. */
function shareOf({ used, capacity }: { readonly used: number; readonly capacity: number }): number {
  return used / Math.max(1, capacity);
}

export function usedIn(snapshot: Pick<Snapshot, 'blocks'>): UsedColumns {
  return (block) => snapshot.blocks[block].used;
}

export interface FleetMetrics {
  readonly usedHosts: number;
  readonly maxUtilization: number;
  /** The number of inventories over capacity. */
  readonly overCapacity: number;
}

/** Measures a snapshot for all goals. Yields when its effort is used up. */
export function* metricsOf(
  snapshot: Snapshot,
  { hosts, classes }: Pick<RebalanceProblem, 'hosts' | 'classes'>,
  effort: Effort,
): Generator<void, FleetMetrics> {
  const used = usedIn(snapshot);
  const [free, even, fix] = (['FREE_HOSTS', 'EVEN_OUT', 'FIX'] as const).map(
    (goal) => new Values({ snapshot, goal, classes }),
  );
  const metrics = { usedHosts: 0, maxUtilization: 0, overCapacity: 0 };
  for (const host of hosts) {
    effort.providersExamined++;
    if (effort.isUsedUp) yield;
    metrics.usedHosts += free.of(host, used);
    metrics.maxUtilization = Math.max(metrics.maxUtilization, even.of(host, used));
    metrics.overCapacity += fix.of(host, used);
  }
  return metrics;
}
