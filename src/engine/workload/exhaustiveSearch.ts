import { EXHAUSTED, PAUSED } from '../model/effort.js';
import { anchorAt } from '../search/anchor.js';
import { Descent } from '../search/descent.js';
import { isPlacement, type Placement, type PlacementState, type Step } from './placementState.js';
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
  /** By member and request: the trees that the search tries. */
  readonly treesFor: (member: number, alternative: number) => readonly number[];
  /** The work (Effort.spent) after which the search gives up. */
  readonly work: number;
}

/**
 * Tries all ways to place the consumers, member after member, depth first. Skips states that differ from a
 * visited one only in which of equal consumers, providers or trees is used.
 */
export class ExhaustiveSearch {
  private readonly visited: VisitedStates;
  private skipsLeft: number;

  /** `onFound` receives each way; the search goes on while it returns true. */
  constructor(
    private readonly problem: Problem,
    private readonly state: PlacementState,
    private readonly limits: Limits,
    private readonly onFound: (steps: readonly Step[]) => boolean,
    private readonly isScored = false,
  ) {
    this.visited = new VisitedStates(problem, state);
    this.skipsLeft = limits.maxSkipped;
  }

  *run(): Generator<void, Outcome> {
    const { effort } = this.problem;
    const { state } = this;
    const before = state.steps.length;
    const stopAt = effort.spent + this.limits.work;
    const path: Generator<Step | null>[] = [this.stepsFrom(this.nextMember()!)];
    let outcome: Outcome = 'IMPOSSIBLE';
    while (path.length > 0) {
      if (effort.isUsedUp) yield;
      if (effort.spent > stopAt) {
        outcome = 'UNDECIDED';
        break;
      }
      const { done, value: step } = path[path.length - 1].next();
      if (done === true) {
        path.pop();
        if (path.length > 0) this.undo();
      } else if (step !== null) {
        this.do(step);
        const member = this.nextMember();
        if (member === undefined && this.mayComplete() && !this.onFound(state.steps)) {
          outcome = 'FOUND';
          break;
        }
        if (member === undefined || !this.mayComplete() || this.visited.isRepeated(member, this.isScored))
          this.undo();
        else path.push(this.stepsFrom(member));
      }
    }
    while (state.steps.length > before) this.undo();
    return outcome;
  }

  private do(step: Step): void {
    if (!isPlacement(step)) this.skipsLeft -= step.skipped;
    this.state.do(step);
  }

  private undo(): void {
    const step = this.state.steps[this.state.steps.length - 1];
    if (!isPlacement(step)) this.skipsLeft += step.skipped;
    this.state.undo();
  }

  private nextMember(): number | undefined {
    return this.limits.order.find((member) => this.state.remaining[member] > 0);
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

  private *stepsFrom(member: number): Generator<Step | null> {
    for (const alternative of this.alternativesOf(member)) {
      const tried = new Set<string>();
      for (const treeIndex of this.treesInOrder(member, alternative)) {
        if (!this.state.counts.allowsTree(member, treeIndex)) continue;
        if (this.problem.isComparable) {
          const text = this.visited.textOf(treeIndex);
          if (tried.has(text)) continue;
          tried.add(text);
        }
        yield* this.placementsAt(member, alternative, treeIndex);
      }
    }
    const skipped = this.state.remaining[member];
    if (skipped <= this.skipsLeft) yield { member, skipped };
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

  /** All consumers of a member use the request of the first. */
  private alternativesOf(member: number): readonly number[] {
    const { steps, remaining } = this.state;
    if (remaining[member] === this.problem.members[member].count) return this.limits.allowed[member];
    const first = steps.find((step): step is Placement => isPlacement(step) && step.member === member);
    return first === undefined ? [] : [first.alternative];
  }

  /** Trees whose domains the rules prefer come first. */
  private treesInOrder(member: number, alternative: number): readonly number[] {
    const trees = this.limits.treesFor(member, alternative);
    const { rules, members, levels } = this.problem;
    const deciding = members[member].rules.filter((rule) => ['SPREAD', 'PACK'].includes(rules[rule].kind));
    if (deciding.length === 0) return trees;
    const { counts } = this.state;
    const costs = new Map(
      trees.map((tree) => {
        const cost = deciding.reduce((sum, rule) => {
          const inDomains = levels[rule].domainsIn(tree).map((domain) => counts.countIn(rule, domain));
          if (inDomains.length === 0) return Infinity;
          return (
            sum + (rules[rule].kind === 'SPREAD' ? Math.min(...inDomains) : Number(!inDomains.some(Boolean)))
          );
        }, 0);
        return [tree, cost];
      }),
    );
    return [...trees].sort((a, b) => costs.get(a)! - costs.get(b)!);
  }
}
