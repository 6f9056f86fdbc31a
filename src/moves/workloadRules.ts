import { groupBy } from '../model/collections.js';
import type { Effort } from '../model/operation/waiting.js';
import { type CandidatesRequest, requestOfText } from '../model/request.js';
import type { CandidateAllocation } from '../search/anchor.js';
import type { Snapshot } from '../fleet/snapshot.js';
import { isSharing } from '../search/treeFilter.js';
import type { WorkloadMemberEntity } from '../store/sql/workloads.js';
import { eligibleDomains } from './workload/eligibleDomains.js';
import { Problem } from './workload/problem.js';
import { planWorkload, type PlacementPolicy, type TopologyRule } from './workload/workload.js';

interface RuleText {
  readonly level: {
    readonly tree?: true;
    readonly aggregates?: { readonly uuid: string }[];
    readonly trait?: string;
  };
  readonly members: readonly string[];
  readonly rule: TopologyRule['rule'];
  readonly maxSkew?: number;
  readonly allowOutside?: true;
}

/** Returns the rules of the text that a named workload has. */
export function rulesOfText(text: string): TopologyRule[] {
  const { topology = [] } = JSON.parse(text) as { readonly topology?: readonly RuleText[] };
  return topology.map(
    ({ level: { aggregates, trait }, members, rule, maxSkew = 1, allowOutside = false }) => ({
      level:
        aggregates !== undefined
          ? { kind: 'AGGREGATES', aggregates: aggregates.map(({ uuid }) => uuid) }
          : trait !== undefined
            ? { kind: 'TRAIT', trait }
            : { kind: 'TREE' },
      members,
      rule,
      maxSkew,
      allowOutside,
    }),
  );
}

/** A member of a workload with the allocations of its consumers. */
export interface PlacedMembers extends Pick<WorkloadMemberEntity, 'name' | 'placement'> {
  readonly allocations: readonly (readonly CandidateAllocation[])[];
  /** See {@link requestOfMember}, with holdings. */
  readonly requests: readonly CandidatesRequest[];
}

/**
 * Returns the remembered request of a member as a SPREAD rule counts the domains that can serve it: with the relations to
 * consumers outside the workload, and without an order.
 */
export function requestOfMember(
  text: string,
  consumers: ReadonlySet<string>,
  excludedRootTraits: readonly string[],
): CandidatesRequest {
  const { awayFromConsumers, nearConsumers, ...request } = requestOfText(text, excludedRootTraits);
  return {
    ...request,
    awayFromConsumers: awayFromConsumers.filter((uuid) => !consumers.has(uuid)),
    nearConsumers: nearConsumers.some((uuid) => consumers.has(uuid)) ? [] : nearConsumers,
    orderBy: [],
  };
}

/**
 * Returns whether each rule holds for the placed consumers. Null for PACK, which is a preference. Rules whose members
 * have no consumers hold.
 */
export function* judgeRules(
  snapshot: Snapshot,
  rules: readonly TopologyRule[],
  members: readonly PlacedMembers[],
  effort: Effort,
): Generator<void, (boolean | null)[]> {
  const known = new Set(members.map(({ name }) => name));
  const topology = rules.map((rule) => ({
    ...rule,
    members: rule.members.filter((name) => known.has(name)),
  }));
  const workload = {
    members: members.map(({ name, placement, requests, allocations }) => ({
      name,
      placement: placement as PlacementPolicy,
      count: allocations.length,
      requests,
    })),
    topology,
  };
  const problem = new Problem(snapshot, planWorkload(snapshot, workload), effort, 0);
  for (const [at, { kind }] of problem.rules.entries())
    if (kind === 'SPREAD') yield* problem.levels[at].read(effort);
  const eligible = yield* eligibleDomains(problem);
  return topology.map((rule, at) => {
    if (rule.rule === 'PACK') return null;
    const domains = members
      .filter(({ name }) => rule.members.includes(name))
      .flatMap(({ allocations }) => allocations)
      .map((own) =>
        problem.levels[at].domainsWith(
          own.map(({ provider }) => provider).filter((provider) => !isSharing(provider)),
        ),
      );
    return holds(rule, domains, eligible[at]);
  });
}

/** @param domains those of each consumer */
function holds(
  { rule, maxSkew, allowOutside }: TopologyRule,
  domains: readonly (readonly number[])[],
  eligible: ReadonlySet<number>,
): boolean {
  const inside = domains.filter((own) => own.length > 0);
  if (inside.length < domains.length && !allowOutside) return false;
  const counts = new Map(
    Array.from(
      groupBy(inside.flat(), (domain) => domain),
      ([domain, all]) => [domain, all.length],
    ),
  );
  const highest = Math.max(0, ...counts.values());
  if (rule === 'SAME') return highest === inside.length;
  if (rule === 'DIFFERENT') return highest <= 1;
  const least = Math.min(...Array.from(eligible, (domain) => counts.get(domain) ?? 0), ...counts.values());
  return highest - least <= maxSkew || counts.size === 0;
}
