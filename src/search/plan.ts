import { distinctBy, groupBy, setKeys } from '../model/collections.js';
import type {
  Alternatives,
  CandidateOrder,
  CandidatesRequest,
  Holdings,
  RequestGroup,
  SubtreeAffinity,
} from '../model/request.js';
import { Clauses, IdSet, knownIds, NamedSets, UNKNOWN } from './clauses.js';
import { type PlannedOrder, planOrder } from './ordered/plannedOrder.js';
import { hasBit, hasTrait, treeIndexOf, type ProviderRef, type Snapshot } from '../fleet/snapshot.js';

/**
 * The value of a variable is the provider of a granular group or of one class of the unsuffixed group, or
 * a partition of that class's amount.
 */
export interface Variable {
  readonly group: PlannedGroup;
  /** All resources of a granular group (which may have none), or one class of the unsuffixed group. */
  readonly resources: readonly PlannedAmount[];
  /** Whether its one amount may be split over several providers of the anchor's tree. */
  readonly canSplit: boolean;
}

export interface PlannedAmount {
  readonly resourceClass: number;
  readonly amount: number;
}

/** Returns the amount of a class; 0 if none is requested. */
export function amountOf(resources: readonly PlannedAmount[], resourceClass: number): number {
  return resources.find((each) => each.resourceClass === resourceClass)?.amount ?? 0;
}

/** The conditions on the traits and aggregates of a provider. */
export interface Conditions {
  readonly requiredTraits: Clauses;
  readonly forbiddenTraits: IdSet;
  readonly memberOf: Clauses;
  readonly forbiddenAggregates: IdSet;
}

export const NO_CONDITIONS: Conditions = {
  requiredTraits: Clauses.NONE,
  forbiddenTraits: IdSet.NONE,
  memberOf: Clauses.NONE,
  forbiddenAggregates: IdSet.NONE,
};

export interface PlannedGroup extends Conditions {
  readonly suffix: string;
  readonly resources: readonly PlannedAmount[];
  /** The tree index of `inTree`; null if omitted. */
  readonly inTree: number | null;
  /** The only tree allowed by `inTree` and `inSubtree`; null: any. */
  readonly tree: number | null;
  /** The range of rows allowed in that tree; null: all. */
  readonly rows: readonly [number, number] | null;
  /** The id of the only provider at anchors where it can serve the group; null: no provider is preferred. */
  readonly home: number | null;
  readonly isGranular: boolean;
}

export interface PlannedIsolation {
  /** Variables whose provider serves no other variable of `among`. */
  readonly alone: ReadonlySet<number>;
  readonly among: ReadonlySet<number>;
}

export interface PlannedAffinity {
  readonly within: readonly number[];
  readonly outside: readonly number[];
}

/** A request in the ids of one snapshot: the constraint problem to solve at each anchor. */
export interface Plan {
  readonly groups: readonly PlannedGroup[];
  /** The unsuffixed group's classes and the granular groups, in request order. */
  readonly variables: readonly Variable[];
  /** Whether a provider may be used; null: all may. */
  readonly mayUse: ((provider: ProviderRef & { readonly treeIndex: number }) => boolean) | null;
  /** Null if no variable needs a provider of its own. */
  readonly isolation: PlannedIsolation | null;
  readonly sameSubtree: readonly PlannedAffinity[];
  readonly oneProviderPerTree: boolean;
  /** The classes that more than one variable asks for. */
  readonly mergedClasses: readonly number[];
  /** Whether the sums that a candidate consumes of counters must be free. */
  readonly checksCounters: boolean;
  readonly root: Conditions;
  /** Conditions on trees, as tree indices. */
  readonly trees: {
    /** Trees whose providers are not used, not even for sharing. */
    readonly excluded: ReadonlySet<number>;
    /** Trees that are not anchors. */
    readonly away: ReadonlySet<number>;
    /** Trees that are not anchors because of `excludedRootTraits`. */
    readonly excludedRoots: ReadonlySet<number>;
    /** The only anchors; null: any. */
    readonly near: ReadonlySet<number> | null;
  };
  readonly orderBy: readonly PlannedOrder[];
}

/** The checks of so many variables are part of the work of a visit. */
const FEW_VARIABLES = 8;

/**
 * Returns the work (Effort.spent) of checking providers for all variables, beyond that of visiting their tree. A
 * variable counts with its classes and its sets of names, which take less time each.
 */
export function workOfChecks({ variables }: Plan, providers: number): number {
  let checks = variables.length;
  for (const { group, resources } of variables)
    checks += (resources.length >> 3) + ((group.requiredTraits.length + group.memberOf.length) >> 4);
  return checks > FEW_VARIABLES ? (providers * checks) >> 4 : 0;
}

/** Returns the work (Effort.spent) of planning a request; 0 if it has few names. */
export function workToPlan({ groups, sameSubtree, orderBy, ...request }: CandidatesRequest): number {
  let names = request.notInTrees.length + namesIn(request.rootRequiredTraits, request.rootMemberOf);
  for (const { requiredTraits, memberOf, forbiddenTraits, forbiddenAggregates } of groups)
    names += 8 + namesIn(requiredTraits, memberOf) + forbiddenTraits.length + forbiddenAggregates.length;
  for (const condition of sameSubtree) names += condition.groups.length + condition.except.length;
  for (const { preferTraits, preferAggregates, freeShare } of orderBy)
    names +=
      (preferTraits?.length ?? 0) + (preferAggregates?.length ?? 0) + (freeShare?.aggregates?.length ?? 0);
  return names >> 6;
}

function namesIn(...clauses: readonly Alternatives[]): number {
  return clauses.reduce((sum, sets) => sets.reduce((all, set) => all + set.length, sum), 0);
}

/**
 * Plans a valid request. Returns null if a condition names only unknown aggregates (rule 123), an unknown
 * tree (rule 124) or an unknown subtree, so that there is no candidate.
 */
export function planRequest(snapshot: Snapshot, request: CandidatesRequest): Plan | null {
  const plan = planWithUnknowns(snapshot, request);
  return asksForUnknown(plan) ? null : plan;
}

function asksForUnknown({ groups, root }: Plan): boolean {
  const clauses = [...groups, root].flatMap(({ requiredTraits, memberOf }) => [requiredTraits, memberOf]);
  return (
    clauses.some(({ sets }) => sets.some(({ ids }) => ids.length === 0)) ||
    groups.some(
      ({ tree, resources }) =>
        tree === UNKNOWN || resources.some(({ resourceClass }) => resourceClass === UNKNOWN),
    )
  );
}

/** Plans any valid request, with UNKNOWN or an empty alternative for unknown names. */
export function planWithUnknowns(snapshot: Snapshot, request: CandidatesRequest): Plan {
  const named = { traits: new NamedSets(snapshot.traits), aggregates: new NamedSets(snapshot.aggregates) };
  const groups = request.groups.map((group) => planGroup(snapshot, group, named));
  const variables = groups.flatMap((group, at) => variablesOf(snapshot, group, request.groups[at].canSplit));
  const { notInTrees, awayFromConsumers, nearConsumers, holdings } = request;
  const treesOf = (consumers: readonly string[]): ReadonlySet<number> =>
    new Set(consumers.flatMap((consumer) => [...treesOfConsumer(snapshot, holdings, consumer)]));
  const variableOf = new Map(variables.map(({ group }, variable) => [group.suffix, variable]));
  const granular = (suffixes: readonly string[]): number[] =>
    suffixes.map((suffix) => variableOf.get(suffix)!);
  return {
    groups,
    variables,
    mayUse: null,
    isolation: isolationOf(request, variables, granular(request.isolate)),
    sameSubtree: distinctSubtrees(request.sameSubtree).map((condition) => ({
      within: granular(condition.groups),
      outside: granular(condition.except),
    })),
    oneProviderPerTree: request.oneProviderPerTree ?? false,
    mergedClasses: mergedClasses(variables),
    checksCounters: true,
    root: {
      requiredTraits: named.traits.clausesOf(request.rootRequiredTraits),
      forbiddenTraits: named.traits.setOf(request.rootForbiddenTraits),
      memberOf: named.aggregates.clausesOf(request.rootMemberOf),
      forbiddenAggregates: named.aggregates.setOf(request.rootForbiddenAggregates),
    },
    trees: {
      excluded: new Set(notInTrees.flatMap((uuid) => snapshot.locate(uuid) ?? []).map(treeIndexOf)),
      away: treesOf(awayFromConsumers),
      excludedRoots: excludedRootsOf(snapshot, request),
      near: nearConsumers.length === 0 ? null : treesOf(nearConsumers),
    },
    orderBy: distinctTerms(request.orderBy).map(([term, positions]) => ({
      ...planOrder(snapshot, term, variables, treesOf),
      positions,
    })),
  };
}

/** Returns the subtree conditions without equal ones. The order of suffixes does not matter. */
export function distinctSubtrees(conditions: readonly SubtreeAffinity[]): readonly SubtreeAffinity[] {
  const keyOf = setKeys();
  return distinctBy(conditions, ({ groups, except }) => `${keyOf(groups)} ${keyOf(except)}`);
}

/** Returns the different terms of an order with their positions. */
export function distinctTerms(orderBy: readonly CandidateOrder[]): (readonly [CandidateOrder, number[]])[] {
  const keys = new Map(orderBy.map((term) => [term, '']));
  for (const term of keys.keys()) keys.set(term, JSON.stringify(term));
  const positions = groupBy(orderBy.keys(), (at) => keys.get(orderBy[at])!);
  return Array.from(positions.values(), (some) => [orderBy[some[0]], some]);
}

/** Returns the trees that a request excludes by traits of the root. */
export function excludedRootsOf(
  snapshot: Snapshot,
  { excludedRootTraits, ownProviders = [] }: CandidatesRequest,
): ReadonlySet<number> {
  const traits = knownIds(snapshot.traits, excludedRootTraits);
  const excluded = new Set<number>();
  if (traits.length === 0) return excluded;
  for (const block of snapshot.blocks) {
    for (const trait of traits) {
      const bits = block.index.traits.get(trait);
      if (bits === undefined) continue;
      for (let tree = 0; tree + 1 < block.treeStarts.length; tree++)
        if (hasBit(bits, tree) && hasTrait(block, block.treeStarts[tree], trait))
          excluded.add(block.firstTree + tree);
    }
  }
  for (const uuid of ownProviders) {
    const provider = snapshot.locate(uuid);
    if (provider?.block.sharing[provider.row] === 0) excluded.delete(treeIndexOf(provider));
  }
  return excluded;
}

/** Returns the trees in which a consumer has an allocation on a non-sharing provider. */
export function treesOfConsumer(
  snapshot: Snapshot,
  holdings: Holdings | undefined,
  consumer: string,
): ReadonlySet<number> {
  const providers = holdings?.get(consumer);
  if (providers === undefined) throw new Error(`the allocations of consumer ${consumer} were not read`);
  return new Set(
    providers
      .flatMap((uuid) => snapshot.locate(uuid) ?? [])
      .filter(({ block, row }) => block.sharing[row] === 0)
      .map(treeIndexOf),
  );
}

function planGroup(
  snapshot: Snapshot,
  group: RequestGroup,
  { traits, aggregates }: Readonly<Record<'traits' | 'aggregates', NamedSets>>,
): PlannedGroup {
  const { inTree, inSubtree, home } = group;
  const top = inSubtree === null ? undefined : snapshot.locate(inSubtree);
  const preferred = home == null ? undefined : snapshot.locate(home);
  const treeIndices = [inTree, inSubtree]
    .filter((uuid) => uuid !== null)
    .map((uuid) => treeIndexOfProvider(snapshot, uuid));
  return {
    suffix: group.suffix,
    resources: group.resources.map(({ resourceClass, amount }) => ({
      resourceClass: snapshot.classes.idOf(resourceClass) ?? UNKNOWN,
      amount,
    })),
    requiredTraits: traits.clausesOf(group.requiredTraits),
    forbiddenTraits: traits.setOf(group.forbiddenTraits),
    memberOf: aggregates.clausesOf(group.memberOf),
    forbiddenAggregates: aggregates.setOf(group.forbiddenAggregates),
    inTree: inTree === null ? null : treeIndexOfProvider(snapshot, inTree),
    tree: new Set(treeIndices).size > 1 ? UNKNOWN : (treeIndices[0] ?? null),
    rows: top === undefined ? null : [top.row, top.block.ends[top.row]],
    home: preferred === undefined ? null : preferred.block.ids[preferred.row],
    isGranular: group.suffix !== '',
  };
}

function treeIndexOfProvider(snapshot: Snapshot, uuid: string): number {
  const provider = snapshot.locate(uuid);
  return provider === undefined ? UNKNOWN : treeIndexOf(provider);
}

function variablesOf(snapshot: Snapshot, group: PlannedGroup, splittable: readonly string[]): Variable[] {
  if (group.isGranular) return [{ group, resources: group.resources, canSplit: false }];
  const canSplit = new Set(knownIds(snapshot.classes, splittable));
  return group.resources.map((amount) => ({
    group,
    resources: [amount],
    canSplit: canSplit.has(amount.resourceClass),
  }));
}

/**
 * The policy isolates all granular groups from each other (rule 162). A list isolates its groups
 * from all other groups.
 */
function isolationOf(
  { groupPolicy }: CandidatesRequest,
  variables: readonly Variable[],
  listed: readonly number[],
): PlannedIsolation | null {
  if (listed.length > 0) return { alone: new Set(listed), among: new Set(variables.keys()) };
  if (groupPolicy === 'NONE') return null;
  const granular = new Set([...variables.keys()].filter((variable) => variables[variable].group.isGranular));
  return { alone: granular, among: granular };
}

function mergedClasses(variables: readonly Variable[]): number[] {
  const seen = new Set<number>();
  const merged = new Set<number>();
  for (const { resources } of variables) {
    for (const { resourceClass } of resources) (seen.has(resourceClass) ? merged : seen).add(resourceClass);
  }
  return [...merged];
}
