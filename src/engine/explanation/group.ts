import type { Plan, PlannedGroup } from '../model/plan.js';
import { GROUP_CONSTRAINTS, type GroupConstraint } from '../model/providerChecks.js';
import type { CandidatesRequest, RequestGroup } from '../model/request.js';
import type { Snapshot } from '../model/snapshot.js';
import { EliminationFunnel, type Elimination } from './funnel.js';
import { NearMisses } from './nearMisses.js';

/** A group as requested and as planned, with what is counted for it. */
export interface ExplainedGroup {
  readonly requested: RequestGroup;
  readonly planned: PlannedGroup;
  readonly request: CandidatesRequest;
  readonly funnel: EliminationFunnel<GroupConstraint>;
  readonly misses: NearMisses;
  /** A provider's name by its uuid; the uuid itself when there is none. */
  readonly nameOf: (uuid: string) => string;
}

/** What removed providers, or trees, for one group by itself. */
export interface GroupExplanation {
  readonly suffix: string;
  /** Providers for a granular group, trees for the unsuffixed one. */
  readonly considered: number;
  readonly eliminations: readonly Elimination[];
  readonly remaining: number;
}

export function groupsOf(snapshot: Snapshot, request: CandidatesRequest, plan: Plan): ExplainedGroup[] {
  const nameOf = (uuid: string): string => {
    const provider = snapshot.locate(uuid);
    return provider?.block.names[provider.row] ?? uuid;
  };
  return request.groups.map((requested, at) => ({
    requested,
    planned: plan.groups[at],
    request,
    funnel: new EliminationFunnel(GROUP_CONSTRAINTS, constraintsOf(requested, request)),
    misses: new NearMisses(plan.groups[at]),
    nameOf,
  }));
}

/** The constraints that a group of a request asks for. Those on units come from the inventories. */
export function constraintsOf(
  requested: RequestGroup,
  { notInTrees }: Pick<CandidatesRequest, 'notInTrees'>,
): Set<GroupConstraint> {
  const constraints = new Set<GroupConstraint>();
  if (notInTrees.length > 0) constraints.add('NOT_IN_TREES');
  if (requested.resources.length > 0) constraints.add('NO_INVENTORY').add('INSUFFICIENT_CAPACITY');
  if (requested.requiredTraits.length > 0) constraints.add('REQUIRED_TRAITS');
  if (requested.forbiddenTraits.length > 0) constraints.add('FORBIDDEN_TRAITS');
  if (requested.memberOf.length > 0) constraints.add('MEMBER_OF');
  if (requested.forbiddenAggregates.length > 0) constraints.add('FORBIDDEN_AGGREGATES');
  if (requested.inTree !== null) constraints.add('IN_TREE');
  if (requested.inSubtree !== null) constraints.add('IN_SUBTREE');
  return constraints;
}
