import { once } from '../../model/collections.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import { planRequest, type Plan } from '../../search/plan.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { InnerRelations } from './innerStatement.js';
import { WorkloadRelations } from './workloadRelations.js';

/** Unlike members to place together, and the rules of their topology. */
export interface Workload {
  readonly members: readonly WorkloadMember[];
  readonly topology: readonly TopologyRule[];
  /** Rules of which the first possible list must hold, too. Absent or empty: none. */
  readonly topologyAlternatives?: readonly (readonly TopologyRule[])[];
  /** Absent if no request names a consumer of the workload. */
  readonly relations?: InnerRelations;
  /**
   * By consumer, member by member: its allocations before, in the ids of the snapshot, if it should stay there; null
   * for another consumer. Absent if none should stay.
   */
  readonly present?: readonly (readonly CandidateAllocation[] | null)[];
}

/** The trees of equal consumers. */
export type PlacementPolicy = 'ANY' | 'SAME_TREE' | 'DISTINCT_TREES';

/** Equal consumers. All of them use the same request, the first of the list that is possible. */
export interface WorkloadMember {
  readonly name: string;
  readonly count: number;
  readonly requests: readonly CandidatesRequest[];
  readonly placement: PlacementPolicy;
}

/**
 * The domains of a rule: trees; aggregates, each with its providers and their descendants; or
 * providers with a trait, each with its descendants up to the next provider with the trait.
 */
type Level<Name> =
  | { readonly kind: 'TREE' }
  | { readonly kind: 'AGGREGATES'; readonly aggregates: readonly Name[] }
  | { readonly kind: 'TRAIT'; readonly trait: Name };

export type TopologyLevel = Level<string>;
export type PlannedLevel = Level<number>;

/**
 * A consumer is in each domain that contains a non-sharing provider of one of its groups, and outside if
 * there is none. SAME: all are in one domain. DIFFERENT: no two are in one domain. SPREAD: the numbers of
 * consumers in the domains that could serve differ by at most `maxSkew`. PACK: the domains are as few as
 * possible.
 */
export interface TopologyRule {
  readonly level: TopologyLevel;
  /** Names of members. */
  readonly members: readonly string[];
  readonly rule: 'SAME' | 'DIFFERENT' | 'SPREAD' | 'PACK';
  /** Only for SPREAD. */
  readonly maxSkew: number;
  /** Whether consumers may be outside. The rule then concerns only those inside. */
  readonly allowOutside: boolean;
}

/** A workload in the ids of one snapshot. */
export interface PlannedWorkload {
  readonly members: readonly PlannedMember[];
  readonly rules: readonly PlannedRule[];
  readonly relations: WorkloadRelations;
  readonly present: Workload['present'];
}

export interface PlannedMember {
  readonly count: number;
  readonly placement: PlacementPolicy;
  /** By request; null if `planRequest` returns null. */
  readonly plans: readonly (Plan | null)[];
  /** The positions of the rules that name the member. */
  readonly rules: readonly number[];
}

export interface PlannedRule {
  readonly level: PlannedLevel;
  readonly members: ReadonlySet<number>;
  readonly kind: TopologyRule['rule'];
  readonly maxSkew: number;
  readonly allowOutside: boolean;
}

/** Plans a valid workload, without the alternatives of its topology. */
export function planWorkload(
  snapshot: Snapshot,
  { members, topology, relations, present }: Workload,
): PlannedWorkload {
  const planOf = once((request: CandidatesRequest) => planRequest(snapshot, request));
  const position = new Map(members.map(({ name }, at) => [name, at]));
  const rules = topology.map(({ level, members: named, rule, maxSkew, allowOutside }) => ({
    level: planLevel(snapshot, level),
    members: new Set(named.map((name) => position.get(name)!)),
    kind: rule,
    maxSkew,
    allowOutside,
  }));
  return {
    members: members.map(({ count, placement, requests }, at) => ({
      count,
      placement,
      plans: requests.map(planOf),
      rules: [...rules.keys()].filter((rule) => rules[rule].members.has(at)),
    })),
    rules,
    present,
    relations: new WorkloadRelations(
      snapshot,
      members.map(({ count }) => count),
      relations,
    ),
  };
}

function planLevel({ aggregates, traits }: Snapshot, level: TopologyLevel): PlannedLevel {
  if (level.kind === 'AGGREGATES')
    return { ...level, aggregates: level.aggregates.map((uuid) => aggregates.idOf(uuid)!) };
  return level.kind === 'TRAIT' ? { ...level, trait: traits.idOf(level.trait)! } : level;
}
