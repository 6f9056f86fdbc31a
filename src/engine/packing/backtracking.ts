import {
  allocationsOf,
  type Assignment,
  type Candidate,
  type CandidateAllocation,
} from '../model/candidate.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import type { Snapshot } from '../model/snapshot.js';
import { claimsOf } from '../headroom/bounds.js';
import { withAllocated } from '../overlay/snapshotOverlay.js';
import type { Anchor } from '../search/anchor.js';
import { Descent } from '../search/descent.js';

/** A tree, with an upper bound of the consumers that it can take. */
export interface PackableTree {
  readonly treeIndex: number;
  readonly bound: number;
}

export interface BacktrackingOptions {
  readonly wanted: number;
  readonly isDistinct: boolean;
  /** The maximum number of nodes after the first step back. */
  readonly nodeLimit: number;
  readonly anchorIn: (snapshot: Snapshot, treeIndex: number) => Anchor | null;
}

interface Node {
  readonly snapshot: Snapshot;
  /** The position of the tree for the next consumer. */
  position: number;
  /** The untried candidates at that tree; null before it is visited. */
  descent: Descent | null;
  readonly allocated: ReadonlyMap<string, number>;
}

/**
 * Searches depth first for the maximum number of consumers that some trees can take together.
 * Prunes nodes whose upper bound cannot beat the best so far. Prunes nodes that differ from an
 * earlier node only in which consumer has which allocations.
 */
export class Backtracking {
  nodes = 0;
  private best: readonly Candidate[] = [];
  private readonly placed: Candidate[] = [];
  private readonly path: Node[];
  private readonly visited = new Set<string>();
  /** By position: the sum of the bounds of the trees from this position on. */
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
    for (const { descent } of this.path) descent?.release();
    return this.best;
  }

  private stepBack(): void {
    this.path.pop()?.descent?.release();
    this.placed.pop();
    this.hasSteppedBack = true;
  }

  /** Returns null if the tree cannot take enough consumers to beat the best so far. */
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

  /** Returns whether the same allocations occurred before with the same trees left. */
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

/** Returns an upper bound of the consumers in a tree: each consumer needs every variable. */
export function upperBound(plan: Plan, { providers, domains }: Anchor): number {
  const bounds = plan.variables.map(({ canSplit }, variable) =>
    canSplit
      ? Infinity
      : domains[variable].reduce((sum, at) => sum + claimsOf(providers[at], plan, variable), 0),
  );
  return Math.min(...bounds);
}

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
