import {
  allocationsOf,
  type Assignment,
  type Candidate,
  type CandidateAllocation,
} from '../model/candidate.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import type { Snapshot } from '../model/snapshot.js';
import { claimsOf } from '../headroom/claimBounds.js';
import { withAllocated } from '../overlay/allocatedOverlay.js';
import type { Anchor } from '../search/anchor.js';
import { Descent } from '../search/descent.js';

/** A tree that could take a consumer, and an upper bound of how many. */
export interface PackableTree {
  readonly treeIndex: number;
  readonly bound: number;
}

export interface BacktrackingOptions {
  /** How many consumers are wanted at the most. */
  readonly wanted: number;
  /** Whether each tree takes one consumer at the most. */
  readonly isDistinct: boolean;
  /** How many nodes may be visited after the first step back. */
  readonly nodeLimit: number;
  readonly anchorIn: (snapshot: Snapshot, treeIndex: number) => Anchor | null;
}

/** A node of the search tree: what is left to try after some consumers were placed. */
interface Node {
  readonly snapshot: Snapshot;
  /** The position of the tree that the next consumer is tried at. */
  position: number;
  /** The candidates at that tree that were not tried yet; null before it is visited. */
  descent: Descent | null;
  /** What the placed consumers allocate, by provider and class. */
  readonly allocated: ReadonlyMap<string, number>;
}

/**
 * A backtracking search for the most consumers that some trees can take together: depth first, trees in their
 * order, each filled before the next. It prunes nodes that by their upper bound cannot beat the best so far
 * (branch and bound), and those that differ from an earlier one only in which consumer has what.
 */
export class Backtracking {
  /** Nodes visited since the first step back. */
  nodes = 0;
  /** The most consumers placed together so far. */
  private best: readonly Candidate[] = [];
  private readonly placed: Candidate[] = [];
  private readonly path: Node[];
  private readonly visited = new Set<string>();
  /** By position the sum of the bounds of the trees from there on. */
  private readonly boundsFrom: readonly number[];
  private hasSteppedBack = false;

  constructor(
    private readonly plan: Plan,
    snapshot: Snapshot,
    private readonly trees: readonly PackableTree[],
    private readonly effort: Effort,
    private readonly options: BacktrackingOptions,
  ) {
    this.path = [{ snapshot, position: 0, descent: null, allocated: new Map() }];
    this.boundsFrom = sumsFrom(trees);
  }

  /** Whether the limit of nodes ended the search. */
  get isCutOff(): boolean {
    return this.nodes > this.options.nodeLimit;
  }

  *run(): Generator<void, readonly Candidate[]> {
    while (this.path.length > 0 && this.best.length < this.options.wanted) {
      const node = this.path[this.path.length - 1];
      if (this.placed.length + this.boundsFrom[node.position] <= this.best.length) {
        this.stepBack();
        continue;
      }
      node.descent ??= this.descentAt(node);
      const choice = node.descent?.next() ?? EXHAUSTED;
      if (choice === EXHAUSTED) {
        node.position++;
        node.descent = null;
        continue;
      }
      if (choice !== PAUSED && this.hasSteppedBack) this.nodes++;
      if (this.isCutOff) break;
      yield;
      if (choice !== PAUSED) this.place(node, choice);
    }
    return this.best;
  }

  private stepBack(): void {
    this.path.pop()?.descent?.release();
    this.placed.pop();
    this.hasSteppedBack = true;
  }

  /** Null where the tree cannot take as many as it needs to beat the best so far. */
  private descentAt({ snapshot, position }: Node): Descent | null {
    const toBeat = this.best.length - this.placed.length - this.boundsFrom[position + 1];
    const anchor = this.options.anchorIn(snapshot, this.trees[position].treeIndex);
    return anchor === null || upperBound(this.plan, anchor) <= toBeat
      ? null
      : new Descent(this.plan, anchor, this.effort);
  }

  private place(node: Node, assignments: readonly Assignment[]): void {
    const allocations = allocationsOf(this.plan, { assignments });
    const allocated = sumOf(node.allocated, allocations);
    const position = node.position + (this.options.isDistinct ? 1 : 0);
    if (this.isVisited(position, allocated)) return;
    this.placed.push({ assignments });
    if (this.placed.length > this.best.length) this.best = [...this.placed];
    const snapshot = withAllocated(node.snapshot, allocations);
    this.path.push({ snapshot, position, descent: null, allocated });
  }

  /** Whether the same was allocated before with the same trees left. */
  private isVisited(position: number, allocated: ReadonlyMap<string, number>): boolean {
    const key = [
      position,
      ...Array.from(allocated, ([inventory, sum]) => `${inventory} ${sum}`).sort(),
    ].join();
    if (this.visited.has(key)) return true;
    this.visited.add(key);
    return false;
  }
}

/** No more consumers than this: each needs every variable, and its providers can serve that only so often. */
export function upperBound(plan: Plan, { providers, domains }: Anchor): number {
  const bounds = plan.variables.map(({ canSplit }, variable) =>
    canSplit
      ? Infinity
      : domains[variable].reduce((sum, at) => sum + claimsOf(providers[at], plan, variable), 0),
  );
  return Math.min(...bounds);
}

/** By position the sum of the bounds from there on; 0 behind the last. */
function sumsFrom(trees: readonly PackableTree[]): number[] {
  const sums = [0];
  for (const { bound } of trees.toReversed()) sums.push(sums[sums.length - 1] + bound);
  return sums.reverse();
}

function sumOf(
  allocated: ReadonlyMap<string, number>,
  allocations: readonly CandidateAllocation[],
): Map<string, number> {
  const sums = new Map(allocated);
  for (const { provider, resources } of allocations) {
    for (const { resourceClass, amount } of resources) {
      const key = `${provider.block.ids[provider.row]} ${resourceClass}`;
      sums.set(key, (sums.get(key) ?? 0) + amount);
    }
  }
  return sums;
}
