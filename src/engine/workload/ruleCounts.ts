import type { Problem } from './problem.js';

/** Fixed choices of a search: the domains of SAME rules, the trees of SAME_TREE members, the limits of PACK. */
export interface Fixed {
  /** By rule; null for rules of other kinds. */
  readonly domains: readonly (number | null)[];
  /** By member; null without SAME_TREE. */
  readonly trees: readonly (number | null)[];
  /** By rule: the maximum number of domains with consumers. */
  readonly packLimits: readonly number[];
  /** Rules that the search ignores. */
  readonly ignored: ReadonlySet<number>;
}

/** The numbers of placed consumers by rule and domain. */
export class RuleCounts {
  private readonly counts: readonly Map<number, number>[];
  private readonly anchors: readonly Map<number, number>[];

  constructor(
    private readonly problem: Problem,
    readonly fixed: Fixed,
    /** By rule: the domains that could serve; empty for other kinds than SPREAD. */
    private readonly eligible: readonly ReadonlySet<number>[],
  ) {
    this.counts = problem.rules.map(() => new Map());
    this.anchors = problem.members.map(() => new Map());
  }

  countIn(rule: number, domain: number): number {
    return this.counts[rule].get(domain) ?? 0;
  }

  domainsUsed(rule: number): number {
    return this.counts[rule].size;
  }

  isEligible(rule: number, domain: number): boolean {
    return this.eligible[rule].has(domain);
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
    const tree = this.fixed.trees[member];
    if (tree !== null && tree !== treeIndex) return false;
    const isDistinct = this.problem.members[member].placement === 'DISTINCT_TREES';
    return !isDistinct || !this.anchors[member].has(treeIndex);
  }

  private allowsDomains(rule: number, domains: readonly number[]): boolean {
    const { domains: fixed, packLimits, ignored } = this.fixed;
    if (ignored.has(rule)) return true;
    const { kind } = this.problem.rules[rule];
    if (kind === 'DIFFERENT') return domains.every((domain) => !this.counts[rule].has(domain));
    if (kind === 'SAME') return domains.includes(fixed[rule]!);
    if (kind === 'SPREAD') return domains.length > 0;
    const added = domains.filter((domain) => !this.counts[rule].has(domain)).length;
    return domains.length > 0 && this.counts[rule].size + added <= packLimits[rule];
  }

  add(member: number, treeIndex: number, domains: readonly (readonly number[])[]): void {
    changeCount(this.anchors[member], treeIndex, 1);
    this.problem.members[member].rules.forEach((rule, at) => {
      for (const domain of domains[at]) changeCount(this.counts[rule], domain, 1);
    });
  }

  remove(member: number, treeIndex: number, domains: readonly (readonly number[])[]): void {
    changeCount(this.anchors[member], treeIndex, -1);
    this.problem.members[member].rules.forEach((rule, at) => {
      for (const domain of domains[at]) changeCount(this.counts[rule], domain, -1);
    });
  }

  /** Returns how many consumers the domains of a SPREAD rule lack for its maximum skew. */
  lacking(rule: number): number {
    if (this.problem.rules[rule].kind !== 'SPREAD' || this.fixed.ignored.has(rule)) return 0;
    const counts = this.counts[rule];
    let highest = 0;
    for (const count of counts.values()) highest = Math.max(highest, count);
    const least = highest - this.problem.rules[rule].maxSkew;
    let lacking = 0;
    if (least > 0)
      for (const domain of this.eligible[rule]) lacking += Math.max(0, least - (counts.get(domain) ?? 0));
    return lacking;
  }

  /** Returns a text that is equal for equal counts in domains of several trees. */
  get key(): string {
    const { rules, levels } = this.problem;
    const some = [...rules.keys()].filter(
      (rule) => rules[rule].kind !== 'SAME' && !levels[rule].isWithinTrees,
    );
    return some.map((rule) => textOf(this.counts[rule])).join('/');
  }

  /** Describes the state of a tree's domains for the rules whose domains lie within trees. */
  textWithin(rule: number, domain: number): string {
    const isFixed = this.fixed.domains[rule] === domain ? 'f' : '';
    return `${this.countIn(rule, domain)}${this.isEligible(rule, domain) ? 'e' : ''}${isFixed}`;
  }

  /** Describes which members may or may not use a tree by their placement policies. */
  textOfTree(treeIndex: number): string {
    return this.problem.members.map((_, member) => (this.allowsTree(member, treeIndex) ? '1' : '0')).join('');
  }
}

/** Adds to a count. Removes counts of zero. */
export function changeCount(counts: Map<number, number>, key: number, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function textOf(counts: ReadonlyMap<number, number>): string {
  return Array.from(counts, ([domain, count]) => `${domain}=${count}`)
    .sort()
    .join();
}
