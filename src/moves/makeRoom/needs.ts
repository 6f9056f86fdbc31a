import { addToGroup } from '../../model/collections.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { blockNumber, treeOf, type Block, type Snapshot } from '../../fleet/snapshot.js';
import { TreeFilter } from '../../search/treeFilter.js';
import { inventoryAmounts } from '../rebalance/inventoryAmounts.js';
import type { UsedColumns } from '../rebalance/values.js';
import type { PlannedMember } from '../workload/workload.js';
import type { TreeClaims } from './treeClaims.js';

/** The maximum number of missing consumers for which the moves out of each tree are counted. */
const MAX_COUNTED = 16;

/** The maximum number of inventories of a class whose free amounts are added up. */
const MAX_SHARED = 256;

/** A request of a member: the sums of the classes that the anchor tree must have, and the trees that may serve it. */
interface Demand {
  readonly request: number;
  /** Whether sharing providers of other trees may serve a part, which no sum of a tree counts. */
  readonly isShareable: boolean;
  /** What sharing providers may serve. Classes with many inventories are omitted. */
  readonly shared: readonly SharedAmount[];
  readonly amounts: ReadonlyMap<number, number>;
  readonly trees: ReadonlySet<number>;
  readonly plan: Plan;
  readonly filter: TreeFilter;
}

interface SharedAmount {
  readonly amount: number;
  /** All inventories of the class, also of providers that share nothing. */
  readonly inventories: readonly { readonly block: Block; readonly number: number; readonly at: number }[];
}

interface Need extends Pick<PlannedMember, 'count' | 'placement'> {
  readonly demands: readonly Demand[];
}

/** A state of the fleet during the moves. */
export interface FleetUsage {
  readonly used: UsedColumns;
  /** Returns the allocations of the movable consumers in a tree. */
  readonly moversOn: (treeIndex: number) => readonly (readonly CandidateAllocation[])[];
  /** Counts the providers of each tree. Absent: only the sums of each tree count. */
  readonly treeClaims?: TreeClaims;
  /**
   * Returns the move of another consumer that the relations of a request need before a tree takes one of its consumers.
   * ENTERS: of one that uses nothing in the tree. LEAVES: of one that does. Absent: none.
   */
  readonly firstMove?: (at: PossibleTree) => 'ENTERS' | 'LEAVES' | null;
}

/** A tree that may take a consumer of a member by a request. */
export interface PossibleTree {
  readonly member: number;
  readonly request: number;
  readonly tree: number;
}

/** The sums of classes that a tree lacks for one more consumer of the workload. */
interface Deficit {
  readonly tree: number;
  readonly missing: ReadonlyMap<number, number>;
}

/** Lower bounds of the moves after which a workload can fit, from the sums of each tree and class. */
export class Needs {
  /** By block and inventory: the allocations of the workload's own consumers. */
  private readonly heldColumns = new Map<number, Map<number, number>>();

  /** @param held the allocations of the workload's own consumers */
  private constructor(
    private readonly snapshot: Snapshot,
    private readonly needs: readonly Need[],
    private readonly held: readonly CandidateAllocation[],
  ) {
    for (const { blockNumber: block, at, amount } of inventoryAmounts(snapshot, held)) {
      const column = this.heldColumns.get(block) ?? new Map<number, number>();
      this.heldColumns.set(block, column.set(at, (column.get(at) ?? 0) + amount));
    }
  }

  /** @param emptied the fleet without the movable consumers and the workload's own */
  static *of(
    snapshot: Snapshot,
    emptied: Snapshot,
    members: readonly Pick<PlannedMember, 'count' | 'placement' | 'plans'>[],
    held: readonly CandidateAllocation[],
    effort: Effort,
  ): Generator<void, Needs> {
    const needs: Need[] = [];
    for (const { count, placement, plans } of members) {
      const demands: Demand[] = [];
      for (const [request, plan] of plans.entries()) {
        if (plan === null) continue;
        const filter = new TreeFilter(emptied, plan);
        const trees = new Set<number>();
        for (let tree = 0; tree < snapshot.treeCount; tree++) {
          if (filter.allows(tree)) trees.add(tree);
          effort.treesTested++;
          if (effort.isUsedUp) yield;
        }
        demands.push({
          request,
          isShareable: filter.shareable.includes(true),
          shared: sharedAmounts(snapshot, plan, filter),
          amounts: amountsOf(plan, filter),
          trees,
          plan,
          filter,
        });
      }
      needs.push({ count, placement, demands });
    }
    return new Needs(snapshot, needs, held);
  }

  /**
   * Returns the needs without some trees.
   *
   * @param mayTake whether a tree may take a consumer of a member by a request, beside allocations of others
   */
  restricted(
    mayTake: (at: PossibleTree, beside: (allocations: readonly CandidateAllocation[]) => boolean) => boolean,
    treeClaims: TreeClaims,
  ): Needs {
    const needs = this.needs.map((need, member) => ({
      ...need,
      demands: need.demands.map((demand) => {
        const { request, trees, plan, filter, isShareable } = demand;
        const left = [...trees].filter((tree) =>
          mayTake({ member, request, tree }, (others) => {
            const claims = isShareable ? null : treeClaims.of(tree, plan, filter, [others]);
            return claims === null || claims[0] > 0;
          }),
        );
        return { ...demand, trees: new Set(left) };
      }),
    }));
    return new Needs(this.snapshot, needs, this.held);
  }

  /** Returns whether sharing providers may serve a part of the workload. */
  get isShareable(): boolean {
    return this.needs.some(({ demands }) => demands.some((demand) => demand.isShareable));
  }

  /** Returns a number of moves without which the workload cannot fit. Infinity: it never fits. */
  leastMoves(usage: FleetUsage): number {
    let least = 0;
    for (const [member, need] of this.needs.entries()) {
      const each = need.demands.map((demand) => this.leastMovesBy(member, need, demand, usage));
      least = Math.max(least, Math.min(Infinity, ...each));
    }
    return least;
  }

  /**
   * Returns whether the workload may fit without further moves. Unlike `leastMoves`, it ends at the first trees that
   * suffice: final states are enumerated in a third of the time.
   */
  mayFit(usage: FleetUsage): boolean {
    return this.needs.every((need, member) =>
      need.demands.some((demand) => this.mayTakeAll(member, need, demand, usage)),
    );
  }

  private mayTakeAll(member: number, { count, placement }: Need, demand: Demand, usage: FleetUsage): boolean {
    if (this.isShort(demand, count, usage)) return false;
    let ready = 0;
    for (const tree of demand.trees) {
      const first = usage.firstMove?.({ member, request: demand.request, tree }) ?? null;
      if (first !== null) continue;
      const [now] = this.claims(tree, demand, usage);
      if (placement === 'SAME_TREE') ready = now;
      else ready += placement === 'DISTINCT_TREES' ? Math.min(1, now) : now;
      if (ready >= count) return true;
    }
    return false;
  }

  /** Returns whether a tree may take a consumer of the workload without further moves. */
  mayTake(treeIndex: number, usage: FleetUsage): boolean {
    return this.needs.some(({ demands }) =>
      demands.some((demand) => demand.trees.has(treeIndex) && this.claims(treeIndex, demand, usage)[0] > 0),
    );
  }

  /** Yields what each tree lacks to take one more consumer; all consumers of a member that needs one tree. */
  *deficits(usage: FleetUsage): Generator<Deficit> {
    for (const { count, placement, demands } of this.needs)
      for (const demand of demands)
        for (const tree of demand.trees) {
          const [now] = this.claimsBySums(tree, demand.amounts, { ...usage, moversOn: () => [] });
          if (placement === 'DISTINCT_TREES' && now > 0) continue;
          const wanted = placement === 'SAME_TREE' ? count : now + 1;
          const missing = new Map<number, number>();
          for (const [resourceClass, amount] of demand.amounts) {
            const lack = wanted * amount - this.freeIn(tree, resourceClass, usage.used);
            if (lack > 0) missing.set(resourceClass, lack);
          }
          if (missing.size > 0) yield { tree, missing };
        }
  }

  /** All consumers of a member use the same request. */
  private leastMovesBy(
    member: number,
    { count, placement }: Need,
    demand: Demand,
    usage: FleetUsage,
  ): number {
    const most = placement === 'DISTINCT_TREES' ? 1 : count;
    // One move may let consumers into two trees: into the one that it enters and into the one that it leaves.
    const isOneTree = count === 1 || placement === 'SAME_TREE';
    /** How many consumers the trees may take without a move. */
    let ready = 0;
    /** By tree and number of moves out of it: how many consumers it may take. */
    const all: (readonly number[])[] = [];
    for (const tree of demand.trees) {
      const first = usage.firstMove?.({ member, request: demand.request, tree }) ?? null;
      const counted = this.claims(tree, demand, usage).map((one) => Math.min(most, one));
      const own = first === null || (first === 'ENTERS' && !isOneTree) ? counted : afterFirst(first, counted);
      if (first !== 'ENTERS') ready += own[0];
      all.push(own);
    }
    if (placement === 'SAME_TREE')
      return Math.min(
        Infinity,
        ...all.map((own) => own.findIndex((one) => one >= count)).filter((moves) => moves >= 0),
      );
    const missing = count - all.reduce((sum, [now]) => sum + now, 0);
    // The trees have enough, but a relation or the sum of a class may need a move.
    if (missing <= 0) return ready < count || this.isShort(demand, count, usage) ? 1 : 0;
    const mostTrees = mostTreesOfOne(demand.trees, usage);
    if (missing <= MAX_COUNTED) return Math.ceil(fewestMoves(missing, all) / mostTrees);
    let perMove = 0;
    for (const own of all)
      for (let moves = 1; moves < own.length; moves++)
        perMove = Math.max(perMove, Math.min(own[moves] - own[0], missing) / moves);
    return perMove === 0 ? Infinity : Math.ceil(missing / perMove / mostTrees - 1e-9);
  }

  /** Returns whether all providers together have too little of a class that sharing providers may serve. */
  private isShort({ shared }: Demand, count: number, { used }: FleetUsage): boolean {
    return shared.some(({ amount, inventories }) => {
      let free = 0;
      for (const { block, number, at } of inventories) {
        const held = this.heldColumns.get(number)?.get(at) ?? 0;
        free += Math.max(0, block.capacities[at] - used(number)[at] + held);
      }
      return free < count * amount;
    });
  }

  /** Returns, by number of moves out of a tree, an upper bound of the consumers that it takes. */
  private claims(treeIndex: number, demand: Demand, usage: FleetUsage): readonly number[] {
    const { isShareable, amounts, plan, filter } = demand;
    const counted = isShareable
      ? null
      : usage.treeClaims?.of(treeIndex, plan, filter, usage.moversOn(treeIndex));
    return counted ?? this.claimsBySums(treeIndex, amounts, usage);
  }

  private claimsBySums(
    treeIndex: number,
    amounts: ReadonlyMap<number, number>,
    { used, moversOn }: FleetUsage,
  ): number[] {
    const movers = moversOn(treeIndex);
    const claims = Array<number>(movers.length + 1).fill(Infinity);
    const byClass = new Map<number, number[]>();
    for (const allocations of movers)
      for (const [resourceClass, sum] of sumsIn(treeIndex, allocations))
        addToGroup(byClass, resourceClass, sum);
    for (const [resourceClass, amount] of amounts) {
      let free = this.freeIn(treeIndex, resourceClass, used);
      const freed = byClass.get(resourceClass)?.sort((a, b) => b - a) ?? [];
      for (let moves = 0; moves < claims.length; moves++) {
        if (moves > 0) free += freed[moves - 1] ?? 0;
        claims[moves] = Math.min(claims[moves], Math.floor(free / amount));
      }
    }
    return claims;
  }

  private freeIn(treeIndex: number, resourceClass: number, used: UsedColumns): number {
    const { block, start, end } = treeOf(this.snapshot, treeIndex);
    const number = blockNumber(treeIndex);
    const column = used(number);
    const held = this.heldColumns.get(number);
    let free = 0;
    for (let at = block.inventoryStarts[start]; at < block.inventoryStarts[end]; at++)
      if (block.classes[at] === resourceClass)
        free += Math.max(0, block.capacities[at] - column[at] + (held?.get(at) ?? 0));
    return free;
  }
}

/** Returns the number of the trees that one movable consumer uses, at most, at least 1. */
function mostTreesOfOne(trees: Iterable<number>, { moversOn }: FleetUsage): number {
  const numbers = new Map<readonly CandidateAllocation[], number>();
  let most = 1;
  for (const tree of trees)
    for (const mover of moversOn(tree)) {
      const number = (numbers.get(mover) ?? 0) + 1;
      numbers.set(mover, number);
      if (number > most) most = number;
    }
  return most;
}

/** Returns the claims by number of moves if none are possible before another move. */
function afterFirst(first: 'ENTERS' | 'LEAVES', claims: readonly number[]): readonly number[] {
  return first === 'ENTERS' ? [0, ...claims] : [0, ...claims.slice(1)];
}

/**
 * Returns the fewest moves after which trees take more consumers than now.
 *
 * @param claims by tree and number of moves out of it: the consumers that it may take
 */
function fewestMoves(more: number, claims: readonly (readonly number[])[]): number {
  /** By number of consumers, the last one for `more` and above. */
  let fewest = [0, ...Array<number>(more).fill(Infinity)];
  for (const own of claims) {
    const before = fewest;
    fewest = [...before];
    for (let moves = 1; moves < own.length; moves++) {
      const gain = own[moves] - own[0];
      if (gain === own[moves - 1] - own[0]) continue;
      for (let taken = 0; taken < more; taken++) {
        const sum = Math.min(more, taken + gain);
        fewest[sum] = Math.min(fewest[sum], before[taken] + moves);
      }
    }
  }
  return fewest[more];
}

/** Returns the sums of allocations in a tree by class. */
export function sumsIn(treeIndex: number, allocations: readonly CandidateAllocation[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { provider, resources } of allocations)
    if (provider.treeIndex === treeIndex)
      for (const { resourceClass, amount } of resources)
        sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return sums;
}

function sharedAmounts(snapshot: Snapshot, { variables }: Plan, { shareable }: TreeFilter): SharedAmount[] {
  const sums = new Map<number, number>();
  for (const { resources } of variables.filter((_, variable) => shareable[variable]))
    for (const { resourceClass, amount } of resources)
      sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return [...sums].flatMap(([resourceClass, amount]) => {
    const inventories = inventoriesOf(snapshot, resourceClass);
    return inventories === null ? [] : [{ amount, inventories }];
  });
}

/** Returns all inventories of a class; null if they are too many. */
function inventoriesOf({ blocks }: Snapshot, resourceClass: number): SharedAmount['inventories'] | null {
  const found: { block: Block; number: number; at: number }[] = [];
  for (const [number, block] of blocks.entries())
    for (let at = 0; at < block.classes.length; at++) {
      if (block.classes[at] !== resourceClass) continue;
      if (found.length === MAX_SHARED) return null;
      found.push({ block, number, at });
    }
  return found;
}

/** Returns the sums of a plan by class, without what sharing providers of other trees can serve. */
function amountsOf({ variables }: Plan, { shareable }: TreeFilter): Map<number, number> {
  const amounts = new Map<number, number>();
  variables.forEach(({ resources }, variable) => {
    if (shareable[variable]) return;
    for (const { resourceClass, amount } of resources)
      amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount);
  });
  return amounts;
}
