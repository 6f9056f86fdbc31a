import { addToGroup } from '../../model/collections.js';
import { freeAt, treeOf } from '../../fleet/snapshot.js';
import { consumersBeyond, leastUnits, shortageOf, type Capacities, type Shortage } from './shortages.js';
import { lightestDomains, type LightestDomains } from './domainFill.js';
import type { Goal } from './goal.js';
import type { Problem } from './problem.js';

/** About 8 trees are read in the time of a unit of effort. */
const TREES_SHIFT = 3;

/** Units that consumers of all members take from the trees: amounts of a class, or domains of a DIFFERENT rule. */
interface Supply {
  readonly resourceClass: number | null;
  readonly amount: number | null;
  /** By member: the minimum number that each consumer takes. */
  readonly perConsumer: readonly number[];
  readonly unitsIn: (treeIndex: number) => number;
}

/** Consumers that must be in one domain, with the rule or the member that states it. */
interface Slice {
  readonly of: Pick<Shortage, 'member' | 'rule'>;
  readonly members: readonly number[];
}

/** The domains of a level, by their trees. */
type Domains = readonly (readonly number[])[];

/** Upper bounds of the consumers in the domains of rules, by the limits of the trees in each domain. */
export class RuleBounds {
  constructor(
    private readonly problem: Problem,
    private readonly goal: Goal,
    private readonly caps: Capacities,
  ) {}

  *shortages(found: Shortage[]): Generator<void> {
    const { rules, effort } = this.problem;
    for (const rule of rules.keys()) {
      if (effort.isUsedUp) yield;
      if (!this.goal.ignored.has(rule)) found.push(...this.shortagesOf(rule));
    }
  }

  /** Adds the shortages of classes and whole slices in the domains. */
  *shortagesInDomains(found: Shortage[]): Generator<void> {
    if (!this.isDomainBound()) return;
    for (const supply of this.supplies()) yield* this.supplyShortages(supply, found);
  }

  /** Returns whether a domain limits the consumers of several members, or several slices share domains. */
  private isDomainBound(): boolean {
    const { rules, members } = this.problem;
    return (
      rules.some(({ kind }, rule) => ['SAME', 'PACK'].includes(kind) && !this.goal.ignored.has(rule)) ||
      members.some(({ placement }) => placement === 'SAME_TREE')
    );
  }

  private shortagesOf(rule: number): Shortage[] {
    const { rules, levels, members } = this.problem;
    const { kind } = rules[rule];
    const named = [...rules[rule].members];
    const total = named.reduce((sum, member) => sum + members[member].count, 0);
    const of = { member: null, rule };
    const outside = named.map((member) => this.problem.claimsOutside(rule, member, this.caps[member]));
    const allOutside = outside.reduce((sum, one) => sum + one, 0);
    const shortage = (inside: number): Shortage =>
      shortageOf(of, total, Math.min(total, inside + allOutside));
    const domains = [...levels[rule].treesByDomain.values()];
    if (kind === 'SAME') {
      const isClosed = !rules[rule].allowOutside;
      const bounds = domains.map((trees) => this.boundIn(trees, named, isClosed ? 'TREES' : null));
      return [shortage(Math.max(0, ...bounds))];
    }
    if (kind !== 'PACK') {
      const bound = this.boundUnder(rule, this.treesOf(named), named, 'TREES') ?? total;
      return [shortageOf(of, total, Math.min(total, bound))];
    }
    const single = named.map((member, at) => {
      const { count } = members[member];
      return shortageOf(
        { member, rule },
        count,
        Math.min(count, this.mostPacked(rule, [member]) + outside[at]),
      );
    });
    const fill = this.goal.fills[rule];
    const isTooLight = fill !== null && (this.lightest(rule, fill.weights)?.weight ?? Infinity) > fill.limit;
    const filled = isTooLight ? [shortageOf(of, total, total - 1)] : [];
    return [...single, ...(named.length === 1 ? [] : [shortage(this.mostPacked(rule, named))]), ...filled];
  }

  /** Returns an upper bound of the consumers of members in as many domains as a PACK rule may use. */
  private mostPacked(rule: number, members: readonly number[]): number {
    return this.packedIn(rule, members)
      .map(({ consumers }) => consumers)
      .sort((a, b) => b - a)
      .slice(0, this.goal.packLimits[rule])
      .reduce((sum, one) => sum + one, 0);
  }

  /** Returns an upper bound of the consumers of members in each domain that a PACK rule may use. */
  private packedIn(rule: number, members: readonly number[]) {
    const { levels } = this.problem;
    const fill = this.goal.fills[rule];
    const spread = this.isConfined(rule) ? 'NONE' : null;
    return Array.from(levels[rule].treesByDomain)
      .filter(([domain]) => fill === null || (fill.weights.get(domain) ?? Infinity) <= fill.limit)
      .map(([domain, trees]) => ({ domain, trees, consumers: this.boundIn(trees, members, spread) }));
  }

  /** Returns the lightest domains that may take the consumers of a PACK rule; null if none can. */
  lightest(rule: number, weights: ReadonlyMap<number, number>): LightestDomains | null {
    const { problem, caps, goal } = this;
    const named = [...problem.rules[rule].members];
    const count = named.reduce((sum, member) => sum + problem.members[member].count, 0);
    const outside = named.reduce((sum, one) => sum + problem.claimsOutside(rule, one, caps[one]), 0);
    const supplies = outside > 0 ? [] : this.supplies();
    const domains = this.packedIn(rule, named).map(({ domain, trees, consumers }) => {
      const bounds = supplies.map((supply) => {
        problem.effort.otherWork += trees.length >> TREES_SHIFT;
        const units = trees.reduce((sum, tree) => sum + supply.unitsIn(tree), 0);
        return count - this.shortageIn(supply, { member: null, rule }, named, units).lost;
      });
      return { domain, weight: weights.get(domain) ?? Infinity, consumers: Math.min(consumers, ...bounds) };
    });
    return lightestDomains(domains, count - outside, goal.packLimits[rule]);
  }

  private treesOf(members: readonly number[]): number[] {
    const [first, ...others] = members;
    if (others.length === 0) return [...this.caps[first].keys()];
    return [...new Set(members.flatMap((member) => [...this.caps[member].keys()]))];
  }

  /**
   * Returns an upper bound of the consumers of members with anchors in these trees. `spread`: which domains of a
   * SPREAD rule can have consumers if the consumers of all members are in these trees or in other such sets: those
   * with one of the TREES, or NONE of some; null: unknown.
   */
  private boundIn(
    trees: readonly number[],
    members: readonly number[],
    spread: 'TREES' | 'NONE' | null,
  ): number {
    const { problem, goal, caps } = this;
    problem.effort.otherWork += (trees.length * members.length) >> TREES_SHIFT;
    const alone = new Map(
      members.map((member) => {
        const sum = trees.reduce((all, tree) => all + (caps[member].get(tree) ?? 0), 0);
        return [member, Math.min(sum, problem.members[member].count)];
      }),
    );
    const groups = problem.rules.flatMap(({ kind, members: named }, rule) => {
      if (goal.ignored.has(rule) || !['DIFFERENT', 'SPREAD'].includes(kind)) return [];
      const group = members.filter((member) => named.has(member));
      if (group.length === 0 || (kind === 'SPREAD' && group.length < named.size)) return [];
      const bound = this.boundUnder(rule, trees, group, spread);
      const sum = group.reduce((all, member) => all + alone.get(member)!, 0);
      return bound === null || bound >= sum ? [] : [{ group, bound, saved: sum - bound }];
    });
    let total = 0;
    for (const { group, bound } of groups.sort((a, b) => b.saved - a.saved)) {
      if (!group.every((member) => alone.has(member))) continue;
      total += bound;
      for (const member of group) alone.delete(member);
    }
    for (const sum of alone.values()) total += sum;
    return total;
  }

  /** Returns a bound of the consumers by a DIFFERENT or SPREAD rule; null if it gives none. */
  private boundUnder(
    rule: number,
    trees: readonly number[],
    members: readonly number[],
    spread: 'TREES' | 'NONE' | null,
  ): number | null {
    const { problem, caps, goal } = this;
    const { kind, maxSkew } = problem.rules[rule];
    if (kind === 'SPREAD' && spread === null) return null;
    const level = problem.levels[rule];
    problem.effort.otherWork += (trees.length * members.length) >> TREES_SHIFT;
    const sums = new Map<number, number>();
    let outside = 0;
    for (const tree of trees) {
      const claims = members.map((member) => caps[member].get(tree) ?? 0);
      const sum = claims.reduce((all, one) => all + one, 0);
      if (sum === 0) continue;
      for (const domain of level.domainsIn(tree)) sums.set(domain, (sums.get(domain) ?? 0) + sum);
      members.forEach((member, at) => {
        if (claims[at] > 0 && problem.mayBeOutside(rule, member, tree)) outside += claims[at];
      });
    }
    let most = 1;
    if (kind === 'SPREAD') {
      const lowest =
        spread === 'NONE' ? 0 : Math.min(...[...goal.eligible[rule]].map((one) => sums.get(one) ?? 0));
      most = lowest + maxSkew;
    }
    let bound = outside;
    for (const sum of sums.values()) bound += Math.min(most, sum);
    return bound;
  }

  /** Returns whether the domains of a PACK rule that its consumers may use leave some domains of each SPREAD rule empty. */
  private isConfined(rule: number): boolean {
    const { rules, levels } = this.problem;
    if (rules[rule].allowOutside) return false;
    return rules.every(({ kind }, spread) => {
      if (kind !== 'SPREAD' || this.goal.ignored.has(spread)) return true;
      const packed = new Set<number>();
      for (const domain of this.goal.eligible[spread]) {
        const within = new Set(
          (levels[spread].treesByDomain.get(domain) ?? []).flatMap((tree) => [
            ...levels[rule].domainsIn(tree),
          ]),
        );
        if (within.size !== 1) return within.size === 0;
        for (const one of within) packed.add(one);
      }
      return packed.size > this.goal.packLimits[rule];
    });
  }

  private *supplyShortages(supply: Supply, found: Shortage[]): Generator<void> {
    const { problem } = this;
    const units = new Map<number, number>();
    const unitsIn = (trees: readonly number[]): number => {
      problem.effort.otherWork += trees.length >> TREES_SHIFT;
      let sum = 0;
      for (const tree of trees) {
        let own = units.get(tree);
        if (own === undefined) units.set(tree, (own = supply.unitsIn(tree)));
        sum += own;
      }
      return sum;
    };
    for (const [rule, { kind, allowOutside, members }] of problem.rules.entries()) {
      if (kind !== 'PACK' || allowOutside || this.goal.ignored.has(rule)) continue;
      if (problem.effort.isUsedUp) yield;
      const sizes = [...problem.levels[rule].treesByDomain.values()].map(unitsIn).sort((a, b) => b - a);
      const available = sizes.slice(0, this.goal.packLimits[rule]).reduce((sum, one) => sum + one, 0);
      found.push(this.shortageIn(supply, { member: null, rule }, [...members], available));
    }
    for (const { domains, slices } of this.slicesByLevel()) {
      if (problem.effort.isUsedUp) yield;
      const sizes = domains.map(unitsIn);
      const needed = slices.map(({ members }) => this.unitsFor(supply, members));
      const largest = Math.max(0, ...sizes);
      slices.forEach(({ of, members }) => found.push(this.shortageIn(supply, of, members, largest)));
      if (slices.length > 1) found.push(...this.sliceShortages(slices, needed, sizes));
    }
  }

  private unitsFor({ perConsumer }: Supply, members: readonly number[]): number {
    return members.reduce((sum, member) => sum + this.problem.members[member].count * perConsumer[member], 0);
  }

  private shortageIn(
    supply: Supply,
    of: Pick<Shortage, 'member' | 'rule'>,
    members: readonly number[],
    available: number,
  ): Shortage {
    const needed = members.map((member) => ({
      count: this.problem.members[member].count,
      units: supply.perConsumer[member],
    }));
    const requested = this.unitsFor(supply, members);
    const lost = consumersBeyond(needed, requested - available);
    const { resourceClass, amount } = supply;
    if (resourceClass !== null) return { ...of, resourceClass, amount, requested, available, lost };
    const total = needed.reduce((sum, { count }) => sum + count, 0);
    return shortageOf(of, total, total - lost);
  }

  /** Counts whole slices: those of at least a size against the domains that have this size several times. */
  private sliceShortages(
    slices: readonly Slice[],
    needed: readonly number[],
    sizes: readonly number[],
  ): Shortage[] {
    const members = slices.flatMap((slice) => slice.members);
    const total = members.reduce((sum, member) => sum + this.problem.members[member].count, 0);
    return [...new Set(needed)].flatMap((size) => {
      if (size === 0) return [];
      const times = (all: readonly number[]): number =>
        all.reduce((sum, one) => sum + Math.floor(one / size), 0);
      return times(needed) > times(sizes) ? [shortageOf(slices[0].of, total, total - 1)] : [];
    });
  }

  /** Returns the sets of consumers that need one domain each, by level. No two of a level share a member. */
  private slicesByLevel(): { domains: Domains; slices: readonly Slice[] }[] {
    const { rules, levels, members } = this.problem;
    const byLevel = new Map<object, Slice[]>();
    for (const [rule, { kind, allowOutside, members: named }] of rules.entries())
      if (kind === 'SAME' && !allowOutside && !this.goal.ignored.has(rule))
        addToGroup(byLevel, levels[rule], { of: { member: null, rule }, members: [...named] });
    const found = rules.flatMap((_, rule) => {
      const slices = byLevel.get(levels[rule]);
      if (slices === undefined) return [];
      byLevel.delete(levels[rule]);
      return [{ domains: [...levels[rule].treesByDomain.values()], slices: disjoint(slices) }];
    });
    const trees = [...members.keys()].filter((member) => members[member].placement === 'SAME_TREE');
    if (trees.length > 0) {
      const domains = this.treesOf(trees).map((tree) => [tree]);
      const slices = trees.map((member) => ({ of: { member, rule: null }, members: [member] }));
      found.push({ domains, slices });
    }
    return found;
  }

  /** Returns what the trees supply: each requested amount of each class, and the domains of DIFFERENT rules. */
  private supplies(): Supply[] {
    const { snapshot, members, rules, levels } = this.problem;
    const supplies: Supply[] = [];
    const requested = new Map<number, Set<number>>();
    const plans = this.goal.allowed.map((some, member) =>
      some.map((at) => this.problem.alternatives[member][at]!.plan),
    );
    for (const { variables } of plans.flat())
      for (const { resourceClass, amount } of variables.flatMap(({ resources }) => resources))
        requested.set(resourceClass, (requested.get(resourceClass) ?? new Set([1])).add(amount));
    for (const [resourceClass, amounts] of requested) {
      if (snapshot.sharing.has('class', resourceClass)) continue;
      for (const amount of amounts)
        supplies.push({
          resourceClass,
          amount,
          perConsumer: plans.map((some) => leastUnits(some, resourceClass, amount)),
          unitsIn: (tree) => this.unitsOfClass(tree, resourceClass, amount),
        });
    }
    for (const [rule, { kind, allowOutside, members: named }] of rules.entries())
      if (kind === 'DIFFERENT' && !allowOutside && levels[rule].isWithinTrees && !this.goal.ignored.has(rule))
        supplies.push({
          resourceClass: null,
          amount: null,
          perConsumer: [...members.keys()].map((member) => Number(named.has(member))),
          unitsIn: (tree) => levels[rule].domainsIn(tree).length,
        });
    return supplies;
  }

  private unitsOfClass(treeIndex: number, resourceClass: number, amount: number): number {
    const { block, start, end } = treeOf(this.problem.snapshot, treeIndex);
    let units = 0;
    for (let at = block.inventoryStarts[start]; at < block.inventoryStarts[end]; at++)
      if (block.classes[at] === resourceClass) units += Math.floor(Math.max(0, freeAt(block, at)) / amount);
    return units;
  }
}

/** Returns slices that share no member. */
function disjoint(slices: readonly Slice[]): Slice[] {
  const seen = new Set<number>();
  return slices.filter(({ members }) => {
    if (members.some((member) => seen.has(member))) return false;
    for (const member of members) seen.add(member);
    return true;
  });
}
