import type { CandidatesRequest } from '../model/request.js';
import type { CandidateAllocation } from '../search/anchor.js';
import { isSharing } from '../search/treeFilter.js';
import type { Snapshot } from '../fleet/snapshot.js';
import { readHeldConsumers, type ConsumerReader } from '../store/sql/consumers.js';
import { readWorkloadMembers, workloadsOf, type WorkloadMemberEntity } from '../store/sql/workloads.js';
import { allocationsIn } from './heldConsumers.js';
import { Level } from './workload/levels.js';
import type { TopologyRule } from './workload/workload.js';
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
): Promise<BoundWorkloads> {
  const found = new Map(
    Array.from((await workloadsOf(database, uuids)).values(), (workload) => [workload.id, workload]),
  );
  const members = await readWorkloadMembers(database, [...found.keys()]);
  const workloads = Array.from(found.values(), ({ id, topology }) => ({
    rules: rulesOfText(topology),
    members: members.get(id) ?? [],
  }));
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
 * trees become relations. Rules on aggregates keep a consumer in its domains and out of others, and one that is in none
 * out of all; under DIFFERENT it may also move to domains without consumers of the rule, which are divided among the
 * consumers so that no two choose the same. Under SAME it may also be in further domains. PACK is a preference, which
 * moves may worsen, but it keeps a consumer in some domain. A SAME rule that does not hold, or SPREAD on trees, binds nothing.
 */
export class WorkloadBindings {
  private readonly bindings = new Map<string, Binding>();

  constructor(
    private readonly snapshot: Snapshot,
    private readonly given: BoundWorkloads,
  ) {
    for (const { rules, members } of given.workloads) {
      for (const { placement, consumers } of members) {
        if (placement === 'DISTINCT_TREES') this.bindAway(consumers);
        if (placement === 'SAME_TREE') this.bindNear(consumers);
      }
      for (const rule of rules) {
        const named = members.filter(({ name }) => rule.members.includes(name));
        this.add(
          rule,
          named.flatMap(({ consumers }) => consumers),
        );
      }
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

  private add({ level, rule, allowOutside }: TopologyRule, consumers: readonly string[]): void {
    if (level.kind === 'TREE' || level.kind === 'TRAIT') {
      if (consumers.length < 2) return;
      // other trees have other domains, so this is stricter than the rule
      if (rule === 'DIFFERENT') this.bindAway(consumers);
      if (rule === 'SAME' && level.kind === 'TREE') this.bindNear(consumers);
      return;
    }
    const { aggregates } = level;
    const domains = new Level(this.snapshot, {
      kind: 'AGGREGATES',
      aggregates: aggregates.map((uuid) => this.snapshot.aggregates.idOf(uuid) ?? -1),
    });
    const own = consumers.map((uuid) =>
      domains.domainsWith(this.placeOf(uuid).map(({ provider }) => provider)),
    );
    if (rule === 'PACK' || consumers.length === 1) {
      if (!allowOutside)
        for (const [at, uuid] of consumers.entries())
          if (own[at].length > 0) this.bindingOf(uuid).rootMemberOf.push(aggregates);
      return;
    }
    const used = new Set(own.flat());
    const unused = [...aggregates.keys()].filter((domain) => !used.has(domain));
    const inside = own.filter((each) => each.length > 0);
    const common = inside[0]?.find((domain) => inside.every((each) => each.includes(domain)));
    if (rule === 'SAME' && (common === undefined || (inside.length < own.length && !allowOutside))) return;
    consumers.forEach((uuid, at) => {
      const { rootMemberOf, forbidden } = this.bindingOf(uuid);
      const isInside = own[at].length > 0;
      const uuidsOf = (some: readonly number[]): string[] => some.map((domain) => aggregates[domain]);
      const forbidAllBut = (allowed: readonly number[]): void => {
        for (const [domain, aggregate] of aggregates.entries())
          if (!allowed.includes(domain)) forbidden.add(aggregate);
      };
      if (rule === 'SAME') {
        if (isInside) rootMemberOf.push(uuidsOf([common!]));
        else forbidAllBut([common!]);
      } else if (rule === 'DIFFERENT') {
        const free = unused.filter((_, position) => position % consumers.length === at);
        if (isInside) rootMemberOf.push(uuidsOf([...own[at], ...free]));
        forbidAllBut([...own[at], ...free]);
      } else {
        for (const domain of own[at]) rootMemberOf.push(uuidsOf([domain]));
        forbidAllBut(own[at]);
      }
    });
  }

  private placeOf(uuid: string): readonly CandidateAllocation[] {
    const held = this.given.held.get(uuid);
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
