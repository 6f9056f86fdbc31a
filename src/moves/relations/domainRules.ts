import { addToGroup } from '../../model/collections.js';
import { positionsIn, treesWithAny, type Snapshot } from '../../fleet/snapshot.js';
import type { AnchorProvider, CandidateAllocation } from '../../search/anchor.js';
import { IdSet } from '../../search/clauses.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Plan } from '../../search/plan.js';
import type { Positions } from './relation.js';

/** The domains of a rule. */
interface Level {
  /** Returns the domains of a consumer on these providers. Sharing providers do not count. */
  domainsWith(providers: readonly AnchorProvider[]): readonly number[];
}

/** A rule of a named workload that no request can state, because it depends on the positions of its other consumers. */
export interface DomainRule {
  /** INSIDE: each consumer that is in a domain stays in one. */
  readonly kind: 'SAME' | 'DIFFERENT' | 'SPREAD' | 'INSIDE';
  readonly level: Level;
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
  placeOf(uuid: string): readonly CandidateAllocation[];
}

type Domains = readonly number[];

/** A rule with the consumers of the problem, and the domains of its other consumers, which keep their positions. */
interface BoundRule extends Omit<DomainRule, 'consumers'> {
  readonly uuids: readonly string[];
  readonly consumers: readonly number[];
  readonly fixed: readonly Domains[];
  readonly fixedTrees: readonly number[];
}

/** The rules of named workloads on domains, judged by positions. A move breaks no rule that holds. */
export class DomainRules {
  private readonly rules: readonly BoundRule[];
  private readonly byConsumer = new Map<number, BoundRule[]>();

  /** @param indices the consumers of the problem, by uuid */
  constructor(
    private readonly snapshot: Snapshot,
    workloads: WorkloadRules,
    indices: ReadonlyMap<string, number>,
  ) {
    this.rules = workloads.rules.map(({ consumers, ...rule }) => {
      const others = consumers.filter((uuid) => !indices.has(uuid)).map((uuid) => workloads.placeOf(uuid));
      return {
        ...rule,
        uuids: consumers,
        consumers: consumers.flatMap((uuid) => indices.get(uuid) ?? []),
        fixed: others.map((place) => domainsOf(rule.level, place)),
        fixedTrees: others.flatMap((place) => place.map(({ provider }) => provider.treeIndex)),
      };
    });
    for (const rule of this.rules)
      for (const consumer of rule.consumers) addToGroup(this.byConsumer, consumer, rule);
  }

  has(consumer: number): boolean {
    return this.byConsumer.has(consumer);
  }

  /** Returns whether a consumer must be in one domain with others. */
  mustBeTogether(consumer: number): boolean {
    return this.byConsumer.get(consumer)?.some(({ kind }) => kind === 'SAME') ?? false;
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
    return (this.byConsumer.get(consumer) ?? []).some((rule) => {
      const [from, to] = [before, after].map((at) => domainsOf(rule.level, at(consumer) ?? []));
      if (to.length === 0 && from.length > 0 && !rule.allowOutside) return true;
      const stay: Positions = (one) => after(one) ?? before(one);
      if (rule.kind === 'SAME') return countsSame && isTogether(rule, before) && !isTogether(rule, after);
      if (rule.kind === 'SPREAD') return !isAsEven(rule, countsAt(rule, before), countsAt(rule, stay));
      if (rule.kind === 'INSIDE') return false;
      const others = rule.consumers.filter((one) => one !== consumer);
      const isShared = (own: Domains, at: Positions): ((one: number) => boolean) => {
        return (one) => meets(own, domainsOf(rule.level, at(one) ?? []));
      };
      const [wasShared, becomesShared] = [isShared(from, before), isShared(to, stay)];
      return (
        others.some((one) => becomesShared(one) && !wasShared(one)) ||
        rule.fixed.some((domains) => meets(to, domains) && !meets(from, domains))
      );
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
    let plan = planned;
    for (const rule of this.byConsumer.get(consumer) ?? []) {
      const others = rule.consumers.filter((one) => one !== consumer);
      if (rule.kind === 'DIFFERENT') {
        const used = new Set(
          [
            ...rule.fixed,
            ...others.map((one) => domainsOf(rule.level, positions(one) ?? present(one) ?? [])),
          ].flat(),
        );
        plan = this.without(plan, rule, used);
      } else if (rule.kind === 'SPREAD') {
        const before = countsAt(rule, present);
        const rest = countsAt(rule, (one) => (one === consumer ? [] : (positions(one) ?? present(one))));
        const isAllowed = (domain: number): boolean =>
          isAsEven(rule, before, new Map(rest).set(domain, (rest.get(domain) ?? 0) + 1));
        plan = using(plan, (provider) => rule.level.domainsWith([provider]).every(isAllowed));
      } else if (!rule.allowOutside || rule.kind === 'SAME') {
        plan = this.inside(plan, rule, rule.kind === 'SAME' ? others : [], positions, present);
      }
    }
    return plan;
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
    let explained = request;
    for (const rule of this.byConsumer.get(consumer) ?? []) {
      const others = rule.uuids.filter((one) => one !== uuid);
      const { rootForbiddenAggregates: forbidden, awayFromConsumers: away, nearConsumers } = explained;
      if (rule.kind === 'SAME' && nearConsumers.length === 0)
        explained = { ...explained, nearConsumers: others };
      if (rule.kind !== 'DIFFERENT') continue;
      if (rule.aggregates.length === 0)
        explained = { ...explained, awayFromConsumers: [...new Set([...away, ...others])] };
      const used = countsAt(rule, (one) => (one === consumer ? null : positions(one)));
      const uuids = Array.from(used.keys(), (domain) =>
        this.snapshot.aggregates.nameOf(rule.aggregates[domain]),
      );
      if (rule.aggregates.length > 0)
        explained = { ...explained, rootForbiddenAggregates: [...new Set([...forbidden, ...uuids])] };
    }
    return explained;
  }

  private without(plan: Plan, { level, aggregates }: BoundRule, used: ReadonlySet<number>): Plan {
    if (used.size === 0) return plan;
    const { root } = plan;
    const ids = [...used].flatMap((domain) => aggregates[domain] ?? []);
    const forbiddenAggregates = new IdSet([...root.forbiddenAggregates.ids, ...ids]);
    const isFree = (provider: AnchorProvider): boolean =>
      !level.domainsWith([provider]).some((domain) => used.has(domain));
    return using({ ...plan, root: { ...root, forbiddenAggregates } }, isFree);
  }

  /** Restricts a plan to the trees with a domain, and for SAME to the common domains of others with a place. */
  private inside(
    plan: Plan,
    rule: BoundRule,
    others: readonly number[],
    positions: Positions,
    present: Positions,
  ): Plan {
    const { level, aggregates } = rule;
    const isSame = rule.kind === 'SAME';
    if (isSame && !isTogether(rule, present)) return plan;
    const placed = others.flatMap((one) => positions(one) ?? []);
    const common = isSame ? commonOf(rule, (one) => (others.includes(one) ? positions(one) : null)) : null;
    if (common === null && aggregates.length === 0) return plan;
    const trees =
      common !== null && aggregates.length === 0
        ? new Set([...placed.map(({ provider }) => provider.treeIndex), ...rule.fixedTrees])
        : this.treesIn(common === null ? aggregates : Array.from(common, (domain) => aggregates[domain]));
    const near = rule.allowOutside ? plan.trees.near : restrictedTo(trees, plan.trees.near);
    const inTrees = { ...plan, trees: { ...plan.trees, near } };
    if (common === null) return inTrees;
    return using(inTrees, (provider) => {
      const own = level.domainsWith([provider]);
      return own.length === 0 || own.some((domain) => common.has(domain));
    });
  }

  private treesIn(aggregates: readonly number[]): Set<number> {
    return new Set(
      this.snapshot.blocks.flatMap(({ firstTree, index }) =>
        positionsIn(treesWithAny(index.aggregates, aggregates)).map((tree) => firstTree + tree),
      ),
    );
  }
}

function domainsOf(level: Level, allocations: readonly CandidateAllocation[]): Domains {
  return level.domainsWith(allocations.map(({ provider }) => provider));
}

function meets(some: Domains, others: Domains): boolean {
  return some.some((domain) => others.includes(domain));
}

/** Returns the domains that all consumers with a place in a domain have; null if there is no such consumer. */
function commonOf({ level, consumers, fixed }: BoundRule, positions: Positions): ReadonlySet<number> | null {
  const all = [...fixed, ...consumers.map((one) => domainsOf(level, positions(one) ?? []))];
  const [first, ...others] = all.filter((domains) => domains.length > 0);
  if (first === undefined) return null;
  return new Set(first.filter((domain) => others.every((domains) => domains.includes(domain))));
}

function isTogether(rule: BoundRule, positions: Positions): boolean {
  return commonOf(rule, positions)?.size !== 0;
}

function countsAt({ level, consumers, fixed }: BoundRule, positions: Positions): Map<number, number> {
  const counts = new Map<number, number>();
  const all = [...fixed, ...consumers.map((one) => domainsOf(level, positions(one) ?? []))];
  for (const domain of all.flat()) counts.set(domain, (counts.get(domain) ?? 0) + 1);
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

/** Returns the plan without the providers that do not pass. Sharing providers always do: they are in no domain. */
function using(plan: Plan, passes: (provider: AnchorProvider) => boolean): Plan {
  const { mayUse } = plan;
  return { ...plan, mayUse: mayUse === null ? passes : (one) => mayUse(one) && passes(one) };
}

function restrictedTo(trees: ReadonlySet<number>, near: ReadonlySet<number> | null): ReadonlySet<number> {
  return near === null ? trees : new Set([...near].filter((tree) => trees.has(tree)));
}
