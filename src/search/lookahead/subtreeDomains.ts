import type { AnchorProvider } from '../candidate.js';
import type { Effort } from '../../model/effort.js';
import type { PlannedAffinity } from '../plan.js';
import type { Anchor } from '../anchor.js';
import type { Domains } from './domains.js';

/** With more groups in all conditions, comparing the conditions counts as work of its own. */
const FEW_NAMED = 64;

/**
 * Arc consistency between the subtree conditions. A condition needs a top: a provider of one of its groups
 * with a value of each group in its subtree, and a value of each excepted group outside. Providers are
 * ranked depth first, so that a subtree is a range.
 */
export class SubtreeDomains {
  private readonly rank: Int32Array;
  /** By provider: one past the rank of the last provider in its subtree. */
  private readonly end: Int32Array;
  private readonly countsOf = new Map<readonly number[], Int32Array>();
  /** The work of comparing all conditions once (Effort.spent), if they name many groups; else 0. */
  private readonly workOfPass: number;

  constructor(
    private readonly conditions: readonly PlannedAffinity[],
    { providers }: Anchor,
    private readonly effort: Effort,
  ) {
    const named = conditions.reduce((sum, { within, outside }) => sum + within.length + outside.length, 0);
    this.workOfPass = named > FEW_NAMED ? (named * (1 + providers.length)) >> 6 : 0;
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
      while (open.length > 0 && !isBelow(providers[open[open.length - 1]])) this.end[open.pop()!] = rank;
      open.push(provider);
    });
    for (const provider of open) this.end[provider] = providers.length;
  }

  /** Returns null if a variable has no value left. */
  narrow(domains: Domains): Domains | null {
    let narrowed = domains;
    this.countsOf.clear();
    for (let isStable = false; !isStable;) {
      isStable = true;
      this.effort.otherWork += this.workOfPass;
      for (const condition of this.conditions) {
        const less = this.narrowBy(condition, narrowed);
        if (less === null) return null;
        if (less !== narrowed) isStable = false;
        narrowed = less;
      }
    }
    return narrowed;
  }

  /** Returns whether each condition has a top whose restricted domains pass a check. */
  everyConditionHas(domains: Domains, passes: (domains: Domains) => boolean): boolean {
    return this.conditions.every((condition) =>
      this.topsOf(condition, domains).some((top) => {
        const restricted = [...domains];
        for (const variable of condition.within)
          restricted[variable] = domains[variable]!.filter((value) => this.isWithin(value, top));
        for (const variable of condition.outside)
          restricted[variable] = domains[variable]!.filter((value) => !this.isWithin(value, top));
        return passes(restricted);
      }),
    );
  }

  private narrowBy(condition: PlannedAffinity, domains: Domains): Domains | null {
    const tops = this.topsOf(condition, domains);
    if (tops.length === 0) return null;
    const depths = this.topsAbove(tops);
    const keep: [readonly number[], (value: number) => boolean][] = [
      [condition.within, (value) => depths[this.rank[value]] > 0],
      [condition.outside, (value) => depths[this.rank[value]] < tops.length],
    ];
    let narrowed: (readonly number[] | null)[] | null = null;
    for (const [variables, isKept] of keep) {
      for (const variable of variables) {
        const domain = domains[variable]!;
        if (domain.every(isKept)) continue;
        narrowed ??= [...domains];
        narrowed[variable] = domain.filter(isKept);
      }
    }
    return narrowed ?? domains;
  }

  private topsOf({ within, outside }: PlannedAffinity, domains: Domains): number[] {
    const before = new Map(
      [...within, ...outside].map((variable) => [variable, this.counts(domains[variable]!)]),
    );
    const candidates = new Set(within.flatMap((variable) => domains[variable]!));
    return [...candidates].filter((top) => {
      const [from, to] = [this.rank[top], this.end[top]];
      const inside = (variable: number): number => before.get(variable)![to] - before.get(variable)![from];
      return (
        within.every((variable) => inside(variable) > 0) &&
        outside.every((variable) => inside(variable) < domains[variable]!.length)
      );
    });
  }

  /** By rank: the number of values of a domain before it. Conditions have most domains in common. */
  private counts(domain: readonly number[]): Int32Array {
    let counts = this.countsOf.get(domain);
    if (counts === undefined) this.countsOf.set(domain, (counts = this.count(domain)));
    return counts;
  }

  private count(domain: readonly number[]): Int32Array {
    const counts = new Int32Array(this.rank.length + 1);
    for (const value of domain) counts[this.rank[value] + 1]++;
    for (let rank = 1; rank < counts.length; rank++) counts[rank] += counts[rank - 1];
    return counts;
  }

  /** By rank: the number of tops at or above it. */
  private topsAbove(tops: readonly number[]): Int32Array {
    const depths = new Int32Array(this.rank.length + 1);
    for (const top of tops) {
      depths[this.rank[top]]++;
      depths[this.end[top]]--;
    }
    for (let rank = 1; rank < depths.length; rank++) depths[rank] += depths[rank - 1];
    return depths;
  }

  private isWithin(provider: number, top: number): boolean {
    return this.rank[provider] >= this.rank[top] && this.rank[provider] < this.end[top];
  }
}
