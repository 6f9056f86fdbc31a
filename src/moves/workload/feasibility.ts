import { mix } from '../../model/collections.js';
import { Bounds } from './bounds.js';
import { ExhaustiveSearch, type Limits, type Outcome } from './exhaustiveSearch.js';
import type { LightestDomains } from './domainFill.js';
import type { Goal } from './goal.js';
import { GreedySearch } from './greedySearch.js';
import { PlacementState } from './placementState.js';
import { NOWHERE, type Step } from './steps.js';
import { sampledTrees, type Problem } from './problem.js';
import { Regions } from './regions.js';
import type { Capacities, Shortage } from './shortages.js';

/**
 * `steps` is null if there is no solution, with the shortage if the bounds prove it. `steps` is
 * undefined if the work ran out.
 */
export interface Solution {
  readonly steps: readonly Step[] | null | undefined;
  readonly shortage: Shortage | null;
}

/** A quick greedy search precedes the bounds. */
const QUICK = { rounds: 1, maxFailures: 8, share: 1 / 2 };
/**
 * Further greedy searches, each with a share of the work. Each search first places the member that
 * failed before.
 */
const THOROUGH = { rounds: 6, maxFailures: 500, share: 1 / 16 };

/** Solves goals by bounds, by greedy searches and by an exhaustive search. */
export class Feasibility {
  private readonly bounds: Bounds;
  private readonly regions: Regions;
  /** By member and request: the estimated number of trees. */
  private readonly sizes: number[][] = [];

  constructor(private readonly problem: Problem) {
    this.bounds = new Bounds(problem);
    this.regions = new Regions(problem);
  }

  /** Reads the domains that greedy searches need and estimates the numbers of trees, for all goals. */
  *prepare(): Generator<void> {
    const { levels, rules, alternatives, effort } = this.problem;
    for (const [rule, { kind }] of rules.entries())
      if (kind !== 'DIFFERENT') yield* levels[rule].read(effort);
    for (const requests of alternatives) {
      this.sizes.push(requests.map((one) => (one === null ? 0 : sampledTrees(this.problem, one))));
      if (effort.isUsedUp) yield;
    }
  }

  /** `tryFirst`: whether a greedy search precedes the bounds, because it probably succeeds. */
  *solve(goal: Goal, tryFirst = false): Generator<void, Solution> {
    const stopAt = this.problem.effort.spent + goal.work;
    const quick = tryFirst ? yield* this.searchGreedily(goal, null, QUICK) : null;
    if (quick !== null) return { steps: quick, shortage: null };
    const capacities = yield* this.capacities(goal);
    const shortage = yield* this.bounds.shortage(goal, capacities);
    if (shortage !== null && shortage.lost > goal.maxSkipped) return { steps: null, shortage };
    const greedy = yield* this.searchGreedily(goal, capacities, THOROUGH);
    if (greedy !== null) return { steps: greedy, shortage: null };
    let found: readonly Step[] | undefined;
    const rest = { ...goal, work: stopAt - this.problem.effort.spent };
    const outcome = yield* this.searchAll(rest, capacities, (state) => {
      found = [...state.steps];
      return false;
    });
    return { steps: outcome === 'IMPOSSIBLE' ? null : found, shortage: null };
  }

  /**
   * Passes solutions to `onFound` while it returns true. Skips states for which `mayImprove` returns false. Returns
   * IMPOSSIBLE after the last one.
   */
  *enumerate(
    goal: Goal,
    onFound: (state: PlacementState) => boolean,
    mayImprove: Limits['mayImprove'],
  ): Generator<void, Outcome> {
    return yield* this.searchAll(goal, yield* this.capacities(goal), onFound, mayImprove ?? (() => true));
  }

  /** Returns the lightest domains that may take the consumers of a PACK rule; null if none can. */
  *lightestDomains(
    goal: Goal,
    rule: number,
    weights: ReadonlyMap<number, number>,
  ): Generator<void, LightestDomains | null> {
    return this.bounds.lightestDomains(goal, yield* this.capacities(goal), rule, weights);
  }

  /** Reads all domains, and returns the bounds that depend on them. */
  private *capacities(goal: Goal): Generator<void, Capacities> {
    const { levels, effort } = this.problem;
    for (const level of levels) yield* level.read(effort);
    return yield* this.bounds.capacities(goal);
  }

  private *searchAll(
    goal: Goal,
    capacities: Capacities,
    onFound: (state: PlacementState) => boolean,
    mayImprove?: Limits['mayImprove'],
  ): Generator<void, Outcome> {
    yield* this.readTrees(goal, this.problem.members.keys());
    const state = new PlacementState(this.problem, goal);
    const limits = { ...this.limitsOf(goal, capacities, []), mayImprove };
    const isScored = mayImprove !== undefined;
    return yield* new ExhaustiveSearch(this.problem, state, limits, onFound, isScored).run();
  }

  private *searchGreedily(
    goal: Goal,
    capacities: Capacities | null,
    { rounds, maxFailures, share }: typeof QUICK,
  ): Generator<void, readonly Step[] | null> {
    const { members, present } = this.problem;
    yield* this.readTrees(
      goal,
      [...members.keys()].filter((member) => members[member].placement === 'SAME_TREE'),
    );
    const first: number[] = [];
    // If consumers are present, each second search lets all of them leave, unless too few may move.
    const isStaying = (round: number): boolean => goal.maxMoved < present.count || round % 2 === 0;
    const searches = present.count > 0 ? 2 * rounds : rounds;
    for (let round = 0; round < searches; round++) {
      const state = new PlacementState(this.problem, goal);
      const limits = this.limitsOf({ ...goal, work: goal.work * share }, capacities, first);
      const leaving = goal.maxMoved === Infinity || round === 0 ? 0 : goal.maxMoved;
      const seed = mix(this.problem.seed, round);
      const options = { seed, maxFailures, leaving: isStaying(round) ? leaving : null };
      const search = new GreedySearch(this.problem, state, limits, this.regions, options);
      if (yield* search.run()) return state.steps;
      if (search.failed === null && present.count === 0) return null;
      if (search.failed !== null && first[0] !== search.failed) first.unshift(search.failed);
    }
    return null;
  }

  /** Finds all trees of some members. */
  private *readTrees({ allowed }: Goal, members: Iterable<number>): Generator<void> {
    const { alternatives, effort } = this.problem;
    for (const member of members)
      for (const at of allowed[member]) yield* alternatives[member][at]?.trees.read(effort) ?? [];
  }

  /** The members in `first` precede all others. */
  private limitsOf(goal: Goal, capacities: Capacities | null, first: readonly number[]): Limits {
    return {
      ...goal,
      order: [...new Set([...first, ...this.hardestFirst(goal)])],
      choicesFor: (state, member) => this.choicesFor(state, member, capacities),
    };
  }

  /** Members with few trees for many consumers precede others. */
  private hardestFirst({ allowed }: Goal): number[] {
    const { members, rules } = this.problem;
    const slack = members.map(({ count, placement, rules: own }, member) => {
      const isBound = placement === 'SAME_TREE' || own.some((rule) => rules[rule].kind === 'SAME');
      const trees = allowed[member].reduce((sum, at) => sum + this.sizes[member][at], 0);
      return (trees / count) * (isBound ? 0.1 : 1);
    });
    return [...members.keys()].sort((a, b) => slack[a] - slack[b] || a - b);
  }

  private choicesFor(
    state: PlacementState,
    member: number,
    capacities: Capacities | null,
  ): readonly Step[] | null {
    const rule = state.counts.undecidedRule(member);
    if (rule !== undefined) {
      const domains = this.domainsFor(state, rule, capacities);
      return domains.map((domain) => ({ kind: 'DOMAIN', rule, domain }));
    }
    const isSameTree = this.problem.members[member].placement === 'SAME_TREE';
    if (!isSameTree || state.counts.chosenTrees[member] !== null) return null;
    const trees = this.treesFor(state, member, capacities);
    return trees.map((treeIndex) => ({ kind: 'TREE', member, treeIndex }));
  }

  /** Returns the domains in which the members of a SAME rule may fit, the tightest first. */
  private domainsFor(state: PlacementState, rule: number, capacities: Capacities | null): readonly number[] {
    const { goal, remaining, skipped, counts } = state;
    const { rules, levels, effort } = this.problem;
    const domains = [...levels[rule].treesByDomain];
    if (capacities === null) return domains.map(([domain]) => domain);
    const left = goal.maxSkipped - skipped;
    const outside = new Map(
      Array.from(rules[rule].members, (member) => [
        member,
        this.problem.claimsOutside(rule, member, capacities[member]),
      ]),
    );
    const fitting = domains.flatMap(([domain, trees]) => {
      effort.otherWork += trees.length >> 3;
      let lost = 0;
      let all = 0;
      for (const member of rules[rule].members) {
        const tree = counts.chosenTrees[member];
        const within = tree === null ? trees : trees.filter((one) => one === tree);
        const inside = within.reduce((sum, one) => sum + (capacities[member].get(one) ?? 0), 0);
        const claims = inside + outside.get(member)!;
        lost += Math.max(0, remaining[member] - claims);
        all += claims;
      }
      return lost > left ? [] : [{ domain, all }];
    });
    if (fitting.length === 0) return [NOWHERE];
    return fitting.sort((a, b) => a.all - b.all).map(({ domain }) => domain);
  }

  /** Returns the trees that may take all consumers of a SAME_TREE member, the tightest first. */
  private treesFor(state: PlacementState, member: number, capacities: Capacities | null): readonly number[] {
    const { goal } = state;
    const trees = [...new Set(goal.allowed[member].flatMap((at) => state.treesFor(member, at)))];
    if (capacities === null) return trees;
    const least = state.remaining[member] - (goal.maxSkipped - state.skipped);
    const claims = capacities[member];
    const fitting = trees.filter((tree) => (claims.get(tree) ?? 0) >= least);
    if (fitting.length === 0) return [NOWHERE];
    return fitting.sort((a, b) => (claims.get(a) ?? 0) - (claims.get(b) ?? 0));
  }
}
