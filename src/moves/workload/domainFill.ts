import { freeAt, treeOf } from '../../fleet/snapshot.js';
import type { Goal } from './goal.js';
import type { Problem } from './problem.js';

/** Sums of weights that differ by less, in proportion, count as equal. */
const PRECISION = 1e-9;

/** Returns the limit that a sum must not exceed to be as small as this one. */
export const upTo = (sum: number): number => sum + PRECISION * (1 + sum);

/** Returns the limit that a sum must not exceed to be smaller. */
export const below = (sum: number): number => sum - PRECISION * (1 + sum);

export function sumOf(weights: ReadonlyMap<number, number>, domains: Iterable<number>): number {
  let sum = 0;
  for (const domain of domains) sum += weights.get(domain) ?? Infinity;
  return sum;
}

/** The weights of the domains of a PACK rule. */
export interface DomainWeights {
  /**
   * By domain: what is free in it before the workload, as a multiple of what the consumers of the rule request; for
   * several classes, the sum. Sharing providers do not count. The best fit has the least weight.
   */
  readonly weights: ReadonlyMap<number, number>;
  /** The domains in whose trees all consumers of the rule may fit. No other one can take all of them. */
  readonly large: ReadonlySet<number>;
}

/** Returns the weights of the domains of a PACK rule. Each member must have one allowed request. */
export function* domainWeights(
  { rules, levels, members, alternatives, snapshot, effort }: Problem,
  { allowed }: Pick<Goal, 'allowed'>,
  rule: number,
): Generator<void, DomainWeights> {
  const requested = new Map<number, number>();
  for (const member of rules[rule].members)
    for (const { resources } of alternatives[member][allowed[member][0]]!.plan.variables)
      for (const { resourceClass, amount } of resources)
        requested.set(resourceClass, (requested.get(resourceClass) ?? 0) + amount * members[member].count);
  const weights = new Map<number, number>();
  const large = new Set<number>();
  const isShared = Array.from(requested.keys()).some((each) => snapshot.sharing.has('class', each));
  for (const [domain, trees] of levels[rule].treesByDomain) {
    const shares = new Map<number, number>();
    // a consumer is in a domain with one of its providers: the others may be elsewhere in the tree
    const inTrees = new Map<number, number>();
    for (const tree of trees) {
      const { block, start, end } = treeOf(snapshot, tree);
      const rows = levels[rule].domainsByRow(tree);
      effort.otherWork += 1 + ((end - start) >> 2);
      if (effort.isUsedUp) yield;
      for (let row = start; row < end; row++) {
        if (block.sharing[row] === 1) continue;
        const isInside = rows[row - start].includes(domain);
        for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
          const all = requested.get(block.classes[at]);
          if (all === undefined) continue;
          const share = Math.max(0, freeAt(block, at)) / all;
          for (const sums of isInside ? [shares, inTrees] : [inTrees])
            sums.set(block.classes[at], (sums.get(block.classes[at]) ?? 0) + share);
        }
      }
    }
    const each = Array.from(requested.keys(), (resourceClass) => shares.get(resourceClass) ?? 0);
    weights.set(
      domain,
      each.reduce((sum, share) => sum + share, 0),
    );
    const fits = [...requested.keys()].every(
      (resourceClass) => (inTrees.get(resourceClass) ?? 0) >= 1 - PRECISION,
    );
    if (isShared || fits) large.add(domain);
  }
  return { weights, large };
}

/** A domain, and the maximum number of consumers that it can take. */
export interface WeightedDomain {
  readonly domain: number;
  readonly weight: number;
  readonly consumers: number;
}

/** Domains that can take all consumers by their bounds. No lighter ones can. */
export interface LightestDomains {
  readonly weight: number;
  /** Null: only the weight is known, which is a lower bound. */
  readonly domains: readonly number[] | null;
}

/** The maximum number of sums that the exact search for the lightest domains computes. */
const MAX_SUMS = 4_000_000;

/** Returns the lightest domains, at most so many, that can take so many consumers; null if there are none. */
export function lightestDomains(
  all: readonly WeightedDomain[],
  consumers: number,
  most: number,
): LightestDomains | null {
  if (consumers <= 0) return { weight: 0, domains: [] };
  const useful = lightestOfEach(all, consumers, most);
  const limit = Math.min(most, useful.length);
  if (useful.length * limit * (consumers + 1) > MAX_SUMS) return fractionBound(useful, consumers);
  // By number of domains and of consumers that they take: the least weight, and the last domain with what precedes it.
  const size = consumers + 1;
  const least = new Float64Array((limit + 1) * size).fill(Infinity);
  const last: ({ readonly domain: number; readonly before: unknown } | null)[] = [];
  least[0] = 0;
  for (const { domain, weight, consumers: own } of useful)
    for (let count = limit - 1; count >= 0; count--)
      for (let taken = consumers; taken >= 0; taken--) {
        const from = count * size + taken;
        const to = (count + 1) * size + Math.min(consumers, taken + own);
        if (least[from] + weight >= least[to]) continue;
        least[to] = least[from] + weight;
        last[to] = { domain, before: last[from] ?? null };
      }
  let best = -1;
  for (let count = 1; count <= limit; count++) {
    const at = count * size + consumers;
    if (least[at] < (best < 0 ? Infinity : least[best])) best = at;
  }
  if (best < 0) return null;
  const domains: number[] = [];
  type Link = { readonly domain: number; readonly before: Link | null } | null;
  for (let link = last[best] as Link; link !== null; link = link.before) domains.push(link.domain);
  return { weight: least[best], domains };
}

/** Keeps as many domains of each number of consumers as may be used together, the lightest. */
function lightestOfEach(
  all: readonly WeightedDomain[],
  consumers: number,
  most: number,
): readonly WeightedDomain[] {
  const counts = new Map<number, number>();
  return all
    .filter(({ weight, consumers: own }) => own > 0 && weight < Infinity)
    .map((one) => ({ ...one, consumers: Math.min(one.consumers, consumers) }))
    .sort((a, b) => a.weight - b.weight)
    .filter(({ consumers: own }) => {
      const count = (counts.get(own) ?? 0) + 1;
      counts.set(own, count);
      return count <= most;
    });
}

/** Returns the least weight if domains could be used in part. */
function fractionBound(all: readonly WeightedDomain[], consumers: number): LightestDomains | null {
  let left = consumers;
  let weight = 0;
  for (const one of all.toSorted((a, b) => a.weight / a.consumers - b.weight / b.consumers)) {
    const taken = Math.min(left, one.consumers);
    weight += (one.weight * taken) / one.consumers;
    left -= taken;
    if (left === 0) return { weight, domains: null };
  }
  return null;
}
