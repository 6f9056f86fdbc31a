import { finishedSearch } from '../../search/candidateSearch.js';
import { commonDivisor } from '../../search/splitting/partitions.js';
import { amountOf, type Plan } from '../../search/plan.js';
import type { PlannedFreeShare, PlannedOrder } from '../../search/ordered/plannedOrder.js';
import { scoreByTerm, valueOf } from '../../search/ordered/terms/values.js';
import { blockOf, freeAt, inventoryAt, type Block } from '../../fleet/snapshot.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import type { Goal } from './goal.js';
import type { PlacementState } from './placementState.js';
import type { Problem } from './problem.js';
import { rounded } from './workloadScore.js';

/** The work (Effort.spent) of reading this number of inventories is one unit. */
const INVENTORIES_SHIFT = 3;

/**
 * An upper bound on the scores of all workloads that extend a placement: each other consumer counts with the best value
 * that one consumer alone can have.
 */
export class ScoreBound {
  private constructor(
    private readonly problem: Problem,
    /** By member: the plan of its request, and the best value of one consumer by term of its order. */
    private readonly members: readonly { readonly plan: Plan; readonly best: readonly number[] }[],
    /** By class: the divisor of all amounts that the members request. */
    private readonly divisors: ReadonlyMap<number, number>,
  ) {}

  /** Returns null if a member may use several requests, or if its order names consumers of the workload. */
  static *of(problem: Problem, { allowed }: Goal): Generator<void, ScoreBound | null> {
    if (allowed.some(({ length }) => length !== 1) || problem.relations.hasPreferences) return null;
    const plans = allowed.map(([alternative], member) => problem.alternatives[member][alternative]!.plan);
    const divisors = new Map<number, number>();
    for (const { resources, canSplit } of plans.flatMap(({ variables }) => variables))
      for (const { resourceClass, amount } of resources)
        divisors.set(
          resourceClass,
          canSplit ? 1 : commonDivisor(divisors.get(resourceClass) ?? amount, amount),
        );
    const bound = new ScoreBound(problem, [], divisors);
    const members: { plan: Plan; best: readonly number[] }[] = [];
    for (const plan of plans) members.push({ plan, best: yield* bound.bestOf(plan) });
    return new ScoreBound(problem, members, divisors);
  }

  /** Returns the bound, in the form of a score of the workload. */
  of({ placements, remaining, overlay, problem: { effort } }: PlacementState): number[] {
    effort.otherWork += placements.length;
    return this.members.flatMap(({ plan, best }, member) => {
      const own = placements.filter((one) => one.member === member);
      return plan.orderBy.map((order, term) => {
        const sum = own.reduce(
          (all, { allocations }) => all + this.valueAtBest(order, allocations, overlay),
          remaining[member] * best[term],
        );
        return order.direction * rounded(sum);
      });
    });
  }

  /** Returns the best value that a placed consumer can have after the workload. */
  private valueAtBest(
    order: PlannedOrder,
    allocations: readonly CandidateAllocation[],
    overlay: PlacementState['overlay'],
  ): number {
    // later consumers can use what a consumer took away
    if (order.kind === 'STRANDING') return 0;
    if (order.kind !== 'FREE_SHARE' || order.direction > 0) return valueOf(order, allocations, overlay);
    let free = 0;
    let capacity = 0;
    for (const { provider, resources } of allocations) {
      if (amountOf(resources, order.resourceClass) === 0) continue;
      const block = blockOf(overlay, provider.treeIndex);
      const at = inventoryAt(block, provider.row, order.resourceClass);
      free += this.leastFree(order, freeAt(block, at));
      capacity += block.capacities[at];
    }
    return free / capacity;
  }

  private leastFree({ resourceClass }: PlannedFreeShare, free: number): number {
    return Math.max(0, free) % this.divisors.get(resourceClass)!;
  }

  /** Returns the best values of one consumer. The terms before a PACK or STRANDING term are the best candidate's. */
  private *bestOf(plan: Plan): Generator<void, number[]> {
    const { snapshot } = this.problem;
    const isPacked = (order: PlannedOrder): boolean =>
      order.kind === 'STRANDING' || (order.kind === 'FREE_SHARE' && order.direction < 0);
    const first = plan.orderBy.findIndex(isPacked);
    const together = first < 0 ? plan.orderBy : plan.orderBy.slice(0, first);
    const best = yield* this.bestValues(plan, together);
    for (const order of plan.orderBy.slice(together.length))
      if (order.kind === 'STRANDING') best.push(0);
      else if (!isPacked(order)) best.push(...(yield* this.bestValues(plan, [order])));
      else best.push(yield* this.leastShare(order as PlannedFreeShare, plan, snapshot.blocks));
    return best;
  }

  private *bestValues(plan: Plan, orderBy: readonly PlannedOrder[]): Generator<void, number[]> {
    if (orderBy.length === 0) return [];
    const { snapshot, effort, seed } = this.problem;
    const own = { ...plan, orderBy: orderBy.map((order, at) => ({ ...order, positions: [at] })) };
    const { candidates } = yield* finishedSearch(
      snapshot,
      own,
      { limit: 1, stopsAtLimit: true, seed },
      effort,
    );
    return candidates.length === 0 ? orderBy.map(() => 0) : [...scoreByTerm(own, candidates[0])];
  }

  /** Returns the smallest share of a class that can stay free in an inventory that can take an amount of it. */
  private *leastShare(
    order: PlannedFreeShare,
    { variables }: Plan,
    blocks: readonly Block[],
  ): Generator<void, number> {
    const { effort } = this.problem;
    const amounts = variables.map(({ resources }) => amountOf(resources, order.resourceClass));
    const amount = Math.min(...amounts.filter((one) => one > 0));
    let least = 1;
    for (const block of blocks) {
      effort.otherWork += block.classes.length >> INVENTORIES_SHIFT;
      if (effort.isUsedUp) yield;
      if (!block.index.classes.has(order.resourceClass)) continue;
      for (let at = 0; at < block.classes.length && least > 0; at++) {
        const free = freeAt(block, at);
        if (block.classes[at] === order.resourceClass && free >= amount)
          least = Math.min(least, this.leastFree(order, free) / block.capacities[at]);
      }
    }
    return least;
  }
}
