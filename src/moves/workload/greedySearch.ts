import { anchorTreeOf } from '../../search/anchor.js';
import { groupBy, mix } from '../../model/collections.js';
import { Successors } from '../successors.js';
import type { Limits } from './exhaustiveSearch.js';
import type { PlacementState } from './placementState.js';
import { NOWHERE, type Placement, type Step } from './steps.js';
import type { Problem } from './problem.js';
import type { Region, Regions } from './regions.js';

/** Candidates of a tree that the search tries before it goes to the next tree. */
const CANDIDATES_PER_TREE = 16;

/** The unit of effort is the work of about 16 comparisons of regions. */
const COMPARISONS_SHIFT = 4;

/** A region and the position of the next tree to try. */
interface OpenRegion {
  readonly region: Region;
  readonly size: number;
  at: number;
}

export interface GreedyOptions {
  readonly seed: number;
  /** The number of times that a member may fail before the search gives up. */
  readonly maxFailures: number;
  /** The number of present consumers that may leave; null if all may. */
  readonly leaving: number | null;
}

/**
 * Places member after member, each consumer at the first candidate that the rules allow and prefer.
 * Backtracks only over choices of requests, domains and trees.
 */
export class GreedySearch {
  /** The first member that could not be placed. */
  failed: number | null = null;
  private failures = 0;
  private readonly stopAt: number;

  constructor(
    private readonly problem: Problem,
    private readonly state: PlacementState,
    private readonly limits: Limits,
    private readonly regions: Regions,
    private readonly options: GreedyOptions,
  ) {
    this.stopAt = problem.effort.spent + limits.work;
  }

  /** Returns true if at most `maxSkipped` consumers are not placed. The state has the steps. */
  *run(): Generator<void, boolean> {
    const { present } = this.problem;
    if (present.count > 0 && this.options.leaving !== null) yield* this.stay(this.options.leaving);
    return yield* this.placeFrom(0);
  }

  /** Places the present consumers where they are, except so many of them, if the rules allow it. */
  private *stay(leaving: number): Generator<void> {
    const { state, problem, options, limits } = this;
    const { present, relations, rules, levels, members } = problem;
    const inOrder = limits.order.flatMap((member) => present.ofMember(member));
    const isResize = (consumer: number): boolean =>
      limits.allowed[relations.members[consumer]].every((one) => problem.isResize(consumer, one));
    const byKind = groupBy(inOrder, isResize);
    // A resize may have a choice of providers in its tree. The others need their own.
    const all = [...(byKind.get(false) ?? []), ...(byKind.get(true) ?? [])];
    const order = new Map(all.map((consumer) => [consumer, mix(options.seed, consumer)]));
    const left = new Set([...all].sort((a, b) => order.get(a)! - order.get(b)!).slice(0, leaving));
    const most = (domains: readonly number[]): number => mostFrequent(domains) ?? NOWHERE;
    for (const consumer of all) {
      const tree = present.treeOf(consumer);
      if (left.has(consumer) || tree === null) continue;
      if (problem.effort.isUsedUp) yield;
      const member = relations.members[consumer];
      for (let rule = state.counts.undecidedRule(member); rule !== undefined;) {
        const named = [...rules[rule].members].flatMap((one) => present.ofMember(one));
        const trees = named.flatMap((one) => present.treeOf(one) ?? []);
        state.do({
          kind: 'DOMAIN',
          rule,
          domain: most(trees.flatMap((one) => levels[rule!].domainsIn(one))),
        });
        rule = state.counts.undecidedRule(member);
      }
      if (members[member].placement === 'SAME_TREE' && state.counts.chosenTrees[member] === null) {
        const trees = present.ofMember(member).flatMap((one) => present.treeOf(one) ?? []);
        state.do({ kind: 'TREE', member, treeIndex: most(trees) });
      }
      yield* this.stayAt(consumer, tree);
    }
  }

  /** Places a present consumer without a move. Of the first candidates, a resize prefers one on its own providers. */
  private *stayAt(consumer: number, tree: number): Generator<void> {
    const { state, problem, limits } = this;
    const member = problem.relations.members[consumer];
    const chosen = state.alternatives[member];
    for (const alternative of chosen === null ? limits.allowed[member] : [chosen]) {
      const request = problem.alternatives[member][alternative]!;
      if (!request.trees.has(tree)) continue;
      let best: Placement | null = null;
      let tried = 0;
      for (const assignments of problem.assignmentsAt(state.overlay, request, tree, problem.seed)) {
        if (problem.effort.spent > this.stopAt) break;
        if (assignments === null) yield;
        else {
          const placement = state.placementOf(consumer, alternative, tree, assignments);
          const isPossible = !problem.isMoved(placement) && state.allows(placement);
          const isAtOwn = isPossible && problem.present.usesProviders(consumer, placement.allocations);
          if (isPossible && (isAtOwn || best === null)) best = placement;
          if (isAtOwn || (best !== null && ++tried === CANDIDATES_PER_TREE)) break;
        }
      }
      if (best === null) continue;
      state.do(best);
      return;
    }
  }

  private *placeFrom(position: number): Generator<void, boolean> {
    const { state, limits, problem } = this;
    const member: number | undefined = limits.order[position];
    if (member === undefined) return problem.rules.every((_, rule) => state.counts.lacking(rule) === 0);
    const choices = limits.choicesFor(state, member);
    if (choices !== null) return yield* this.choose(position, choices);
    const before = state.steps.length;
    const chosen = state.alternatives[member];
    for (const alternative of chosen === null ? limits.allowed[member] : [chosen]) {
      yield* this.fill(member, alternative);
      const consumers = state.openConsumers(member);
      const skip = { kind: 'SKIP', member, consumers } as const;
      const isPossible = state.skipped + consumers.length <= limits.maxSkipped;
      if (consumers.length > 0 && isPossible && state.allows(skip)) state.do(skip);
      if (state.remaining[member] > 0) {
        this.failed ??= member;
        this.failures++;
      } else if (yield* this.placeFrom(position + 1)) return true;
      state.undoTo(before);
      if (this.isOver) return false;
    }
    return false;
  }

  private get isOver(): boolean {
    return this.problem.effort.spent > this.stopAt || this.failures >= this.options.maxFailures;
  }

  private *choose(position: number, choices: readonly Step[]): Generator<void, boolean> {
    for (const choice of choices) {
      this.state.do(choice);
      if (yield* this.placeFrom(position)) return true;
      this.state.undo();
      if (this.isOver) return false;
    }
    return false;
  }

  /** Places as many of the remaining consumers of a member as it can. */
  private *fill(member: number, alternative: number): Generator<void> {
    if (this.state.remaining[member] === 0) return;
    const { rules, members, alternatives, relations } = this.problem;
    const deciding = members[member].rules.filter(
      (rule) => ['SPREAD', 'PACK'].includes(rules[rule].kind) && !this.state.counts.isIgnored(rule),
    );
    const isOrdered = alternatives[member][alternative]!.plan.orderBy.length > 0;
    if (deciding.length > 0) yield* this.fillRegions(member, alternative, deciding);
    else if (isOrdered || relations.isRelated(member)) yield* this.fillInOrder(member, alternative);
    else yield* this.fillTrees(member, alternative);
  }

  private *fillTrees(member: number, alternative: number): Generator<void> {
    const { state, problem } = this;
    const { trees } = problem.alternatives[member][alternative]!;
    const list = this.isFree(member) ? null : state.treesFor(member, alternative);
    for (let at = 0; state.remaining[member] > 0; at++) {
      const tree = list === null ? trees.at(at) : list[at];
      if (tree === undefined || problem.effort.spent > this.stopAt) return;
      if (problem.effort.isUsedUp) yield;
      while (state.remaining[member] > 0 && (yield* this.placeAt(member, alternative, tree)));
    }
  }

  /** Returns whether neither a tree nor a domain is chosen for a member. */
  private isFree(member: number): boolean {
    const { chosenTrees, chosenDomains } = this.state.counts;
    const { rules } = this.problem.members[member];
    return chosenTrees[member] === null && rules.every((rule) => chosenDomains[rule] === null);
  }

  /** Places each consumer where the order of the request prefers it, and its relations allow it. */
  private *fillInOrder(member: number, alternative: number): Generator<void> {
    const { state, problem } = this;
    const isRelated = problem.relations.isRelated(member);
    if (!this.isFree(member)) yield* problem.alternatives[member][alternative]!.trees.read(problem.effort);
    let successors = this.successors(member, alternative);
    while (state.remaining[member] > 0) {
      const candidate = yield* successors.next(this.options.seed);
      if (candidate === undefined) break;
      const tree = anchorTreeOf(candidate);
      if (tree === null) break;
      const [consumer] = state.nextConsumers(member);
      const placement = state.placementOf(consumer, alternative, tree, candidate.assignments);
      const isAllowed = state.allows(placement);
      if (isAllowed) state.do(placement);
      if (!isAllowed && !(yield* this.placeAt(member, alternative, tree))) successors.excluded.add(tree);
      else if (isRelated && state.remaining[member] > 0) successors = this.successors(member, alternative);
    }
    yield* this.fillTrees(member, alternative);
  }

  /** Prepares searches for the next consumer of a member. Consumers without relations can share them. */
  private successors(member: number, alternative: number): Successors {
    const { state, problem } = this;
    const plan = state.planFor(state.nextConsumers(member)[0], alternative);
    const successors = new Successors(state.overlay, plan, problem.effort);
    if (!this.isFree(member)) {
      const allowed = new Set(state.treesFor(member, alternative));
      for (const tree of problem.alternatives[member][alternative]!.trees.all())
        if (!allowed.has(tree)) successors.excluded.add(tree);
    }
    return successors;
  }

  /** Places each consumer in the region that the SPREAD and PACK rules prefer. */
  private *fillRegions(member: number, alternative: number, deciding: readonly number[]): Generator<void> {
    const { state } = this;
    const { effort, rules } = this.problem;
    const isPacked = deciding.some((rule) => rules[rule].kind === 'PACK');
    const open: OpenRegion[] = [];
    for (const region of yield* this.regions.of(deciding)) {
      const size = isPacked ? this.regions.sizeOf(region, member, alternative) : 1;
      const one = { region, size, at: 0 };
      const isOpen =
        size > 0 &&
        region.domains.every((some, rule) => some.length > 0 || rules[deciding[rule]].allowOutside);
      if (isOpen && (yield* this.findTree(one, member, alternative))) open.push(one);
    }
    while (state.remaining[member] > 0 && open.length > 0 && effort.spent <= this.stopAt) {
      const best = this.preferred(open, deciding);
      if (effort.isUsedUp) yield;
      if (!this.mayUse(open[best], deciding)) {
        open.splice(best, 1);
        continue;
      }
      if (yield* this.placeAt(member, alternative, this.treeOf(open[best]))) continue;
      open[best].at++;
      if (!(yield* this.findTree(open[best], member, alternative))) open.splice(best, 1);
    }
  }

  /** Returns whether the limits of the PACK rules and the skew of the SPREAD rules allow the domains of a region. */
  private mayUse({ region: { domains } }: OpenRegion, deciding: readonly number[]): boolean {
    const { state, problem } = this;
    return deciding.every((rule, at) => {
      if (problem.rules[rule].kind === 'PACK') return state.counts.mayUse(rule, domains[at]);
      // a consumer may be in a part of several domains
      return domains[at].length !== 1 || state.maySpread(rule, domains[at][0]);
    });
  }

  private treeOf({ region: { trees }, at }: OpenRegion): number {
    return trees[(at + this.options.seed) % trees.length];
  }

  /** Goes on to the next tree that may take the member. Returns false if none is left. */
  private *findTree(open: OpenRegion, member: number, alternative: number): Generator<void, boolean> {
    const { effort, alternatives } = this.problem;
    const { filter } = alternatives[member][alternative]!;
    for (; open.at < open.region.trees.length; open.at++) {
      const tree = this.treeOf(open);
      effort.treesTested++;
      if (effort.isUsedUp) yield;
      if (filter.allows(tree) && this.state.counts.allowsChosen(member, tree)) return true;
    }
    return false;
  }

  /** Returns the position of the region with the lowest costs by rule, and of these the largest. */
  private preferred(open: readonly OpenRegion[], deciding: readonly number[]): number {
    const { counts } = this.state;
    this.problem.effort.otherWork += (open.length * deciding.length) >> COMPARISONS_SHIFT;
    const costOf = (at: number, rule: number): number =>
      counts.costOf(deciding[rule], open[at].region.domains[rule]);
    let best = 0;
    let costs = deciding.map((_, rule) => costOf(0, rule));
    for (let at = 1; at < open.length; at++) {
      let difference = 0;
      for (let rule = 0; rule < deciding.length && difference === 0; rule++)
        difference = costOf(at, rule) - costs[rule];
      if (difference > 0 || (difference === 0 && open[at].size <= open[best].size)) continue;
      best = at;
      costs = deciding.map((_, rule) => costOf(at, rule));
    }
    return best;
  }

  /** Places one consumer in a tree; returns false if it does not fit. */
  private *placeAt(member: number, alternative: number, treeIndex: number): Generator<void, boolean> {
    const { problem, state } = this;
    if (!state.counts.allowsTree(member, treeIndex)) return false;
    const [consumer] = state.nextConsumers(member);
    const request = problem.alternatives[member][alternative]!;
    const seed = mix(this.options.seed, treeIndex);
    let tried = 0;
    for (const assignments of problem.assignmentsAt(state.overlay, request, treeIndex, seed)) {
      if (assignments === null) yield;
      else {
        const placement = state.placementOf(consumer, alternative, treeIndex, assignments);
        if (state.allows(placement)) {
          state.do(placement);
          return true;
        }
        tried++;
      }
      if (tried === CANDIDATES_PER_TREE || problem.effort.spent > this.stopAt) return false;
    }
    return false;
  }
}

function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const one of numbers) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).at(0)?.[0];
}
