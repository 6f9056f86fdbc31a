import type { Effort } from '../../model/operation/waiting.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import { blockNumber, treeOf, type Snapshot } from '../../fleet/snapshot.js';
import type { Plan } from '../../search/plan.js';
import { TreeFilter, type TreeSet } from '../../search/treeFilter.js';
import { AllocatedOverlay } from '../../search/overlay/snapshotOverlay.js';
import { inventoryAmounts, sized, type SizedConsumer } from './inventoryAmounts.js';
import { treesOf, type RebalanceMove, type RebalanceProblem } from './problem.js';
import { usedIn, Values } from './values.js';

/** The maximum number of hosts that a search tests one by one. For more hosts it goes through the fleet. */
const MAX_LISTED_HOSTS = 1_024;

/** The allocations of all consumers and the value of each tree. Makes moves and undoes them. */
export class FleetState {
  readonly overlay: AllocatedOverlay;
  readonly moves: RebalanceMove[] = [];
  readonly values: Values;
  /** The present allocations, by consumer. */
  private readonly allocations: (readonly CandidateAllocation[])[];
  private readonly consumersOfTree = new Map<number, Set<number>>();
  private readonly valueOfTree = new Map<number, number>();
  /** By block: the usage without the allocations of movable consumers. */
  private readonly fixed = new Map<number, Float64Array>();
  private readonly movable: Uint8Array;
  /** The trees that are not hosts. */
  readonly outside: TreeSet;
  /** The hosts if a search can test them one by one; null: they are too many. */
  private readonly listedHosts: readonly number[] | null;

  private constructor(readonly problem: RebalanceProblem) {
    this.overlay = new AllocatedOverlay(problem.snapshot);
    this.values = new Values(problem);
    this.allocations = problem.consumers.map(({ allocations }) => allocations);
    this.movable = new Uint8Array(problem.consumers.length);
    const hosts = new Set(problem.hosts);
    this.outside = { has: (treeIndex) => !hosts.has(treeIndex) };
    this.listedHosts = hosts.size <= MAX_LISTED_HOSTS ? problem.hosts : null;
  }

  /** Reads the consumers and the trees. A consumer whose usage the snapshot does not contain never moves. */
  static *of(problem: RebalanceProblem, effort: Effort): Generator<void, FleetState> {
    const state = new FleetState(problem);
    for (const [consumer, { allocations, canMove }] of problem.consumers.entries()) {
      effort.otherWork += 2;
      if (effort.isUsedUp) yield;
      for (const tree of treesOf(allocations)) state.consumersOn(tree).add(consumer);
      if (!canMove) continue;
      state.movable[consumer] = 1;
      state.addFixed(allocations, -1);
    }
    for (const [consumer, { allocations }] of problem.consumers.entries()) {
      effort.otherWork++;
      if (effort.isUsedUp) yield;
      if (!state.canMove(consumer) || !state.isUnexplained(allocations)) continue;
      state.movable[consumer] = 0;
      state.addFixed(allocations, 1);
    }
    for (const host of problem.hosts) {
      effort.providersExamined++;
      if (effort.isUsedUp) yield;
      state.measure(host);
    }
    return state;
  }

  /** Restricts a plan to some hosts. Defaults to all, which searches outside of `outside` imply if they are many. */
  planWithin(plan: Plan, among = this.listedHosts): Plan {
    if (among === null) return plan;
    const { near } = plan.trees;
    const anchors = new Set(among.filter((host) => near?.has(host) ?? true));
    return { ...plan, trees: { ...plan.trees, near: anchors } };
  }

  /** Returns a filter of the hosts without the excluded ones. The plan must be restricted by `planWithin`. */
  filterFor(snapshot: Snapshot, plan: Plan, excluded?: TreeSet): TreeFilter {
    const has = (tree: number): boolean => this.outside.has(tree) || (excluded?.has(tree) ?? false);
    return new TreeFilter(snapshot, plan, { has });
  }

  get movableConsumers(): number[] {
    return [...this.problem.consumers.keys()].filter((consumer) => this.canMove(consumer));
  }

  get hasMovable(): boolean {
    return this.movable.includes(1);
  }

  canMove(consumer: number): boolean {
    return this.movable[consumer] === 1;
  }

  /** The consumers with allocations in a tree. */
  consumersOn(treeIndex: number): Set<number> {
    let consumers = this.consumersOfTree.get(treeIndex);
    if (consumers === undefined) this.consumersOfTree.set(treeIndex, (consumers = new Set()));
    return consumers;
  }

  allocationsOf(consumer: number): readonly CandidateAllocation[] {
    return this.allocations[consumer];
  }

  sized(consumer: number): SizedConsumer {
    return sized(this.problem.snapshot, consumer, this.allocations[consumer]);
  }

  readonly positions = (consumer: number): readonly CandidateAllocation[] => this.allocations[consumer];

  valueOf(treeIndex: number): number {
    return this.valueOfTree.get(treeIndex) ?? 0;
  }

  /** The value of all hosts. */
  get value(): number {
    let value = 0;
    for (const one of this.valueOfTree.values()) value = this.values.combine(value, one);
    return value;
  }

  /** Returns whether non-sharing providers of a tree have usage other than by movable consumers. */
  hasFixedUsage(treeIndex: number): boolean {
    const { block, start, end } = treeOf(this.problem.snapshot, treeIndex);
    const fixed = this.fixedIn(blockNumber(treeIndex));
    for (let row = start; row < end; row++) {
      if (block.sharing[row] === 1) continue;
      for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
        if (fixed[at] > 0) return true;
    }
    return false;
  }

  /** Returns the usage of a block without the allocations of movable consumers. */
  fixedIn(block: number): Float64Array {
    let fixed = this.fixed.get(block);
    if (fixed === undefined)
      this.fixed.set(block, (fixed = this.problem.snapshot.blocks[block].used.slice()));
    return fixed;
  }

  /** Moves a consumer whose present allocations are released. */
  finishMove(consumer: number, to: readonly CandidateAllocation[]): void {
    this.moves.push({ consumer, from: this.allocations[consumer], to });
    this.settle(consumer, to);
  }

  /** Frees the allocations of a consumer for a search. `finishMove` or `restore` must follow. */
  release(consumer: number): void {
    this.allocate(this.allocations[consumer], -1);
  }

  restore(consumer: number): void {
    this.allocate(this.allocations[consumer], 1);
  }

  /** Undoes the last moves until `count` are left. */
  undoTo(count: number): void {
    while (this.moves.length > count) {
      const { consumer, from } = this.moves.pop()!;
      this.release(consumer);
      this.settle(consumer, from);
    }
  }

  private settle(consumer: number, to: readonly CandidateAllocation[]): void {
    const from = this.allocations[consumer];
    this.allocate(to, 1);
    for (const tree of treesOf(from)) this.consumersOn(tree).delete(consumer);
    for (const tree of treesOf(to)) this.consumersOn(tree).add(consumer);
    this.allocations[consumer] = to;
    for (const tree of treesOf([...from, ...to])) if (this.valueOfTree.has(tree)) this.measure(tree);
  }

  private measure(treeIndex: number): void {
    this.valueOfTree.set(treeIndex, this.values.of(treeIndex, usedIn(this.overlay)));
  }

  private allocate(allocations: readonly CandidateAllocation[], sign: 1 | -1): void {
    for (const allocation of allocations) this.overlay.allocate(allocation, sign);
  }

  private addFixed(allocations: readonly CandidateAllocation[], sign: 1 | -1): void {
    for (const { blockNumber: block, at, amount } of inventoryAmounts(this.problem.snapshot, allocations))
      this.fixedIn(block)[at] += sign * amount;
  }

  private isUnexplained(allocations: readonly CandidateAllocation[]): boolean {
    const amounts = inventoryAmounts(this.problem.snapshot, allocations);
    return amounts.some(({ blockNumber: block, at }) => this.fixedIn(block)[at] < 0);
  }
}
