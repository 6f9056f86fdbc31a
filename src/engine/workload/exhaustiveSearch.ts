import { EXHAUSTED, PAUSED } from '../model/effort.js';
import { anchorAt } from '../search/anchor.js';
import { Descent } from '../search/descent.js';
import { NOWHERE, type Placement, type PlacementState, type Step } from './placementState.js';
import type { Problem } from './problem.js';
import { VisitedStates } from './visitedStates.js';

export type Outcome = 'FOUND' | 'IMPOSSIBLE' | 'UNDECIDED';

export interface Limits {
  /** By member: the requests that the search may use. */
  readonly allowed: readonly (readonly number[])[];
  /** The members in the order in which the search places them. */
  readonly order: readonly number[];
  /** The number of consumers that may be left out. */
  readonly maxSkipped: number;
  /** The possible domains of a SAME rule. */
  readonly domainsFor: (state: PlacementState, rule: number) => readonly number[];
  /** The possible trees of a SAME_TREE member. */
  readonly rootsFor: (state: PlacementState, member: number) => readonly number[];
  /** The work (Effort.spent) after which the search gives up. */
  readonly work: number;
}

/**
 * Tries all ways to place the consumers, member after member, depth first. Skips states that differ
 * from a visited state only by an exchange of equal consumers, providers or trees.
 */
export class ExhaustiveSearch {
  private readonly visited: VisitedStates;

  /**
   * `onFound` receives each solution; the search continues while it returns true. With `isScored`,
   * two solutions also differ if unlike consumers exchange their providers.
   */
  constructor(
    private readonly problem: Problem,
    private readonly state: PlacementState,
    private readonly limits: Limits,
    private readonly onFound: (steps: readonly Step[]) => boolean,
    private readonly isScored: boolean,
  ) {
    this.visited = new VisitedStates(problem, state);
  }

  *run(): Generator<void, Outcome> {
    const { effort } = this.problem;
    const { state } = this;
    const stopAt = effort.spent + this.limits.work;
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
        const mayComplete = this.mayComplete();
        if (isComplete && mayComplete && !this.onFound(state.steps)) return 'FOUND';
        const isRepeated =
          (step.kind === 'PLACE' || step.kind === 'SKIP') && this.visited.isRepeated(this.isScored);
        if (isComplete || !mayComplete || isRepeated) state.undo();
        else path.push(this.steps());
      }
    }
    return 'IMPOSSIBLE';
  }

  /** Returns whether the consumers that remain suffice for the skew of each SPREAD rule. */
  private mayComplete(): boolean {
    const { rules, levels } = this.problem;
    const { counts, remaining } = this.state;
    return rules.every(({ members }, rule) => {
      const lacking = counts.lacking(rule);
      if (lacking === 0) return true;
      let most = 0;
      for (const member of members) most += remaining[member] * levels[rule].maxPerTree;
      return lacking <= most;
    });
  }

  /** Yields the possible next steps; null to pause. */
  private *steps(): Generator<Step | null, void> {
    const open = this.limits.order.filter((member) => this.state.remaining[member] > 0);
    for (const member of this.problem.isSplit ? open : open.slice(0, 1)) yield* this.stepsOf(member);
  }

  private *stepsOf(member: number): Generator<Step | null, void> {
    const { state, limits } = this;
    const rule = state.counts.undecidedRule(member);
    const isSameTree = this.problem.members[member].placement === 'SAME_TREE';
    if (rule !== undefined) {
      for (const domain of limits.domainsFor(state, rule)) {
        const level = this.problem.levels[rule];
        if (level.isWithinTrees)
          level
            .treesByDomain()
            .get(domain)
            ?.forEach((tree) => this.isTried(tree, null));
        yield { kind: 'DOMAIN', rule, domain };
      }
      return;
    }
    if (isSameTree && state.counts.chosenTrees[member] === null) {
      const tried = new Set<string>();
      for (const treeIndex of limits.rootsFor(state, member))
        if (!this.isTried(treeIndex, tried)) yield { kind: 'TREE', member, treeIndex };
      return;
    }
    const chosen = state.alternatives[member];
    for (const alternative of chosen === null ? limits.allowed[member] : [chosen]) {
      const tried = new Set<string>();
      for (const treeIndex of this.treesInOrder(member, alternative)) {
        if (!state.counts.allowsTree(member, treeIndex) || this.isTried(treeIndex, tried)) continue;
        yield* this.placementsAt(member, alternative, treeIndex);
      }
    }
    const skipped = state.remaining[member];
    if (state.skipped + skipped <= limits.maxSkipped) yield { kind: 'SKIP', member, skipped };
  }

  /** Returns whether an interchangeable tree is among the tried ones, and adds this one. */
  private isTried(treeIndex: number, tried: Set<string> | null): boolean {
    if (!this.problem.isComparable || treeIndex === NOWHERE) return false;
    const text = this.visited.textOf(treeIndex);
    if (tried === null || tried.has(text)) return true;
    tried.add(text);
    return false;
  }

  private *placementsAt(member: number, alternative: number, treeIndex: number): Generator<Placement | null> {
    const { problem, state } = this;
    const { plan, filter } = problem.alternatives[member][alternative]!;
    problem.effort.treesVisited++;
    const anchor = anchorAt(state.overlay, plan, filter, treeIndex, problem.seed);
    if (anchor === null) return;
    const descent = new Descent(plan, anchor, problem.effort);
    for (;;) {
      const assignments = descent.next();
      if (assignments === EXHAUSTED) return;
      if (assignments === PAUSED) yield null;
      else {
        const placement = state.placementOf(member, alternative, treeIndex, assignments);
        if (state.allows(placement)) yield placement;
      }
    }
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
