import type { Alternatives, CandidatesRequest, RequestGroup } from './request.js';
import { slotOf, type Names, type Snapshot } from './snapshot.js';

/** An AND of ORs over trait or aggregate ids. */
type Clauses = readonly (readonly number[])[];

/** One choice that the search has to make: the provider of a granular group, or of one class of the unsuffixed one. */
export interface Variable {
  readonly group: PlannedGroup;
  /** What the chosen provider gives: all of a granular group's resources (none: resourceless), or one class. */
  readonly resources: readonly PlannedAmount[];
}

export interface PlannedAmount {
  readonly resourceClass: number;
  readonly amount: number;
}

export interface PlannedGroup {
  readonly suffix: string;
  readonly resources: readonly PlannedAmount[];
  readonly requiredTraits: Clauses;
  readonly forbiddenTraits: readonly number[];
  readonly memberOf: Clauses;
  readonly forbiddenAggregates: readonly number[];
  /** The slot of the only tree allowed; null for any. */
  readonly tree: number | null;
  readonly isGranular: boolean;
}

/** A request in the numbers of one snapshot, ready to be searched in it. */
export interface Plan {
  readonly groups: readonly PlannedGroup[];
  /** The unsuffixed group's classes and the granular groups, in request order. */
  readonly variables: readonly Variable[];
  readonly isolate: boolean;
  /** Per subtree condition the variables of its groups. */
  readonly sameSubtree: readonly (readonly number[])[];
  readonly root: {
    readonly requiredTraits: Clauses;
    readonly forbiddenTraits: readonly number[];
    readonly memberOf: Clauses;
    readonly forbiddenAggregates: readonly number[];
  };
}

/**
 * Puts a valid request (validateRequest) into the snapshot's numbers. Null when some condition names something
 * that nobody has, so that there can be no candidate: unknown aggregates (rule 123), an unknown tree (rule 124).
 */
export function planRequest(snapshot: Snapshot, request: CandidatesRequest): Plan | null {
  const groups: PlannedGroup[] = [];
  for (const group of request.groups) {
    const planned = planGroup(snapshot, group);
    if (planned === null) return null;
    groups.push(planned);
  }
  const rootMemberOf = knownAlternatives(snapshot.aggregates, request.rootMemberOf);
  const rootRequired = knownAlternatives(snapshot.traits, request.rootRequiredTraits);
  if (rootMemberOf === null || rootRequired === null) return null;
  const variables = groups.flatMap(variablesOf);
  return {
    groups,
    variables,
    isolate: request.groupPolicy === 'ISOLATE',
    sameSubtree: request.sameSubtree.map(({ groups: suffixes }) =>
      suffixes.map((suffix) => variables.findIndex(({ group }) => group.suffix === suffix)),
    ),
    root: {
      requiredTraits: rootRequired,
      forbiddenTraits: knownIds(snapshot.traits, request.rootForbiddenTraits),
      memberOf: rootMemberOf,
      forbiddenAggregates: knownIds(snapshot.aggregates, request.rootForbiddenAggregates),
    },
  };
}

function planGroup(snapshot: Snapshot, group: RequestGroup): PlannedGroup | null {
  const requiredTraits = knownAlternatives(snapshot.traits, group.requiredTraits);
  const memberOf = knownAlternatives(snapshot.aggregates, group.memberOf);
  const resources = plannedAmounts(snapshot.classes, group);
  if (requiredTraits === null || memberOf === null || resources === null) return null;
  const pinned = group.inTree === null ? null : snapshot.locate(group.inTree);
  if (pinned === undefined) return null;
  return {
    suffix: group.suffix,
    resources,
    requiredTraits,
    forbiddenTraits: knownIds(snapshot.traits, group.forbiddenTraits),
    memberOf,
    forbiddenAggregates: knownIds(snapshot.aggregates, group.forbiddenAggregates),
    tree: pinned === null ? null : slotOf(pinned),
    isGranular: group.suffix !== '',
  };
}

function variablesOf(group: PlannedGroup): Variable[] {
  if (group.isGranular) return [{ group, resources: group.resources }];
  return group.resources.map((amount) => ({ group, resources: [amount] }));
}

function plannedAmounts(classes: Names, { resources }: RequestGroup): PlannedAmount[] | null {
  const planned: PlannedAmount[] = [];
  for (const { resourceClass, amount } of resources) {
    const id = classes.idOf(resourceClass);
    if (id === undefined) return null;
    planned.push({ resourceClass: id, amount });
  }
  return planned;
}

/** Drops alternatives that nobody has; null when a set has none left. */
function knownAlternatives(names: Names, sets: Alternatives): Clauses | null {
  const clauses = sets.map((set) => knownIds(names, set));
  return clauses.some((clause) => clause.length === 0) ? null : clauses;
}

function knownIds(names: Names, wanted: readonly string[]): number[] {
  return wanted.map((name) => names.idOf(name)).filter((id) => id !== undefined);
}
