import { addToGroup } from '../../model/collections.js';
import { positionsIn, treesWithAny, type Snapshot } from '../../fleet/snapshot.js';
import type { AnchorProvider, CandidateAllocation } from '../../search/anchor.js';
import { IdSet } from '../../search/clauses.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Plan } from '../../search/plan.js';
import type { Positions } from './relation.js';

type Place = readonly CandidateAllocation[];
type Domains = readonly number[];

/** A rule of a named workload that no request can state, because it depends on the positions of its other consumers. */
export interface DomainRule {
  /** INSIDE: each consumer that is in a domain stays in one. */
  readonly kind: 'SAME' | 'DIFFERENT' | 'SPREAD' | 'INSIDE';
  /** Returns the domains of a consumer on these providers. Sharing providers do not count. */
  readonly domainsWith: (providers: readonly AnchorProvider[]) => Domains;
  /** The ids of the aggregates that are the domains; empty for another level. */
  readonly aggregates: readonly number[];
  readonly maxSkew: number;
  readonly allowOutside: boolean;
  /** The uuids of its consumers. */
  readonly consumers: readonly string[];
}

/** The rules of the named workloads of some consumers. */
export interface WorkloadRules {
  readonly rules: readonly DomainRule[];
  /** Returns the present allocations of any consumer of the rules. */
  placeOf(uuid: string): Place;
}

/** A rule with the consumers of the problem, and the places of its other consumers, which keep them. */
interface BoundRule extends Omit<DomainRule, 'consumers'> {
  readonly uuids: readonly string[];
  readonly consumers: readonly number[];
  readonly fixed: readonly Place[];
}

/** The rules of named workloads on domains, judged by positions. A move breaks no rule that holds. */
export class DomainRules {
  private readonly rules: readonly BoundRule[];
  private readonly byConsumer = new Map<number, BoundRule[]>();

  /** @param indices the consumers of the problem, by uuid */
  constructor(
    private readonly snapshot: Snapshot,
    workloads: WorkloadRules | null,
    indices: ReadonlyMap<string, number>,
  ) {
    this.rules = (workloads?.rules ?? []).map(({ consumers, ...rule }) => ({
      ...rule,
      uuids: consumers,
      consumers: consumers.flatMap((uuid) => indices.get(uuid) ?? []),
      fixed: consumers.flatMap((uuid) => (indices.has(uuid) ? [] : [workloads!.placeOf(uuid)])),
    }));
    for (const rule of this.rules)
      for (const consumer of rule.consumers) addToGroup(this.byConsumer, consumer, rule);
  }

  has(consumer: number): boolean {
    return this.byConsumer.has(consumer);
  }

  /** Returns whether a consumer must be in one domain with others. */
  mustBeTogether(consumer: number): boolean {
    return this.of(consumer).some(({ kind }) => kind === 'SAME');
  }

  /** The consumers that must be in one domain, by rule. */
  get together(): (readonly number[])[] {
    return this.rules.filter(({ kind }) => kind === 'SAME').map(({ consumers }) => consumers);
  }

  /**
   * Returns whether a change breaks a rule of the consumer. Other consumers without a place after it do not count for
   * SAME; for other rules they count where they were.
   */
  breaks(consumer: number, before: Positions, after: Positions, countsSame = true): boolean {
    const atLast: Positions = (one) => after(one) ?? before(one);
    return this.of(consumer).some((rule) => {
      if (isInside(rule, before(consumer)) && !isInside(rule, after(consumer)) && !rule.allowOutside)
        return true;
      switch (rule.kind) {
        case 'SAME':
          return countsSame && isTogether(rule, before) && !isTogether(rule, after);
        case 'SPREAD':
          return !isAsEven(rule, countsAt(rule, before), countsAt(rule, atLast));
        case 'DIFFERENT': {
          const [were, are] = [sharingAt(rule, consumer, before), sharingAt(rule, consumer, atLast)];
          return are.some((shares, at) => shares && !were[at]);
        }
        case 'INSIDE':
          return false;
      }
    });
  }

  /**
   * Restricts a plan to providers that the rules of a consumer allow. `breaks` remains to be checked, because a consumer
   * has to be in a domain at all.
   *
   * @param positions those of the other consumers; null for SAME: without a place
   * @param present where consumers are now
   */
  restrict(planned: Plan, consumer: number, positions: Positions, present: Positions): Plan {
    const others: Positions = (one) => (one === consumer ? null : (positions(one) ?? present(one)));
    return this.of(consumer).reduce((plan, rule) => {
      switch (rule.kind) {
        case 'SAME':
          return isTogether(rule, present) ? this.beside(plan, rule, consumer, positions) : plan;
        case 'SPREAD':
          return keepingEven(plan, rule, countsAt(rule, present), countsAt(rule, others));
        case 'DIFFERENT':
          return without(plan, rule, new Set(countsAt(rule, others).keys()));
        case 'INSIDE':
          return this.inAggregates(plan, rule.aggregates);
      }
    }, planned);
  }

  /**
   * Returns a request with conditions that explain what the rules of a consumer exclude: the aggregates and trees of others
   * for DIFFERENT, the trees of others for SAME.
   */
  explained(
    request: CandidatesRequest,
    consumer: number,
    uuid: string,
    positions: Positions,
  ): CandidatesRequest {
    return this.of(consumer).reduce((explained, rule) => {
      const { rootForbiddenAggregates: forbidden, awayFromConsumers: away, nearConsumers } = explained;
      const others = rule.uuids.filter((one) => one !== uuid);
      if (rule.kind === 'SAME' && nearConsumers.length === 0) return { ...explained, nearConsumers: others };
      if (rule.kind !== 'DIFFERENT') return explained;
      if (rule.aggregates.length === 0)
        return { ...explained, awayFromConsumers: [...new Set([...away, ...others])] };
      const used = countsAt(rule, (one) => (one === consumer ? null : positions(one)));
      const uuids = Array.from(used.keys(), (domain) =>
        this.snapshot.aggregates.nameOf(rule.aggregates[domain]),
      );
      return { ...explained, rootForbiddenAggregates: [...new Set([...forbidden, ...uuids])] };
    }, request);
  }

  private of(consumer: number): readonly BoundRule[] {
    return this.byConsumer.get(consumer) ?? [];
  }

  /** Restricts a plan to the common domains of the other consumers that have a place. */
  private beside(plan: Plan, rule: BoundRule, consumer: number, positions: Positions): Plan {
    const { domainsWith, aggregates, allowOutside } = rule;
    const others: Positions = (one) => (one === consumer ? null : positions(one));
    const common = commonOf(rule, others);
    if (common === null) return allowOutside ? plan : this.inAggregates(plan, aggregates);
    const restricted = using(plan, (provider) => {
      const own = domainsWith([provider]);
      return own.length === 0 || own.some((domain) => common.has(domain));
    });
    if (allowOutside) return restricted;
    if (aggregates.length > 0)
      return this.inAggregates(
        restricted,
        Array.from(common, (domain) => aggregates[domain]),
      );
    const providers = placesAt(rule, others).flatMap((place) => place.map(({ provider }) => provider));
    return near(restricted, new Set(providers.map(({ treeIndex }) => treeIndex)));
  }

  /** Restricts a plan to the trees with a provider in one of these aggregates. Domains of a trait have none. */
  private inAggregates(plan: Plan, aggregates: readonly number[]): Plan {
    if (aggregates.length === 0) return plan;
    const trees = this.snapshot.blocks.flatMap(({ firstTree, index }) =>
      positionsIn(treesWithAny(index.aggregates, aggregates)).map((tree) => firstTree + tree),
    );
    return near(plan, new Set(trees));
  }
}

function domainsAt({ domainsWith }: BoundRule, place: Place | null): Domains {
  return place === null ? [] : domainsWith(place.map(({ provider }) => provider));
}

function isInside(rule: BoundRule, place: Place | null): boolean {
  return domainsAt(rule, place).length > 0;
}

/** Returns the places of all consumers of a rule, empty without a place. Their order is always the same. */
function placesAt({ fixed, consumers }: BoundRule, positions: Positions): Place[] {
  return [...fixed, ...consumers.map((one) => positions(one) ?? [])];
}

/** Returns by consumer of a rule whether another one, this consumer, is in a domain with it. */
function sharingAt(rule: BoundRule, consumer: number, positions: Positions): boolean[] {
  const own = domainsAt(rule, positions(consumer));
  const others: Positions = (one) => (one === consumer ? null : positions(one));
  return placesAt(rule, others).map((place) => domainsAt(rule, place).some((domain) => own.includes(domain)));
}

/** Returns the domains that all consumers with a place in a domain have; null if there is no such consumer. */
function commonOf(rule: BoundRule, positions: Positions): ReadonlySet<number> | null {
  const all = placesAt(rule, positions).map((place) => domainsAt(rule, place));
  const [first, ...others] = all.filter((domains) => domains.length > 0);
  if (first === undefined) return null;
  return new Set(first.filter((domain) => others.every((domains) => domains.includes(domain))));
}

function isTogether(rule: BoundRule, positions: Positions): boolean {
  return commonOf(rule, positions)?.size !== 0;
}

/** Returns the numbers of consumers by domain. */
function countsAt(rule: BoundRule, positions: Positions): Map<number, number> {
  const counts = new Map<number, number>();
  for (const domain of placesAt(rule, positions).flatMap((place) => domainsAt(rule, place)))
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return counts;
}

/**
 * Returns whether a distribution keeps the maximum skew, or is no less even than before. Domains without consumers before
 * and after may count too, so the highest number must not rise above both that before and the skew.
 */
function isAsEven(
  { maxSkew }: BoundRule,
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): boolean {
  const domains = [...new Set([...before.keys(), ...after.keys()])];
  const [was, is] = [before, after].map((counts) => domains.map((domain) => counts.get(domain) ?? 0));
  const skewOf = (counts: readonly number[]): number => Math.max(0, ...counts) - Math.min(...counts);
  return (
    domains.length === 0 ||
    (skewOf(is) <= Math.max(maxSkew, skewOf(was)) && Math.max(...is) <= Math.max(maxSkew, ...was))
  );
}

/** @param others the numbers of the other consumers after the move */
function keepingEven(
  plan: Plan,
  rule: BoundRule,
  before: ReadonlyMap<number, number>,
  others: ReadonlyMap<number, number>,
): Plan {
  const isAllowed = (domain: number): boolean =>
    isAsEven(rule, before, new Map(others).set(domain, (others.get(domain) ?? 0) + 1));
  return using(plan, (provider) => rule.domainsWith([provider]).every(isAllowed));
}

function without(plan: Plan, { domainsWith, aggregates }: BoundRule, used: ReadonlySet<number>): Plan {
  if (used.size === 0) return plan;
  const { root } = plan;
  const ids = [...used].flatMap((domain) => aggregates[domain] ?? []);
  const forbiddenAggregates = new IdSet([...root.forbiddenAggregates.ids, ...ids]);
  return using({ ...plan, root: { ...root, forbiddenAggregates } }, (provider) =>
    domainsWith([provider]).every((domain) => !used.has(domain)),
  );
}

/** Returns the plan without the providers that do not pass. Sharing providers always do: they are in no domain. */
function using(plan: Plan, passes: (provider: AnchorProvider) => boolean): Plan {
  const { mayUse } = plan;
  return { ...plan, mayUse: mayUse === null ? passes : (one) => mayUse(one) && passes(one) };
}

/** Returns the plan in some of its trees. */
function near(plan: Plan, trees: ReadonlySet<number>): Plan {
  const { near: before } = plan.trees;
  const both = before === null ? trees : new Set([...before].filter((tree) => trees.has(tree)));
  return { ...plan, trees: { ...plan.trees, near: both } };
}
