import type { Plan } from '../../model/plan.js';
import { freeAt, inventoryAt, type ProviderRef, type Tree } from '../../model/snapshot.js';
import { partsOf, type Anchor } from '../../search/anchor.js';
import { fewestFor } from './demand.js';
import { needsOf, servicesAt, servicesIn, type Need, type Service } from './services.js';
import type { Term, TermBound } from './term.js';

/** The number of providers of a candidate, negated. */
export class FewestProviders implements Term {
  readonly variables: readonly number[];
  readonly key: string;
  readonly boundBySharing = null;
  /** The needs that only the tree's own providers can serve. */
  private readonly needs: readonly Need[];

  constructor(
    private readonly plan: Plan,
    shareable: readonly boolean[],
  ) {
    const needs = needsOf(plan, shareable);
    this.variables = needs.flatMap(({ variables }) => variables);
    this.needs = needs.filter(({ isShareable }) => !isShareable);
    const { alone = [], among = [] } = plan.isolation ?? {};
    this.key = JSON.stringify([this.needs, [...alone], [...among]]);
  }

  boundOfTree({ block, start, end }: Tree): number {
    const services = servicesIn({ block, start, end }, this.needs);
    if (services === null) return -Infinity;
    if (end - start <= 1 || services.length === 0) return -1;
    const parts = independentParts(this.plan, services, (row) => ({ block, row }));
    return -parts.reduce((sum, { least }) => sum + least, 0);
  }

  /** Prefers providers that could serve many variables. */
  preferences({ providers, domains }: Pick<Anchor, 'providers' | 'domains'>): number[] {
    const counts = providers.map(() => 0);
    for (const provider of domains.flat()) counts[provider]++;
    return counts;
  }

  boundAt(anchor: Anchor): TermBound {
    return new CountBound(this.plan, anchor);
  }
}

class CountBound implements TermBound {
  /** By provider: the number of variables that allocate from it. */
  private readonly uses: Uint16Array;
  /** By provider: its part. */
  private readonly partOf: Uint16Array;
  /** By part: the number of providers in use, and the minimum number in every candidate. */
  private readonly counts: Uint16Array;
  private readonly least: readonly number[];
  private readonly decides: ReadonlySet<number>;

  constructor(
    plan: Plan,
    private readonly anchor: Anchor,
  ) {
    const { providers } = anchor;
    const services = servicesAt(plan, anchor);
    const parts = independentParts(plan, services, (provider) => providers[provider]);
    this.uses = new Uint16Array(providers.length);
    this.partOf = new Uint16Array(providers.length);
    this.counts = new Uint16Array(parts.length);
    this.least = parts.map(({ least }) => least);
    parts.forEach((part, at) => part.providers.forEach((provider) => (this.partOf[provider] = at)));
    this.decides = new Set(services.flatMap(({ variables }) => variables));
  }

  move(variable: number, value: number, direction: 1 | -1): void {
    if (!this.decides.has(variable)) return;
    const parts = partsOf(this.anchor, value);
    if (parts === undefined) this.use(value, direction);
    else for (const { provider } of parts) this.use(provider, direction);
  }

  private use(provider: number, direction: 1 | -1): void {
    const before = this.uses[provider];
    this.uses[provider] += direction;
    if ((before === 0) !== (this.uses[provider] === 0)) this.counts[this.partOf[provider]] += direction;
  }

  best(): number {
    return -this.least.reduce((sum, least, part) => sum + Math.max(least, this.counts[part]), 0);
  }
}

/** Services that share providers with each other and with no other service. */
interface Part {
  readonly providers: ReadonlySet<number>;
  /** No candidate has fewer providers of this part. */
  readonly least: number;
}

function independentParts(
  plan: Plan,
  services: readonly Service[],
  locate: (provider: number) => ProviderRef,
): Part[] {
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
  const amounts = new Map<number, number[]>();
  for (const service of services)
    for (const variable of service.variables)
      for (const { resourceClass, amount } of variables[variable].resources)
        amounts.set(resourceClass, [...(amounts.get(resourceClass) ?? []), amount]);
  let least = 1;
  for (const [resourceClass, all] of amounts) {
    const largest = providers.map(({ block, row }) => {
      const at = inventoryAt(block, row, resourceClass);
      return at < 0 ? 0 : Math.max(0, Math.min(freeAt(block, at), block.maxUnits[at]));
    });
    const sum = all.reduce((total, amount) => total + amount, 0);
    const most = largest.reduce((a, b) => Math.max(a, b), 0);
    // No provider can serve two variables with amounts above half of the largest free amount.
    const alone = all.filter((amount) => 2 * amount > most).length;
    least = Math.max(least, fewestFor(sum, largest), services.some(({ canSplit }) => canSplit) ? 0 : alone);
  }
  return least;
}
