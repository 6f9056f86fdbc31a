import type { Goal } from './goal.js';
import type { PlacementState } from './placementState.js';
import { NOWHERE, type Placement, type Step } from './steps.js';
import type { Problem } from './problem.js';
import { VisitedStates } from './visitedStates.js';

export type Outcome = 'FOUND' | 'IMPOSSIBLE' | 'UNDECIDED';

/** A goal, and what is known about the ways to reach it. */
export interface Limits extends Goal {
  /** The members in the order in which the search places them. */
  readonly order: readonly number[];
  /**
   * Returns the possible domains of an undecided SAME rule of a member, or the possible trees of a SAME_TREE
   * member. Null if nothing is left to choose before its consumers are placed.
   */
  readonly choicesFor: (state: PlacementState, member: number) => readonly Step[] | null;
  /** Returns false if no solution that extends a state is wanted. Absent: all are wanted. */
  readonly mayImprove?: (state: PlacementState) => boolean;
}

/**
 * Tries all ways to place the consumers, member after member, depth first. Skips states that differ
 * from a visited state only by an exchange of equal consumers, providers or trees.
 */
export class ExhaustiveSearch {
  private readonly visited: VisitedStates;

  /**
   * `onFound` is called with each solution in the state; the search continues while it returns true. With
   * `isScored`, two solutions also differ if unlike consumers exchange their providers.
   */
  constructor(
    private readonly problem: Problem,
    private readonly state: PlacementState,
    private readonly limits: Limits,
    private readonly onFound: (state: PlacementState) => boolean,
    private readonly isScored: boolean,
  ) {
    this.visited = new VisitedStates(state);
  }

  *run(): Generator<void, Outcome> {
    const { effort } = this.problem;
    const { state, limits } = this;
    if (limits.mayImprove?.(state) === false) return 'IMPOSSIBLE';
    const stopAt = effort.spent + limits.work;
    const path: Generator<Step | null, void>[] = [this.steps()];
    while (path.length > 0) {
      if (effort.isUsedUp) yield;
      if (effort.spent > stopAt) return 'UNDECIDED';
      const next = path[path.length - 1].next();
      if (next.done === true) {
        path.pop();
        if (path.length > 0) state.undo();
      } else if (next.value !== null) {
        const step = next.value;
        state.do(step);
        const isComplete = state.remaining.every((left) => left === 0);
        const isPlaced = step.kind === 'PLACE' || step.kind === 'SKIP';
        const mayComplete =
          (!isPlaced || state.mayComplete(step.member)) &&
          (isComplete || limits.mayImprove?.(state) !== false);
        if (isComplete && mayComplete && !this.onFound(state)) return 'FOUND';
        const isRepeated = isPlaced && this.visited.isRepeated(this.isScored);
        if (isComplete || !mayComplete || isRepeated) state.undo();
        else path.push(this.steps());
      }
    }
    return 'IMPOSSIBLE';
  }

  /** Yields the possible next steps; null to pause. */
  private *steps(): Generator<Step | null, void> {
    const open = this.limits.order.filter((member) => this.state.remaining[member] > 0);
    for (const member of this.problem.isSplit ? open : open.slice(0, 1)) yield* this.stepsOf(member);
  }

  private *stepsOf(member: number): Generator<Step | null, void> {
    const { state, limits } = this;
    const choices = limits.choicesFor(state, member);
    if (choices !== null) {
      const tried = new Set<string>();
      for (const choice of choices)
        if (choice.kind !== 'TREE' || !this.isTried(choice.treeIndex, tried)) yield choice;
      return;
    }
    const chosen = state.alternatives[member];
    for (const consumer of state.nextConsumers(member)) {
      for (const alternative of chosen === null ? limits.allowed[member] : [chosen]) {
        const tried = new Set<string>();
        const isAllowed = this.treesAllowed(consumer, alternative);
        for (const treeIndex of this.presentFirst(consumer, this.treesInOrder(member, alternative)))
          if (isAllowed(treeIndex) && !this.isTried(treeIndex, tried))
            yield* this.placementsAt(consumer, alternative, treeIndex);
      }
      const skip = state.skipOf(consumer);
      const isPossible = state.skipped + skip.consumers.length <= limits.maxSkipped;
      if (isPossible && state.allows(skip)) yield skip;
    }
  }

  /** Returns a check whether the placement policy and the relations allow a tree for a consumer. */
  private treesAllowed(consumer: number, alternative: number): (treeIndex: number) => boolean {
    const { problem, state } = this;
    const member = problem.relations.members[consumer];
    const { away, near } = state.planFor(consumer, alternative).trees;
    const isRelated = problem.relations.isRelated(member);
    const isExcluded = (tree: number): boolean => away.has(tree) || near?.has(tree) === false;
    return (tree) =>
      state.counts.allowsTree(member, tree) &&
      (!isRelated || !isExcluded(tree) || problem.mayOnlyShare(member, tree));
  }

  /** Returns whether an interchangeable tree is among the tried ones, and adds this one. */
  private isTried(treeIndex: number, tried: Set<string>): boolean {
    if (!this.problem.isComparable || treeIndex === NOWHERE) return false;
    const { size } = tried;
    return tried.add(this.visited.textOf(treeIndex)).size === size;
  }

  private *placementsAt(
    consumer: number,
    alternative: number,
    treeIndex: number,
  ): Generator<Placement | null> {
    const { problem, state } = this;
    const request = problem.alternatives[problem.relations.members[consumer]][alternative]!;
    for (const assignments of problem.assignmentsAt(state.overlay, request, treeIndex, problem.seed)) {
      const placement = assignments && state.placementOf(consumer, alternative, treeIndex, assignments);
      if (placement === null || state.allows(placement)) yield placement;
    }
  }

  /** The tree of a present consumer comes first, and is the only one if it may not move. */
  private presentFirst(consumer: number, trees: readonly number[]): readonly number[] {
    const { state, problem } = this;
    const own = problem.present.treeOf(consumer);
    if (own === null) return trees;
    const mayMove = state.moved < state.goal.maxMoved;
    if (!trees.includes(own)) return mayMove ? trees : [];
    return mayMove ? [own, ...trees.filter((tree) => tree !== own)] : [own];
  }

  /** Trees whose domains the rules prefer come first. */
  private treesInOrder(member: number, alternative: number): readonly number[] {
    const trees = this.state.treesFor(member, alternative);
    const { rules, members, levels, effort } = this.problem;
    const deciding = members[member].rules.filter((rule) => ['SPREAD', 'PACK'].includes(rules[rule].kind));
    if (deciding.length === 0) return trees;
    effort.otherWork += trees.length;
    const costOf = (tree: number): number =>
      deciding.reduce((sum, rule) => sum + this.state.counts.costOf(rule, levels[rule].domainsIn(tree)), 0);
    const costs = new Map(trees.map((tree) => [tree, costOf(tree)]));
    return [...trees].sort((a, b) => costs.get(a)! - costs.get(b)!);
  }
}
