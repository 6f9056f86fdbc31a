import { sumOf } from './domainFill.js';
import type { Goal } from './goal.js';
import type { Problem } from './problem.js';

/** The cost of no domain: more than the number of consumers. */
const COST_OUTSIDE = 1_000_000;

/** The numbers of placed consumers by rule and domain, and the chosen domains of SAME. */
export class RuleCounts {
  /** By rule: the domain of a SAME rule; null before it is chosen. */
  readonly chosenDomains: (number | null)[];
  /** By member: the tree of a SAME_TREE member; null before it is chosen. */
  readonly chosenTrees: (number | null)[];
  private readonly counts: readonly Map<number, number>[];
  private readonly anchors: readonly Map<number, number>[];

  constructor(
    private readonly problem: Problem,
    private readonly goal: Goal,
  ) {
    this.counts = problem.rules.map(() => new Map());
    this.anchors = problem.members.map(() => new Map());
    this.chosenDomains = problem.rules.map(() => null);
    this.chosenTrees = problem.members.map(() => null);
  }

  countIn(rule: number, domain: number): number {
    return this.counts[rule].get(domain) ?? 0;
  }

  /** Returns how little a SPREAD or PACK rule prefers these domains for the next consumer. */
  costOf(rule: number, domains: readonly number[]): number {
    const { kind, allowOutside } = this.problem.rules[rule];
    if (domains.length === 0) return kind === 'PACK' && allowOutside ? 0 : COST_OUTSIDE;
    let [least, most] = [Infinity, 0];
    for (const domain of domains) {
      const count = this.countIn(rule, domain);
      least = Math.min(least, count);
      most = Math.max(most, count);
    }
    if (kind === 'SPREAD') return least;
    return most > 0 ? 0 : 1;
  }

  /** Returns a SAME rule of the member without a chosen domain; undefined if there is none. */
  undecidedRule(member: number): number | undefined {
    const { rules, members } = this.problem;
    return members[member].rules.find(
      (rule) => rules[rule].kind === 'SAME' && this.chosenDomains[rule] === null && !this.isIgnored(rule),
    );
  }

  /** Returns whether the chosen domains allow a consumer of the member in a tree. */
  allowsChosen(member: number, treeIndex: number): boolean {
    const { members, levels } = this.problem;
    return members[member].rules.every((rule) => {
      const domain = this.chosenDomains[rule];
      return (
        domain === null ||
        levels[rule].domainsIn(treeIndex).includes(domain) ||
        this.problem.mayBeOutside(rule, member, treeIndex)
      );
    });
  }

  isIgnored(rule: number): boolean {
    return this.goal.ignored.has(rule);
  }

  /** Returns whether a consumer may be in these domains (by rule of its member) next to the placed ones. */
  allows(member: number, treeIndex: number, domains: readonly (readonly number[])[]): boolean {
    const { members } = this.problem;
    return (
      this.allowsTree(member, treeIndex) &&
      members[member].rules.every((rule, at) => this.allowsDomains(rule, domains[at]))
    );
  }

  allowsTree(member: number, treeIndex: number): boolean {
    const tree = this.chosenTrees[member];
    if (tree !== null && tree !== treeIndex) return false;
    const isDistinct = this.problem.members[member].placement === 'DISTINCT_TREES';
    return !isDistinct || !this.anchors[member].has(treeIndex);
  }

  private allowsDomains(rule: number, domains: readonly number[]): boolean {
    if (this.isIgnored(rule)) return true;
    const { kind, allowOutside } = this.problem.rules[rule];
    if (domains.length === 0) return allowOutside;
    if (kind === 'DIFFERENT') return domains.every((domain) => !this.counts[rule].has(domain));
    if (kind === 'SAME') return domains.includes(this.chosenDomains[rule]!);
    if (kind === 'SPREAD') return true;
    return this.mayUse(rule, domains);
  }

  /** Returns whether the limits of a PACK rule allow the use of these domains. */
  mayUse(rule: number, domains: readonly number[]): boolean {
    const added = domains.filter((domain) => !this.counts[rule].has(domain));
    if (added.length === 0) return true;
    if (this.counts[rule].size + added.length > this.goal.packLimits[rule]) return false;
    const fill = this.goal.fills[rule];
    if (fill === null) return true;
    return sumOf(fill.weights, added) + sumOf(fill.weights, this.counts[rule].keys()) <= fill.limit;
  }

  add(member: number, treeIndex: number, domains: readonly (readonly number[])[], by: 1 | -1): void {
    changeCount(this.anchors[member], treeIndex, by);
    this.problem.members[member].rules.forEach((rule, at) => {
      for (const domain of domains[at]) changeCount(this.counts[rule], domain, by);
    });
  }

  /**
   * Returns how many consumers the domains of a SPREAD rule lack for its maximum skew, with one more consumer in the
   * domain `next`, unless it is null.
   */
  lacking(rule: number, next: number | null = null): number {
    if (this.problem.rules[rule].kind !== 'SPREAD' || this.isIgnored(rule)) return 0;
    const counts = this.counts[rule];
    let highest = next === null ? 0 : 1 + this.countIn(rule, next);
    for (const count of counts.values()) highest = Math.max(highest, count);
    const least = highest - this.problem.rules[rule].maxSkew;
    let lacking = 0;
    if (least > 0)
      for (const domain of this.goal.eligible[rule])
        lacking += Math.max(0, least - (counts.get(domain) ?? 0) - Number(domain === next));
    return lacking;
  }

  /** Returns a text that is equal for equal states of the domains with providers of several trees. */
  get text(): string {
    const { rules, levels } = this.problem;
    return [...rules.keys()]
      .filter((rule) => !levels[rule].isWithinTrees)
      .map((rule) =>
        rules[rule].kind === 'SAME' ? `${this.chosenDomains[rule]}` : textOfCounts(this.counts[rule]),
      )
      .join('/');
  }

  /** Describes a domain that lies within a tree. */
  textOfDomain(rule: number, domain: number): string {
    const isEligible = this.goal.eligible[rule].has(domain) ? 'e' : '';
    return `${this.countIn(rule, domain)}${isEligible}${this.chosenDomains[rule] === domain ? 'c' : ''}`;
  }

  /** Describes which members may use a tree by their placement policies. */
  textOfTree(treeIndex: number): string {
    return this.problem.members.map((_, member) => Number(this.allowsTree(member, treeIndex))).join('');
  }
}

/** Adds to a count. Removes counts of zero. */
export function changeCount<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

export function textOfCounts(counts: ReadonlyMap<number | string, number>): string {
  return Array.from(counts, ([domain, count]) => `${domain}=${count}`)
    .sort()
    .join();
}
