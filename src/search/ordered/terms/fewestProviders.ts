import { groupBy } from '../../../model/collections.js';
import type { Plan } from '../../plan.js';
import { largestAmount, type ProviderRef } from '../../../fleet/snapshot.js';
import { partsOf, type Anchor } from '../../anchor.js';
import { fewestFor, needsOf, servicesAt, servicesIn, type Service } from './services.js';
import type { Term, TermBound } from './term.js';

/** The number of providers of a candidate, negated. */
export function fewestProviders(plan: Plan, shareable: readonly boolean[]): Term {
  const all = needsOf(plan, shareable);
  /** The needs that only the tree's own providers can serve. */
  const needs = all.filter(({ isShareable }) => !isShareable);
  const { alone = [], among = [] } = plan.isolation ?? {};
  return {
    variables: all.flatMap(({ variables }) => variables),
    key: JSON.stringify([needs, [...alone], [...among]]),
    boundBySharing: null,
    boundOfTree({ block, start, end }) {
      const services = servicesIn({ block, start, end }, needs);
      if (services === null) return -Infinity;
      if (end - start <= 1 || services.length === 0) return -1;
      const parts = independentParts(plan, services, (row) => ({ block, row }));
      return -parts.reduce((sum, { least }) => sum + least, 0);
    },
    /** Prefers providers that could serve many variables. */
    preferences({ providers, domains }) {
      const counts = providers.map(() => 0);
      for (const provider of domains.flat()) counts[provider]++;
      return counts;
    },
    boundAt: (anchor) => countBound(plan, anchor),
  };
}

function countBound(plan: Plan, anchor: Anchor): TermBound {
  const { providers } = anchor;
  const services = servicesAt(plan, anchor);
  /** By provider: the number of variables that allocate from it. */
  const uses = new Uint16Array(providers.length);
  /** Null until the bound is read: the first candidate may be the best. */
  let counted: PartCounts | null = null;
  const decides = new Set(services.flatMap(({ variables }) => variables));
  const use = (provider: number, direction: 1 | -1): void => {
    const before = uses[provider];
    uses[provider] += direction;
    if (counted !== null && (before === 0) !== (uses[provider] === 0))
      counted.counts[counted.partOf[provider]] += direction;
  };
  return {
    move(variable, value, direction) {
      if (!decides.has(variable)) return;
      const split = partsOf(anchor, value);
      if (split === undefined) use(value, direction);
      else for (const { provider } of split) use(provider, direction);
    },
    best() {
      counted ??= countParts(
        independentParts(plan, services, (provider) => providers[provider]),
        uses,
      );
      const { parts, counts } = counted;
      return -parts.reduce((sum, { least }, part) => sum + Math.max(least, counts[part]), 0);
    },
  };
}

/** Independent parts with their providers in use. */
interface PartCounts {
  readonly parts: ReturnType<typeof independentParts>;
  /** By provider: its part. */
  readonly partOf: Uint16Array;
  /** By part: the number of providers in use. */
  readonly counts: Uint16Array;
}

function countParts(parts: PartCounts['parts'], uses: Uint16Array): PartCounts {
  const partOf = new Uint16Array(uses.length);
  const counts = new Uint16Array(parts.length);
  parts.forEach((part, at) =>
    part.providers.forEach((provider) => {
      partOf[provider] = at;
      if (uses[provider] > 0) counts[at]++;
    }),
  );
  return { parts, partOf, counts };
}

/**
 * Divides services into parts that share no provider. No candidate has fewer than `least` providers of a part.
 */
function independentParts(
  plan: Plan,
  services: readonly Service[],
  locate: (provider: number) => ProviderRef,
) {
  const parts: { services: Service[]; providers: Set<number> }[] = [];
  for (const service of services) {
    const joined = { services: [service], providers: new Set(service.domain) };
    for (let at = parts.length - 1; at >= 0; at--) {
      if (!service.domain.some((provider) => parts[at].providers.has(provider))) continue;
      const [part] = parts.splice(at, 1);
      joined.services.push(...part.services);
      for (const provider of part.providers) joined.providers.add(provider);
    }
    parts.push(joined);
  }
  return parts.map((part) => ({
    providers: part.providers,
    least:
      part.providers.size <= 1
        ? 1
        : Math.max(
            disjoint(part.services),
            isolated(plan, part.services),
            leastByCapacity(plan, part.services, [...part.providers].map(locate)),
          ),
  }));
}

/** Counts services that share no provider with each other. */
function disjoint(services: readonly Service[]): number {
  const seen = new Set<number>();
  let count = 0;
  for (const { domain } of services.toSorted((a, b) => a.domain.length - b.domain.length)) {
    if (domain.some((provider) => seen.has(provider))) continue;
    for (const provider of domain) seen.add(provider);
    count++;
  }
  return count;
}

/** Counts variables that must have different providers. */
function isolated({ isolation }: Plan, services: readonly Service[]): number {
  if (isolation === null) return 1;
  const variables = services.flatMap((service) => service.variables);
  const alone = variables.filter((variable) => isolation.alone.has(variable)).length;
  const hasOther = variables.some(
    (variable) => isolation.among.has(variable) && !isolation.alone.has(variable),
  );
  return alone + (alone > 0 && hasOther ? 1 : 0);
}

/** Returns the minimum number of providers for the amounts of each class. */
function leastByCapacity(
  { variables }: Plan,
  services: readonly Service[],
  providers: readonly ProviderRef[],
): number {
  const resources = services.flatMap((service) => service.variables.flatMap((at) => variables[at].resources));
  let least = 1;
  for (const [resourceClass, amounts] of groupBy(resources, (each) => each.resourceClass)) {
    const all = amounts.map(({ amount }) => amount);
    const largest = providers.map((provider) => largestAmount(provider, resourceClass));
    const sum = all.reduce((total, amount) => total + amount, 0);
    const most = largest.reduce((a, b) => Math.max(a, b), 0);
    // No provider can serve two variables with amounts above half of the largest free amount.
    const alone = all.filter((amount) => 2 * amount > most).length;
    least = Math.max(least, fewestFor(sum, largest), services.some(({ canSplit }) => canSplit) ? 0 : alone);
  }
  return least;
}
