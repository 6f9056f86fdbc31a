import type { CandidatesRequest } from '../model/request.js';
import type { Effort } from '../model/operation/waiting.js';
import type { Operation } from '../model/operation/operation.js';
import type { AnchorProvider, CandidateAllocation } from '../search/anchor.js';
import { UNKNOWN } from '../search/clauses.js';
import { isSharing } from '../search/treeFilter.js';
import type { Snapshot } from '../fleet/snapshot.js';
import { addToGroup } from '../model/collections.js';
import { readHeldConsumers, type ConsumerReader } from '../store/sql/consumers.js';
import {
  readTopologies,
  readWorkloadMembers,
  workloadsOf,
  type WorkloadMemberEntity,
} from '../store/sql/workloads.js';
import { allocationsIn } from './heldConsumers.js';
import type { DomainRule, WorkloadRules } from './relations/domainRules.js';
import { Level } from './workload/levels.js';
import type { PlannedLevel, TopologyRule } from './workload/workload.js';
import { rulesOfText } from './workloadRules.js';

/** A named workload of consumers that a plan may move. */
interface BoundWorkload {
  readonly rules: readonly TopologyRule[];
  readonly members: readonly WorkloadMemberEntity[];
}

/** The named workloads of some consumers, and the allocations of their other consumers. */
export interface BoundWorkloads {
  readonly workloads: readonly BoundWorkload[];
  readonly held: Awaited<ReturnType<typeof readHeldConsumers>>;
}

/** Reads the named workloads of consumers. Takes one statement if they are in none. */
export async function readBoundWorkloads(
  database: ConsumerReader,
  uuids: readonly string[],
  operation: Operation,
): Promise<BoundWorkloads> {
  const found = new Set(Array.from((await workloadsOf(database, uuids)).values(), ({ id }) => id));
  const members = await readWorkloadMembers(database, [...found]);
  const topologies = await readTopologies(database.pool, [...found]);
  const workloads: BoundWorkload[] = [];
  for (const id of found) {
    const topology = topologies.get(id);
    if (topology === undefined) continue;
    workloads.push({ rules: rulesOfText(topology), members: members.get(id) ?? [] });
    await operation.pauseAfterSlice();
  }
  const all = workloads.flatMap((workload) => workload.members.flatMap(({ consumers }) => consumers));
  return { workloads, held: all.length === 0 ? new Map() : await readHeldConsumers(database, all) };
}

/** The conditions that the rules of its workload add to the request of a consumer. */
interface Binding {
  readonly away: (readonly string[])[];
  readonly near: (readonly string[])[];
  /** Lists of aggregates: the root must be in one of each. */
  readonly rootMemberOf: (readonly string[])[];
  /** Aggregates in which the root must not be. */
  readonly forbidden: Set<string>;
}

/**
 * Translates the rules of named workloads to conditions on requests, so that moves keep the rules that hold. Rules on
 * trees become relations. Rules on aggregates of roots keep a consumer in its domains and out of others, and one that is in
 * none out of all; under DIFFERENT it may also move to domains without consumers of the rule. Under SAME it may also be in
 * further domains. PACK is a preference, which moves may worsen, but it keeps a consumer in some domain. A SAME rule that
 * does not hold, or SPREAD on trees, binds nothing. `rules` has DIFFERENT, and all rules on providers below roots: they depend
 * on the positions of the other consumers.
 */
export class WorkloadBindings implements WorkloadRules {
  private readonly bindings = new Map<string, Binding>();
  readonly rules: DomainRule[] = [];
  /** False if conditions are stricter than the rules: SAME and SPREAD keep consumers in their present domains. */
  areExact = true;

  /** The aggregates of providers below roots. Null until it is read. */
  private belowRoots: ReadonlySet<number> | null = null;

  private constructor(
    private readonly snapshot: Snapshot,
    private readonly held: BoundWorkloads['held'],
  ) {}

  /** Yields when the effort is used up. */
  static *of(
    snapshot: Snapshot,
    { workloads, held }: BoundWorkloads,
    effort: Effort,
  ): Generator<void, WorkloadBindings> {
    const bindings = new WorkloadBindings(snapshot, held);
    for (const workload of workloads) {
      if (effort.isUsedUp) yield;
      yield* bindings.addWorkload(workload, effort);
    }
    return bindings;
  }

  private *addWorkload({ rules, members }: BoundWorkload, effort: Effort): Generator<void> {
    for (const { placement, consumers } of members) {
      if (placement === 'DISTINCT_TREES') this.bindAway(consumers);
      if (placement === 'SAME_TREE') this.bindNear(consumers);
    }
    for (const rule of rules) {
      const named = members.filter(({ name }) => rule.members.includes(name));
      const consumers = named.flatMap((member) => member.consumers);
      if (rule.level.kind !== 'TREE') {
        const { level } = rule;
        effort.otherWork += level.kind === 'AGGREGATES' ? level.aggregates.length / READ_PER_WORK : 1;
        if (effort.isUsedUp) yield;
        this.belowRoots ??= yield* aggregatesBelowRoots(this.snapshot, effort);
        this.add(rule, this.levelOf(rule.level), consumers);
      } else if (rule.rule === 'DIFFERENT') this.bindAway(consumers);
      else if (rule.rule === 'SAME') this.bindNear(consumers);
    }
  }

  /** Returns the request with the conditions of the workload of a consumer. */
  bound(uuid: string, request: CandidatesRequest): CandidatesRequest {
    const binding = this.bindings.get(uuid);
    if (binding === undefined) return request;
    const { away, near, rootMemberOf, forbidden } = binding;
    const [nearConsumers = [], ...alsoNear] = [request.nearConsumers, ...near].filter(
      (one) => one.length > 0,
    );
    return {
      ...request,
      awayFromConsumers: joined(request.awayFromConsumers, away),
      nearConsumers,
      ...(alsoNear.length > 0 && { alsoNear }),
      rootMemberOf:
        rootMemberOf.length === 0 ? request.rootMemberOf : [...request.rootMemberOf, ...rootMemberOf],
      rootForbiddenAggregates: [...new Set([...request.rootForbiddenAggregates, ...forbidden])],
    };
  }

  private levelOf(level: Exclude<TopologyRule['level'], { kind: 'TREE' }>): PlannedLevel {
    const { aggregates, traits } = this.snapshot;
    return level.kind === 'TRAIT'
      ? { ...level, trait: traits.idOf(level.trait) ?? UNKNOWN }
      : { ...level, aggregates: level.aggregates.map((uuid) => aggregates.idOf(uuid) ?? UNKNOWN) };
  }

  private add(given: TopologyRule, planned: PlannedLevel, consumers: readonly string[]): void {
    const { level, rule, maxSkew, allowOutside } = given;
    const domains = new Level(this.snapshot, planned);
    const own = consumers.map((uuid) =>
      domains.domainsWith(this.placeOf(uuid).map(({ provider }) => provider)),
    );
    const kind = rule === 'PACK' || consumers.length === 1 ? 'INSIDE' : rule;
    const aggregates = planned.kind === 'AGGREGATES' ? planned.aggregates : [];
    if (kind === 'INSIDE' && allowOutside) return;
    if (level.kind === 'AGGREGATES' && aggregates.every((id) => !this.belowRoots!.has(id))) {
      if (kind === 'SAME' || kind === 'SPREAD') return this.keepIn(given, level.aggregates, consumers, own);
      for (const [at, uuid] of consumers.entries())
        if (own[at].length > 0) this.bindingOf(uuid).rootMemberOf.push(level.aggregates);
      if (kind === 'INSIDE') return;
    }
    if (kind === 'DIFFERENT' && level.kind === 'TRAIT') this.bindApart(consumers, own);
    const domainsWith = (providers: readonly AnchorProvider[]): readonly number[] =>
      domains.domainsWith(providers);
    this.rules.push({ kind, domainsWith, aggregates, maxSkew, allowOutside, consumers });
  }

  /** Keeps consumers of SAME and SPREAD in their aggregates of roots. */
  private keepIn(
    { rule, allowOutside }: TopologyRule,
    aggregates: readonly string[],
    consumers: readonly string[],
    own: readonly (readonly number[])[],
  ): void {
    const inside = own.filter((each) => each.length > 0);
    const common = inside[0]?.find((domain) => inside.every((each) => each.includes(domain)));
    if (rule === 'SAME' && (common === undefined || (inside.length < own.length && !allowOutside))) return;
    this.areExact = false;
    const uuidsOf = (some: readonly number[]): string[] => some.map((domain) => aggregates[domain]);
    consumers.forEach((uuid, at) => {
      const { rootMemberOf, forbidden } = this.bindingOf(uuid);
      const isInside = own[at].length > 0;
      if (rule === 'SAME' && isInside) return void rootMemberOf.push(uuidsOf([common!]));
      const allowed = rule === 'SAME' ? [common!] : own[at];
      if (rule !== 'SAME') for (const domain of allowed) rootMemberOf.push(uuidsOf([domain]));
      for (const [domain, aggregate] of aggregates.entries())
        if (!allowed.includes(domain)) forbidden.add(aggregate);
    });
  }

  /** Keeps consumers in different trees that share a domain now, so that FIX repairs the rule. */
  private bindApart(consumers: readonly string[], own: readonly (readonly number[])[]): void {
    const together = new Map<number, string[]>();
    for (const [at, domains] of own.entries())
      for (const domain of domains) addToGroup(together, domain, consumers[at]);
    for (const some of together.values()) this.bindAway(some);
  }

  placeOf(uuid: string): readonly CandidateAllocation[] {
    const held = this.held.get(uuid);
    const all = held === undefined ? [] : allocationsIn(this.snapshot, held.allocations);
    return all.filter(({ provider }) => !isSharing(provider));
  }

  private bindAway(consumers: readonly string[]): void {
    if (consumers.length > 1) for (const uuid of consumers) this.bindingOf(uuid).away.push(consumers);
  }

  /** Each consumer must stay near the first one. Near any other one, they could part into groups. */
  private bindNear(consumers: readonly string[]): void {
    if (consumers.length < 2) return;
    const first = [consumers[0]];
    for (const [at, uuid] of consumers.entries())
      this.bindingOf(uuid).near.push(at === 0 ? consumers : first);
  }

  private bindingOf(uuid: string): Binding {
    let binding = this.bindings.get(uuid);
    if (binding === undefined)
      this.bindings.set(uuid, (binding = { away: [], near: [], rootMemberOf: [], forbidden: new Set() }));
    return binding;
  }
}

/** Returns all names once. A single list stays the same, because plans compare lists by identity. */
function joined(own: readonly string[], lists: readonly (readonly string[])[]): readonly string[] {
  const all = [own, ...lists].filter((list) => list.length > 0);
  return all.length === 1 ? all[0] : [...new Set(all.flat())];
}

/** About this many providers, or aggregates of a rule, are read in the time of a unit of effort. */
const READ_PER_WORK = 64;

/** Returns the aggregates of providers below roots. */
function* aggregatesBelowRoots({ blocks }: Snapshot, effort: Effort): Generator<void, ReadonlySet<number>> {
  const found = new Set<number>();
  for (const { ids, parents, aggregates, aggregateStarts } of blocks) {
    effort.otherWork += ids.length / READ_PER_WORK;
    if (effort.isUsedUp) yield;
    if (aggregates.length === 0) continue;
    for (let row = 0; row < ids.length; row++) {
      if (parents[row] < 0) continue;
      for (let at = aggregateStarts[row]; at < aggregateStarts[row + 1]; at++) found.add(aggregates[at]);
    }
  }
  return found;
}
