import { amountOf, type Plan } from '../../search/plan.js';
import { blockOf, freeAt, treeOf, type Snapshot } from '../../fleet/snapshot.js';
import { upperBound } from '../headroom/bounds.js';
import { anchorAt } from '../../search/anchor.js';
import type { Goal } from './goal.js';
import type { Alternative, Problem } from './problem.js';

/** A proof that some consumers cannot be placed. */
export interface Shortage {
  /** The member or the rule with the shortage; both null if all members together have it. */
  readonly member: number | null;
  readonly rule: number | null;
  /** A resource class that is short; null if the shortage concerns providers or domains. */
  readonly resourceClass: number | null;
  /** The amount of the class that one inventory must have free; null without a class. */
  readonly amount: number | null;
  /** The numbers of consumers. With a class, how often the amount is requested and free. */
  readonly requested: number;
  readonly available: number;
  /** The minimum number of consumers that cannot be placed. */
  readonly lost: number;
  /** Whether consumers are short of trees because they must be away from each other. */
  readonly isRelation?: boolean;
}

/** The maximum number of pairs of requests and trees whose providers the bounds read. */
const MAX_EXACT_CLAIMS = 100_000;

/** By member and tree. */
export type Capacities = readonly ReadonlyMap<number, number>[];

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
    for (const rule of this.problem.rules.keys())
      if (!goal.ignored.has(rule)) found.push(...this.ruleShortages(rule, caps, goal));
    if (!goal.ignoresRelations) found.push(...this.relationShortages(goal, caps));
    yield* this.classShortages(goal, caps, found);
    return found.reduce<Shortage | null>((most, one) => (one.lost > (most?.lost ?? 0) ? one : most), null);
  }

  private memberShortage(member: number, caps: ReadonlyMap<number, number>): Shortage {
    const { count, placement } = this.problem.members[member];
    let available = 0;
    for (const claims of caps.values())
      available = placement === 'SAME_TREE' ? Math.max(available, claims) : available + claims;
    return shortageOf({ member, rule: null }, count, Math.min(count, available));
  }

  private ruleShortages(rule: number, caps: Capacities, goal: Goal): Shortage[] {
    const { rules, levels, members } = this.problem;
    const { kind, maxSkew } = rules[rule];
    const named = [...rules[rule].members];
    const total = named.reduce((sum, member) => sum + members[member].count, 0);
    const domains = [...levels[rule].treesByDomain].map(([domain, trees]) => ({
      domain,
      caps: named.map((member) => {
        const sum = trees.reduce((all, tree) => all + (caps[member].get(tree) ?? 0), 0);
        return Math.min(sum, members[member].count);
      }),
    }));
    const of = { member: null, rule };
    const sums = domains.map(({ caps: some }) => some.reduce((sum, one) => sum + one, 0));
    const outside = named.map((member) => this.problem.claimsOutside(rule, member, caps[member]));
    const allOutside = outside.reduce((sum, one) => sum + one, 0);
    const shortage = (inside: number): Shortage =>
      shortageOf(of, total, Math.min(total, inside + allOutside));
    if (kind === 'SAME') return [shortage(sums.reduce((most, sum) => Math.max(most, sum), 0))];
    if (kind === 'PACK') {
      const limit = goal.packLimits[rule];
      return named.map((member, at) => {
        const largest = domains.map(({ caps: some }) => some[at]).sort((a, b) => b - a);
        const available = largest.slice(0, limit).reduce((sum, one) => sum + one, outside[at]);
        const { count } = members[member];
        return shortageOf({ member, rule }, count, Math.min(count, available));
      });
    }
    if (kind === 'DIFFERENT') return [shortage(sums.filter((sum) => sum > 0).length)];
    if (levels[rule].maxPerTree !== 1) return [];
    // Domains without capacity count only if they are eligible. Other domains have no capacity.
    const eligible = sums.filter((_, at) => goal.eligible[rule].has(domains[at].domain));
    const lowest = eligible.reduce((least, sum) => Math.min(least, sum), Infinity);
    return [shortage(sums.reduce((sum, one) => sum + Math.min(one, lowest + maxSkew), 0))];
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
   * Compares the requests of all members with the inventories of each class. For each amount,
   * compares how often it or more is requested with how often the inventories have it. Amount 1
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
    for (const [resourceClass, amounts] of classes) {
      if (problem.snapshot.sharing.has('class', resourceClass)) continue;
      const free = yield* this.freeInventories(resourceClass, trees);
      for (const amount of amounts) {
        if (problem.effort.isUsedUp) yield;
        problem.effort.otherWork += free.length >> 3;
        const needed = problem.members.map(({ count }, member) => {
          const asked = plansOf(member).map((plan) => unitsOf(plan, resourceClass, amount));
          return { count, units: asked.length === 0 ? 0 : Math.min(...asked) };
        });
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

function shortageOf(of: Pick<Shortage, 'member' | 'rule'>, requested: number, available: number): Shortage {
  return { ...of, resourceClass: null, amount: null, requested, available, lost: requested - available };
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

/**
 * Returns how often a consumer asks for at least this amount in one inventory. With amount 1 it returns the
 * sum of all amounts.
 */
function unitsOf({ variables }: Plan, resourceClass: number, amount: number): number {
  let units = 0;
  for (const { resources, canSplit } of variables) {
    const asked = amountOf(resources, resourceClass);
    if (canSplit) units += amount === 1 ? asked : 0;
    else units += Math.floor(asked / amount);
  }
  return units;
}

/** Returns the minimum number of consumers to leave out to save these units. */
function consumersBeyond(needed: readonly { count: number; units: number }[], units: number): number {
  let lost = 0;
  let left = units;
  for (const { count, units: each } of [...needed].sort((a, b) => b.units - a.units)) {
    if (left <= 0) break;
    const some = each === 0 ? count : Math.min(count, Math.ceil(left / each));
    lost += some;
    left -= some * each;
  }
  return lost;
}
