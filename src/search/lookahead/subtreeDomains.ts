import type { AnchorProvider, Anchor } from '../anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { PlannedAffinity } from '../plan.js';
import type { Domains } from './domains.js';

/** With more groups in all conditions, comparing the conditions counts as work of its own. */
const FEW_NAMED = 64;

/**
 * The maximum work of one call (Effort.spent). A call with more leaves conditions out: it may then miss a contradiction,
 * which the search finds by trying. Otherwise one call could take seconds, and nothing can interrupt it.
 */
const MAX_WORK = 4_000;

/** With at most this many providers, equal domains share their counts. */
const FEW_PROVIDERS = 64;

/** By rank: the number of values of a domain before it. */
type Counts = Int32Array;

/**
 * Arc consistency between the subtree conditions. A condition needs a top: a provider of one of its groups
 * with a value of each group in its subtree, and a value of each excepted group outside. Providers are
 * ranked depth first, so that a subtree is a range.
 */
export class SubtreeDomains {
  private readonly rank: Int32Array;
  /** By rank: one past the rank of the last provider in the subtree. */
  private readonly end: Int32Array;
  private readonly countsOf = new Map<readonly number[], Counts>();
  private readonly sharedCounts = new Map<string, Counts>();
  /** The work of comparing all conditions once (Effort.spent), if they name many groups; else 0. */
  private readonly workOfPass: number;
  /** The condition that the next call of `everyConditionHas` checks first. */
  private nextCondition = 0;

  constructor(
    private readonly conditions: readonly PlannedAffinity[],
    { providers }: Anchor,
    private readonly effort: Effort,
  ) {
    const named = conditions.reduce((sum, { within, outside }) => sum + within.length + outside.length, 0);
    this.workOfPass =
      named > FEW_NAMED ? 2 * conditions.length + (named >> 3) + ((named * providers.length) >> 6) : 0;
    const byRank = [...providers.keys()].sort(
      (a, b) => providers[a].treeIndex - providers[b].treeIndex || providers[a].row - providers[b].row,
    );
    this.rank = new Int32Array(providers.length);
    this.end = new Int32Array(providers.length);
    byRank.forEach((provider, rank) => (this.rank[provider] = rank));
    const open: number[] = [];
    byRank.forEach((provider, rank) => {
      const { treeIndex, row } = providers[provider];
      const isBelow = (top: AnchorProvider): boolean =>
        treeIndex === top.treeIndex && row < top.block.ends[top.row];
      while (open.length > 0 && !isBelow(providers[byRank[open[open.length - 1]]]))
        this.end[open.pop()!] = rank;
      open.push(rank);
    });
    for (const rank of open) this.end[rank] = providers.length;
  }

  /** Returns null if a variable has no value left. */
  narrow(domains: Domains): Domains | null {
    const narrowed = [...domains];
    this.countsOf.clear();
    this.sharedCounts.clear();
    let work = 0;
    for (let isStable = false; !isStable && work <= MAX_WORK; work += this.workOfPass) {
      isStable = true;
      this.effort.otherWork += this.workOfPass;
      for (const condition of this.conditions) {
        const tops = this.topsOf(condition, narrowed);
        if (tops.length === 0) return null;
        if (this.narrowBy(condition, tops, narrowed)) isStable = false;
      }
    }
    return narrowed;
  }

  /** Returns whether each condition has a top whose restricted domains pass a check, as far as MAX_WORK allows. */
  everyConditionHas(domains: Domains, passes: (domains: Domains) => boolean): boolean {
    const { conditions, effort } = this;
    const before = effort.spent;
    for (let checked = 0; checked < conditions.length && effort.spent - before <= MAX_WORK; checked++) {
      const condition = conditions[this.nextCondition];
      this.nextCondition = (this.nextCondition + 1) % conditions.length;
      if (!this.hasTop(condition, domains, passes)) return false;
    }
    return true;
  }

  private hasTop(
    condition: PlannedAffinity,
    domains: Domains,
    passes: (domains: Domains) => boolean,
  ): boolean {
    return this.topsOf(condition, domains).some((top) => {
      const isBelow = (value: number): boolean => this.rank[value] >= top && this.rank[value] < this.end[top];
      const restricted = [...domains];
      for (const variable of condition.within) restricted[variable] = domains[variable]!.filter(isBelow);
      for (const variable of condition.outside)
        restricted[variable] = domains[variable]!.filter((value) => !isBelow(value));
      return passes(restricted);
    });
  }

  /** Removes the values that no top allows. Returns whether there were any. */
  private narrowBy(
    { within, outside }: PlannedAffinity,
    tops: readonly number[],
    domains: (readonly number[] | null)[],
  ): boolean {
    const depths = this.topsAbove(tops);
    let isNarrower = false;
    const keep = (variables: readonly number[], isKept: (value: number) => boolean): void => {
      let whole: Counts | null = null;
      for (const variable of variables) {
        const domain = domains[variable]!;
        const counts = this.counts(domain);
        if (counts === whole) continue;
        if (domain.every(isKept)) whole = counts;
        else {
          domains[variable] = domain.filter(isKept);
          isNarrower = true;
        }
      }
    };
    keep(within, (value) => depths[this.rank[value]] > 0);
    keep(outside, (value) => depths[this.rank[value]] < tops.length);
    return isNarrower;
  }

  /** Returns the ranks of the tops of a condition. */
  private topsOf({ within, outside }: PlannedAffinity, domains: Domains): number[] {
    const countsOf = (variables: readonly number[]): Counts[] => [
      ...new Set(variables.map((variable) => this.counts(domains[variable]!))),
    ];
    const [inside, excepted] = [countsOf(within), countsOf(outside)];
    const last = this.rank.length;
    const tops: number[] = [];
    for (let rank = 0; rank < last; rank++) {
      const end = this.end[rank];
      const isTop =
        inside.some((counts) => counts[rank + 1] > counts[rank]) &&
        inside.every((counts) => counts[end] > counts[rank]) &&
        excepted.every((counts) => counts[end] - counts[rank] < counts[last]);
      if (isTop) tops.push(rank);
    }
    return tops;
  }

  /** Conditions have most domains in common, and most groups have equal domains. */
  private counts(domain: readonly number[]): Counts {
    const known = this.countsOf.get(domain);
    if (known !== undefined) return known;
    let counts = this.count(domain);
    if (this.rank.length <= FEW_PROVIDERS) {
      const key = counts.join();
      const shared = this.sharedCounts.get(key);
      if (shared === undefined) this.sharedCounts.set(key, counts);
      else counts = shared;
    }
    this.countsOf.set(domain, counts);
    return counts;
  }

  private count(domain: readonly number[]): Counts {
    const counts = new Int32Array(this.rank.length + 1);
    for (const value of domain) counts[this.rank[value] + 1]++;
    for (let rank = 1; rank < counts.length; rank++) counts[rank] += counts[rank - 1];
    return counts;
  }

  /** By rank: the number of tops at or above it. */
  private topsAbove(tops: readonly number[]): Int32Array {
    const depths = new Int32Array(this.rank.length + 1);
    for (const top of tops) {
      depths[top]++;
      depths[this.end[top]]--;
    }
    for (let rank = 1; rank < depths.length; rank++) depths[rank] += depths[rank - 1];
    return depths;
  }
}
