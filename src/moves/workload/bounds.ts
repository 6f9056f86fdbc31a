import type { Plan } from '../../search/plan.js';
import { blockOf, freeAt, treeOf, type Snapshot } from '../../fleet/snapshot.js';
import { upperBound } from '../headroom/bounds.js';
import { anchorAt } from '../../search/anchor.js';
import type { LightestDomains } from './domainFill.js';
import type { Goal } from './goal.js';
import type { Alternative, Problem } from './problem.js';
import { RuleBounds } from './ruleBounds.js';
import { consumersBeyond, leastUnits, shortageOf, type Capacities, type Shortage } from './shortages.js';

/** The maximum number of pairs of requests and trees whose providers the bounds read. */
const MAX_EXACT_CLAIMS = 100_000;

/** Upper bounds by member, domain and resource class. They can prove that a goal is impossible. */
export class Bounds {
  /** By member, request and tree: upper bounds of the consumers that the tree can take. */
  private readonly claims: readonly (readonly Map<number, number>[])[];

  /** True above MAX_EXACT_CLAIMS: the bounds then read only the index. */
  private readonly isQuick: boolean;

  constructor(private readonly problem: Problem) {
    this.isQuick = problem.alternatives.flat().length * problem.snapshot.treeCount > MAX_EXACT_CLAIMS;
    this.claims = problem.alternatives.map((requests) => requests.map(() => new Map()));
  }

  /** Returns, by member and tree, an upper bound of the consumers that the tree can take. */
  *capacities({ allowed }: Goal): Generator<void, Capacities> {
    const { alternatives, members, effort } = this.problem;
    const capacities: Map<number, number>[] = [];
    for (const [member, { placement, count }] of members.entries()) {
      const most = placement === 'DISTINCT_TREES' ? 1 : count;
      const caps = new Map<number, number>();
      for (const at of allowed[member]) {
        const { trees } = alternatives[member][at]!;
        for (let position = 0; ; position++) {
          if (effort.isUsedUp) yield;
          const tree = trees.at(position);
          if (tree === undefined) break;
          const claims = Math.min(most, this.claimsIn(member, at, tree));
          if (claims > 0) caps.set(tree, Math.max(claims, caps.get(tree) ?? 0));
        }
      }
      capacities.push(caps);
    }
    return capacities;
  }

  /** Returns the shortage that excludes most consumers; null if the bounds exclude none. */
  *shortage(goal: Goal, caps: Capacities): Generator<void, Shortage | null> {
    const found = caps.map((byTree, member) => this.memberShortage(member, byTree));
    const short = found.filter(({ lost }) => lost > 0);
    if (short.length > 1)
      found.unshift({ ...short[0], lost: short.reduce((sum, { lost }) => sum + lost, 0) });
    const rules = new RuleBounds(this.problem, goal, caps);
    yield* rules.shortages(found);
    if (!goal.ignoresRelations) found.push(...this.relationShortages(goal, caps));
    yield* this.classShortages(goal, caps, found);
    yield* rules.shortagesInDomains(found);
    return found.reduce<Shortage | null>((most, one) => (one.lost > (most?.lost ?? 0) ? one : most), null);
  }

  /** Returns the lightest domains that may take the consumers of a PACK rule; null if none can. */
  lightestDomains(
    goal: Goal,
    caps: Capacities,
    rule: number,
    weights: ReadonlyMap<number, number>,
  ): LightestDomains | null {
    return new RuleBounds(this.problem, goal, caps).lightest(rule, weights);
  }

  private memberShortage(member: number, caps: ReadonlyMap<number, number>): Shortage {
    const { count, placement } = this.problem.members[member];
    let available = 0;
    for (const claims of caps.values())
      available = placement === 'SAME_TREE' ? Math.max(available, claims) : available + claims;
    return shortageOf({ member, rule: null }, count, Math.min(count, available));
  }

  /** Consumers that must be away from each other need a tree each. */
  private relationShortages({ allowed }: Goal, caps: Capacities): Shortage[] {
    const { relations } = this.problem;
    return relations.distinctGroups(allowed).flatMap((consumers) => {
      const members = [...new Set(consumers.map((consumer) => relations.members[consumer]))];
      const trees = new Set(members.flatMap((member) => [...caps[member].keys()]));
      const mayShare = members.some((member) =>
        [...caps[member].keys()].some((tree) => this.problem.mayOnlyShare(member, tree)),
      );
      const available = Math.min(consumers.length, trees.size);
      const of = { member: null, rule: null };
      return mayShare ? [] : [{ ...shortageOf(of, consumers.length, available), isRelation: true }];
    });
  }

  /**
   * Compares the requests of all members with the inventories of each class, in their trees and of sharing providers.
   * For each amount, compares how often it or more is requested with how often the inventories have it. Amount 1
   * compares the sums.
   */
  private *classShortages({ allowed }: Goal, caps: Capacities, found: Shortage[]): Generator<void> {
    const { problem } = this;
    const trees = new Set(caps.flatMap((byTree) => [...byTree.keys()]));
    const classes = new Map<number, Set<number>>();
    const plansOf = (member: number): Plan[] =>
      allowed[member].map((at) => problem.alternatives[member][at]!.plan);
    for (const plan of [...problem.members.keys()].flatMap(plansOf)) {
      for (const { resources } of plan.variables)
        for (const { resourceClass, amount } of resources) {
          const amounts = classes.get(resourceClass) ?? new Set([1]);
          classes.set(resourceClass, amounts.add(amount));
        }
    }
    const { sharing } = problem.snapshot;
    for (const [resourceClass, amounts] of classes) {
      const reachable = sharing.has('class', resourceClass)
        ? new Set([...trees, ...sharing.all.map(({ treeIndex }) => treeIndex)])
        : trees;
      const free = yield* this.freeInventories(resourceClass, reachable);
      for (const amount of amounts) {
        if (problem.effort.isUsedUp) yield;
        problem.effort.otherWork += free.length >> 3;
        const needed = problem.members.map(({ count }, member) => ({
          count,
          units: leastUnits(plansOf(member), resourceClass, amount),
        }));
        const requested = needed.reduce((sum, { count, units }) => sum + count * units, 0);
        const available = free.reduce((sum, one) => sum + Math.floor(one / amount), 0);
        const lost = consumersBeyond(needed, requested - available);
        found.push({ member: null, rule: null, resourceClass, amount, requested, available, lost });
      }
    }
  }

  private *freeInventories(resourceClass: number, trees: Iterable<number>): Generator<void, number[]> {
    const { effort, snapshot } = this.problem;
    const free: number[] = [];
    for (const treeIndex of trees) {
      effort.otherWork++;
      if (effort.isUsedUp) yield;
      const { block, start, end } = treeOf(snapshot, treeIndex);
      for (let at = block.inventoryStarts[start]; at < block.inventoryStarts[end]; at++)
        if (block.classes[at] === resourceClass) free.push(Math.max(0, freeAt(block, at)));
    }
    return free;
  }

  private claimsIn(member: number, alternative: number, treeIndex: number): number {
    const byTree = this.claims[member][alternative];
    let claims = byTree.get(treeIndex);
    if (claims === undefined)
      byTree.set(treeIndex, (claims = this.readClaims(member, alternative, treeIndex)));
    return claims;
  }

  private readClaims(member: number, alternative: number, treeIndex: number): number {
    const { alternatives, snapshot, effort, seed } = this.problem;
    const { plan, filter } = alternatives[member][alternative]!;
    effort.treesTested++;
    const quick = quickClaims(snapshot, { plan, filter }, treeIndex);
    if (this.isQuick || quick === 0) return quick;
    const anchor = anchorAt(snapshot, plan, filter, treeIndex, { seed, effort });
    return anchor === null ? 0 : upperBound(plan, anchor);
  }
}

/** Returns an upper bound of the consumers that a tree can take, from the index alone. */
export function quickClaims(
  snapshot: Pick<Snapshot, 'blocks'>,
  { plan, filter }: Pick<Alternative, 'plan' | 'filter'>,
  treeIndex: number,
): number {
  if (!filter.passes(treeIndex)) return 0;
  const { firstTree, index } = blockOf(snapshot, treeIndex);
  const amounts = new Map<number, number>();
  plan.variables.forEach(({ resources }, variable) => {
    if (filter.shareable[variable]) return;
    for (const { resourceClass, amount } of resources)
      amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount);
  });
  let claims = Infinity;
  for (const [resourceClass, amount] of amounts) {
    const free = index.classes.get(resourceClass)?.totalFree[treeIndex - firstTree] ?? 0;
    claims = Math.min(claims, Math.floor(free / amount));
  }
  return claims;
}
