import { distinctBy, setKeys } from './collections.js';
import { ensure, firstDuplicate, InvalidInput, unknownName } from './input.js';

/**
 * The unsuffixed group (suffix '') may be spread over a tree and its sharing providers (rules 137-151).
 * One provider serves a granular group (rules 129-136).
 */
export interface RequestGroup {
  readonly suffix: string;
  readonly resources: readonly ResourceAmount[];
  readonly requiredTraits: Alternatives;
  readonly forbiddenTraits: readonly string[];
  readonly memberOf: Alternatives;
  readonly forbiddenAggregates: readonly string[];
  /** Allows only the tree of this provider, which need not be the root (rules 131, 147). */
  readonly inTree: string | null;
  /** Allows only this provider and its descendants. */
  readonly inSubtree: string | null;
  /** The only provider at anchors where it can serve the group. Null or absent: no provider is preferred. */
  readonly home?: string | null;
  /** Classes of the unsuffixed group that may be split over several providers. */
  readonly canSplit: readonly string[];
}

export type GroupPolicy = 'NONE' | 'ISOLATE';

/** The subtree of one group's provider has the providers of all `groups`, and none of `except`. */
export interface SubtreeAffinity {
  readonly groups: readonly string[];
  readonly except: readonly string[];
}

export type CandidateStrategy = 'SPREAD' | 'PACK';

/** A term of the order. Exactly one of the fields is set. */
export interface CandidateOrder {
  readonly freeShare?: {
    readonly resourceClass: string;
    readonly strategy: CandidateStrategy;
    /** If it names any, the share in these aggregates before the claim. */
    readonly aggregates?: readonly string[];
  } | null;
  /** Must be true. */
  readonly fewestProviders?: boolean | null;
  /** The units of other classes that a claim loses, by class with these weights. */
  readonly leastStranding?: {
    readonly weights: readonly { readonly resourceClass: string; readonly weight: number }[];
  } | null;
  readonly preferTraits?: readonly { readonly trait: string; readonly weight: number }[] | null;
  readonly preferAggregates?: readonly { readonly aggregate: string; readonly weight: number }[] | null;
  readonly nearConsumers?: readonly string[] | null;
}

/** The providers of each consumer's allocations; empty if it has none or does not exist. */
export type Holdings = ReadonlyMap<string, readonly string[]>;

/** A request for candidates with its defaults filled in (rule 112). */
export interface CandidatesRequest {
  readonly groups: readonly RequestGroup[];
  readonly groupPolicy: GroupPolicy;
  readonly sameSubtree: readonly SubtreeAffinity[];
  /** Suffixes of granular groups whose provider serves no other group. */
  readonly isolate: readonly string[];
  readonly rootRequiredTraits: Alternatives;
  readonly rootForbiddenTraits: readonly string[];
  /** Excludes anchor trees whose root has one of these traits (ADR 33). Unknown traits have no effect. */
  readonly excludedRootTraits: readonly string[];
  /** Providers that the consumers of the request use now. Their trees are not excluded by traits of the root. */
  readonly ownProviders?: readonly string[];
  /** Whether the providers that a candidate allocates from are all in different trees. Absent: false. */
  readonly oneProviderPerTree?: boolean;
  readonly rootMemberOf: Alternatives;
  readonly rootForbiddenAggregates: readonly string[];
  /** Excludes the trees of these providers. Unknown providers have no effect. */
  readonly notInTrees: readonly string[];
  /** Excludes anchor trees where one of these consumers allocates from a non-sharing provider. */
  readonly awayFromConsumers: readonly string[];
  /** Allows only anchor trees where one of these consumers does so. Empty: any. */
  readonly nearConsumers: readonly string[];
  /** Further lists like `nearConsumers`, which moves keep and a search ignores. Absent: none. */
  readonly alsoNear?: readonly (readonly string[])[];
  /** Must contain each consumer that the request names. */
  readonly holdings?: Holdings;
  /** The first term that distinguishes two candidates decides. Empty: the default order (decision D10). */
  readonly orderBy: readonly CandidateOrder[];
}

/** Returns a group with these conditions, and no others. */
export function groupOf(
  suffix: string,
  resources: RequestGroup['resources'],
  conditions: Partial<RequestGroup> = {},
): RequestGroup {
  return {
    suffix,
    resources,
    requiredTraits: [],
    forbiddenTraits: [],
    memberOf: [],
    forbiddenAggregates: [],
    inTree: null,
    inSubtree: null,
    canSplit: [],
    ...conditions,
  };
}

/** Returns a request with these conditions, and no others. */
export function requestOf(
  groups: readonly RequestGroup[],
  conditions: Partial<CandidatesRequest> = {},
): CandidatesRequest {
  return {
    groups,
    groupPolicy: 'NONE',
    sameSubtree: [],
    isolate: [],
    rootRequiredTraits: [],
    rootForbiddenTraits: [],
    excludedRootTraits: [],
    rootMemberOf: [],
    rootForbiddenAggregates: [],
    notInTrees: [],
    awayFromConsumers: [],
    nearConsumers: [],
    orderBy: [],
    ...conditions,
  };
}

/** Returns those of the excluded traits that a request does not require (ADR 33). */
export function exclusionsOf(
  traits: readonly string[],
  { includeExcluded, rootRequiredTraits, groups }: RequestInput,
): readonly string[] {
  if (includeExcluded) return [];
  if (traits.length === 0) return traits;
  const required = [rootRequiredTraits, ...groups.map(({ requiredTraits }) => requiredTraits)];
  const wanted = new Set([...new Set(required.flat())].flat());
  return traits.filter((trait) => !wanted.has(trait));
}

/** The parts of a client's request that decide which roots it excludes. */
export interface RequestInput extends Pick<CandidatesRequest, 'rootRequiredTraits'> {
  readonly groups: readonly Pick<RequestGroup, 'requiredTraits'>[];
  readonly includeExcluded: boolean;
}

/** The members of AllocationCandidatesInput and its objects that refer to a provider or an aggregate. */
const REFERENCES: ReadonlySet<string> = new Set([
  'inTree',
  'inSubtree',
  'notInTrees',
  'memberOf',
  'forbiddenAggregates',
  'rootMemberOf',
  'rootForbiddenAggregates',
  'aggregate',
  'aggregates',
]);

/** The members with a default that is neither null nor an empty list. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  suffix: '',
  groupPolicy: 'NONE',
  includeExcluded: false,
  weight: 1,
  allowOutside: false,
};

/** The maximum number of values in a remembered request. One variable of a document can repeat a long list. */
const MAX_REMEMBERED = 10_000;

/**
 * Returns the text by which a valid AllocationCandidatesInput with uuids in place of its references is remembered: JSON
 * in the form of the input, without defaults and seed, with sorted keys. Null if the request is too long. Also for the
 * topology rules of a ClaimInput.
 */
export function textOfRequest(input: object): string | null {
  let left = MAX_REMEMBERED;
  const canonical = (value: unknown, name: string): unknown => {
    if (--left < 0) return null;
    if (Array.isArray(value)) return value.slice(0, left + 1).map((each: unknown) => canonical(each, name));
    if (typeof value === 'string' && REFERENCES.has(name)) return { uuid: value };
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([key, each]) => {
      // a term of an order has one member, and a weight in a list of weights has no default
      if (name === 'orderBy') return each != null;
      if (name === 'weights') return true;
      const isEmpty = each == null || (Array.isArray(each) && each.length === 0);
      return !isEmpty && each !== DEFAULTS[key] && key !== 'seed';
    });
    members.sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(members.map(([key, each]) => [key, canonical(each, key)]));
  };
  const copy = canonical(input, '');
  return left < 0 ? null : JSON.stringify(copy);
}

/** Replaces references by their uuids. A reviver of JSON.parse takes four times as long. */
function withoutReferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReferences);
  if ('uuid' in value) return value.uuid;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutReferences(each)]));
}

/** Returns the request of a text of {@link textOfRequest}. Its names may be unknown by now. */
export function requestOfText(body: string, excludedRootTraits: readonly string[]): CandidatesRequest {
  const { groups, ...conditions } = withoutReferences(JSON.parse(body)) as Partial<CandidatesRequest> & {
    groups: Partial<RequestGroup>[];
    includeExcluded?: boolean;
  };
  const request = requestOf(
    groups.map((group) => groupOf(group.suffix ?? '', group.resources ?? [], group)),
    conditions,
  );
  const weighted = <T extends object>(entries: readonly T[] | null | undefined) =>
    entries?.map((entry) => ({ weight: 1, ...entry }));
  return {
    ...request,
    excludedRootTraits: exclusionsOf(excludedRootTraits, {
      includeExcluded: false,
      ...conditions,
      ...request,
    }),
    sameSubtree: request.sameSubtree.map((affinity) => ({ ...affinity, except: affinity.except ?? [] })),
    orderBy: request.orderBy.map(({ preferTraits, preferAggregates, leastStranding, ...term }) => ({
      ...term,
      ...(leastStranding && { leastStranding: { weights: weighted(leastStranding.weights) ?? [] } }),
      ...(preferTraits && { preferTraits: weighted(preferTraits) }),
      ...(preferAggregates && { preferAggregates: weighted(preferAggregates) }),
    })),
  };
}

// Conditions that requests for candidates and lists of providers have in common.

/** The outer list is AND, the inner OR. */
export type Alternatives = readonly (readonly string[])[];

export interface ResourceAmount {
  readonly resourceClass: string;
  readonly amount: number;
}

/** Unknown traits and resource classes are INVALID_INPUT (decision D12). */
export interface KnownNames {
  hasClass(name: string): boolean;
  hasTrait(name: string): boolean;
  /** Returns whether the class is a counter: consumed by others, never requested. Absent: none is. */
  isCounter?(name: string): boolean;
}

export type Path = readonly string[];

/** The maximum length of a list. A longer list is INVALID_INPUT. */
export const LONGEST_LIST = 1024;

/** Requires amounts from 1 and known classes, each once (rules 14, 118, 121). */
export function validateResources(resources: readonly ResourceAmount[], path: Path, known: KnownNames): void {
  checkLength(resources, path);
  const repeated = firstDuplicate(resources.map(({ resourceClass }) => resourceClass));
  resources.forEach(({ resourceClass, amount }, position) => {
    const here = [...path, String(position)];
    if (!known.hasClass(resourceClass)) {
      throw unknownName('resource class', resourceClass, [...here, 'resourceClass']);
    }
    const twice = `resource class ${resourceClass} is repeated`;
    ensure(position !== repeated, [...here, 'resourceClass'], twice);
    const counted = `${resourceClass} is a counter: request a resource class that consumes it`;
    ensure(known.isCounter?.(resourceClass) !== true, [...here, 'resourceClass'], counted);
    const message = `amount ${amount} of ${resourceClass} is not at least 1`;
    ensure(Number.isInteger(amount) && amount >= 1, [...here, 'amount'], message);
  });
}

/** Requires known traits and no empty or repeating list (rules 119, 121). */
export function validateTraits(
  traits: { readonly required: Alternatives; readonly forbidden: readonly string[] },
  paths: { readonly required: Path; readonly forbidden: Path },
  known: KnownNames,
): void {
  validateAlternatives(traits.required, paths.required, 'trait');
  forEachOnce(traits.required, (set, outer) => validateKnown(set, [...paths.required, String(outer)], known));
  validateList(traits.forbidden, paths.forbidden, 'trait');
  validateKnown(traits.forbidden, paths.forbidden, known);
}

/**
 * Rejects a required set that is entirely forbidden (rules 120, 125). In a list of providers, such
 * a set matches no provider (decision D16).
 */
export function validateNotForbidden(
  traits: { readonly required: Alternatives; readonly forbidden: readonly string[] },
  path: Path,
): void {
  const forbidden = new Set(traits.forbidden);
  forEachOnce(traits.required, (set, position) => {
    const isForbidden = set.every((name) => forbidden.has(name));
    if (isForbidden)
      throw new InvalidInput([...path, String(position)], `${set.join(', ')} is required and forbidden`);
  });
}

function validateKnown(traits: readonly string[], path: Path, known: KnownNames): void {
  const unknown = traits.findIndex((name) => !known.hasTrait(name));
  if (unknown >= 0) throw unknownName('trait', traits[unknown], [...path, String(unknown)]);
}

/** Rejects empty inner lists and repetitions within one (decision D7). The same set may occur twice. */
export function validateAlternatives(sets: Alternatives, path: Path, what = 'aggregate'): void {
  checkLength(sets, path);
  forEachOnce(sets, (set, position) => {
    const here = [...path, String(position)];
    ensure(set.length > 0, here, `an empty list of alternatives: name at least one ${what}`);
    validateList(set, here, what);
  });
}

/** Returns the first of each group of equal sets. The order of the names in a set does not matter. */
export function distinctSets(sets: Alternatives): Alternatives {
  return distinctBy(sets, setKeys());
}

/** Rejects repetitions and long lists (decision D7). */
export function validateList(names: readonly string[], path: Path, what: string): void {
  checkLength(names, path);
  const repeated = firstDuplicate(names);
  ensure(repeated < 0, [...path, String(repeated)], `${what} ${names[repeated]} is repeated`);
}

/** Visits each set at its first position: references to a variable repeat the same list. */
function forEachOnce(sets: Alternatives, visit: (set: readonly string[], position: number) => void): void {
  const seen = new Set<readonly string[]>();
  sets.forEach((set, position) => {
    if (seen.has(set)) return;
    seen.add(set);
    visit(set, position);
  });
}

export function checkLength(list: readonly unknown[], path: Path): void {
  const message = `${list.length} entries: a list may have at most ${LONGEST_LIST}`;
  ensure(list.length <= LONGEST_LIST, path, message);
}

/** Selects providers. All given conditions must hold. */
export interface ProviderFilter {
  readonly name?: string | null;
  readonly nameContains?: string | null;
  readonly nameStartsWith?: string | null;
  readonly uuid?: string | null;
  readonly uuidIn?: readonly string[] | null;
  readonly inTree?: string | null;
  readonly rootsOnly?: boolean;
  /** The inner lists are alternatives. */
  readonly memberOf?: Alternatives;
  readonly forbiddenAggregates?: readonly string[];
  readonly requiredTraits?: Alternatives;
  readonly forbiddenTraits?: readonly string[];
  readonly resources?: readonly ResourceAmount[];
  /** Conditions that some provider of the tree must meet. */
  readonly memberOfInTree?: Alternatives;
  readonly hasTraitInTree?: Alternatives;
  readonly resourcesInTree?: readonly ResourceAmount[];
}

/** The maximum number of alternatives of one condition. */
const MOST_ALTERNATIVES = 100;

/** @throws InvalidInput for a filter that rules 55 and 56 or decisions D7 and D12 reject */
export function validateFilter(filter: ProviderFilter, known: KnownNames): void {
  for (const name of ['requiredTraits', 'memberOf', 'hasTraitInTree', 'memberOfInTree'] as const) {
    const { length } = filter[name] ?? [];
    const message = `${length} lists: at most ${MOST_ALTERNATIVES} are allowed`;
    ensure(length <= MOST_ALTERNATIVES, ['filter', name], message);
  }
  const { requiredTraits = [], forbiddenTraits = [], hasTraitInTree = [], uuidIn } = filter;
  validateTraits(
    { required: requiredTraits, forbidden: forbiddenTraits },
    { required: ['filter', 'requiredTraits'], forbidden: ['filter', 'forbiddenTraits'] },
    known,
  );
  validateTraits(
    { required: hasTraitInTree, forbidden: [] },
    { required: ['filter', 'hasTraitInTree'], forbidden: [] },
    known,
  );
  for (const name of ['memberOf', 'memberOfInTree'] as const)
    validateAlternatives(filter[name] ?? [], ['filter', name]);
  validateList(filter.forbiddenAggregates ?? [], ['filter', 'forbiddenAggregates'], 'aggregate');
  for (const name of ['resources', 'resourcesInTree'] as const)
    validateResources(filter[name] ?? [], ['filter', name], known);
  if (uuidIn != null) checkLength(uuidIn, ['filter', 'uuidIn']);
}
