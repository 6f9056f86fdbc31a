import { InvalidInput } from '../../domain/invalidInput.js';

/** Alternatives: the outer list is AND, the inner OR. */
export type Alternatives = readonly (readonly string[])[];

export interface ResourceAmount {
  readonly resourceClass: string;
  readonly amount: number;
}

/**
 * One request group. The unsuffixed one (suffix '') may be spread over a tree and its sharing providers, each
 * class whole from one of them unless it can be split (rules 137-151); any other is granular: one provider meets it
 * all (129-136).
 */
export interface RequestGroup {
  readonly suffix: string;
  readonly resources: readonly ResourceAmount[];
  readonly requiredTraits: Alternatives;
  readonly forbiddenTraits: readonly string[];
  readonly memberOf: Alternatives;
  readonly forbiddenAggregates: readonly string[];
  /** Any provider's uuid names its whole tree (rule 131, 147). */
  readonly inTree: string | null;
  /** Only this provider and its descendants. */
  readonly inSubtree: string | null;
  /** Classes of the unsuffixed group whose amount may be spread over several providers of the anchor's tree. */
  readonly canSplit: readonly string[];
}

export type GroupPolicy = 'NONE' | 'ISOLATE';

/**
 * The provider of one of `groups` is above, or the same as, those of all of them; those of `except` are not in its
 * subtree.
 */
export interface SubtreeAffinity {
  readonly groups: readonly string[];
  readonly except: readonly string[];
}

/** Much of a class is to stay free where it is drawn from, or little. */
export type CandidateStrategy = 'SPREAD' | 'PACK';

export interface CandidateOrder {
  readonly resourceClass: string;
  readonly strategy: CandidateStrategy;
}

/** What `allocationCandidates` is asked, as in the API after its defaults are filled in (rule 112). */
export interface CandidatesRequest {
  readonly groups: readonly RequestGroup[];
  readonly groupPolicy: GroupPolicy;
  readonly sameSubtree: readonly SubtreeAffinity[];
  /** Suffixes of granular groups whose provider serves no other group. */
  readonly isolate: readonly string[];
  readonly rootRequiredTraits: Alternatives;
  readonly rootForbiddenTraits: readonly string[];
  readonly rootMemberOf: Alternatives;
  readonly rootForbiddenAggregates: readonly string[];
  /** The first entry that tells two candidates apart decides; empty: the default order (decision D10). */
  readonly orderBy: readonly CandidateOrder[];
}

/** Tells which names the catalog has: an unknown trait or resource class is INVALID_INPUT (decision D12). */
export interface KnownNames {
  hasClass(name: string): boolean;
  hasTrait(name: string): boolean;
}

/** More groups than this are refused: far above any real request, far below what could hurt the server. */
const MOST_GROUPS = 256;

/** More entries than this in one list of a request are refused. */
const MOST_ENTRIES = 1024;

const SUFFIX = /^[a-zA-Z0-9_-]{1,64}$/;

type Path = readonly string[];

/**
 * Refuses, with the path of the field and its value, what rules 5, 14, 113-125 and decisions D7, D12 and D13
 * refuse. A request that passes can be searched.
 */
export function validateRequest(request: CandidatesRequest, known: KnownNames): void {
  validateGroupList(request.groups);
  request.groups.forEach((group, position) => validateGroup(group, ['groups', String(position)], known));
  validateSubtrees(request);
  validateIsolation(request);
  validateResourceless(request);
  validateTraits(
    { required: request.rootRequiredTraits, forbidden: request.rootForbiddenTraits },
    { required: ['rootRequiredTraits'], forbidden: ['rootForbiddenTraits'] },
    known,
  );
  validateAlternatives(request.rootMemberOf, ['rootMemberOf']);
  validateList(request.rootForbiddenAggregates, ['rootForbiddenAggregates'], 'aggregate');
  validateOrder(request, known);
}

function validateGroupList(groups: readonly RequestGroup[]): void {
  if (groups.length === 0)
    throw new InvalidInput(['groups'], 'a request needs at least one group with resources');
  if (groups.length > MOST_GROUPS) {
    throw new InvalidInput(['groups'], `${groups.length} groups: a request may have at most ${MOST_GROUPS}`);
  }
  const seen = new Set<string>();
  groups.forEach(({ suffix }, position) => {
    const path = ['groups', String(position), 'suffix'];
    if (suffix !== '' && !SUFFIX.test(suffix)) {
      throw new InvalidInput(
        path,
        `suffix ${JSON.stringify(suffix)} is not 1 to 64 of A-Z, a-z, 0-9, _ and -`,
      );
    }
    if (seen.has(suffix)) {
      throw new InvalidInput(
        path,
        suffix === '' ? 'there may be only one unsuffixed group' : `suffix ${suffix} is there twice`,
      );
    }
    seen.add(suffix);
  });
  if (groups.every((group) => group.resources.length === 0)) {
    throw new InvalidInput(['groups'], 'at least one group must ask for resources');
  }
}

function validateGroup(group: RequestGroup, path: Path, known: KnownNames): void {
  validateResources(group.resources, [...path, 'resources'], known);
  validateTraits(
    { required: group.requiredTraits, forbidden: group.forbiddenTraits },
    { required: [...path, 'requiredTraits'], forbidden: [...path, 'forbiddenTraits'] },
    known,
  );
  validateAlternatives(group.memberOf, [...path, 'memberOf']);
  validateList(group.forbiddenAggregates, [...path, 'forbiddenAggregates'], 'aggregate');
  validateSplitting(group, [...path, 'canSplit'], known);
}

/** Only classes that the unsuffixed group asks for can be split. */
function validateSplitting(
  { suffix, resources, canSplit }: RequestGroup,
  path: Path,
  known: KnownNames,
): void {
  if (canSplit.length > 0 && suffix !== '') {
    throw new InvalidInput(
      path,
      `group ${suffix} is granular: only amounts of the unsuffixed group can be split`,
    );
  }
  validateList(canSplit, path, 'resource class');
  canSplit.forEach((name, position) => {
    const here = [...path, String(position)];
    if (!known.hasClass(name)) {
      throw new InvalidInput(here, `resource class ${JSON.stringify(name)} is unknown`);
    }
    if (!resources.some(({ resourceClass }) => resourceClass === name)) {
      throw new InvalidInput(here, `the group does not ask for resource class ${name}`);
    }
  });
}

/** Amounts from 1, known classes, each class once (rules 14, 118, 121). */
export function validateResources(resources: readonly ResourceAmount[], path: Path, known: KnownNames): void {
  limitEntries(resources, path);
  const seen = new Set<string>();
  resources.forEach(({ resourceClass, amount }, position) => {
    const here = [...path, String(position)];
    if (!known.hasClass(resourceClass)) {
      throw new InvalidInput(
        [...here, 'resourceClass'],
        `resource class ${JSON.stringify(resourceClass)} is unknown`,
      );
    }
    if (seen.has(resourceClass)) {
      throw new InvalidInput([...here, 'resourceClass'], `resource class ${resourceClass} is there twice`);
    }
    seen.add(resourceClass);
    if (!Number.isInteger(amount) || amount < 1) {
      throw new InvalidInput([...here, 'amount'], `amount ${amount} of ${resourceClass} is not at least 1`);
    }
  });
}

/**
 * Known traits, no empty or repeating list, and no required set of alternatives that is forbidden as a whole
 * (rules 119-121, 125).
 */
export function validateTraits(
  traits: { readonly required: Alternatives; readonly forbidden: readonly string[] },
  paths: { readonly required: Path; readonly forbidden: Path },
  known: KnownNames,
): void {
  validateAlternatives(traits.required, paths.required, 'trait');
  traits.required.forEach((set, outer) =>
    set.forEach((name, inner) =>
      validateTrait(name, [...paths.required, String(outer), String(inner)], known),
    ),
  );
  validateList(traits.forbidden, paths.forbidden, 'trait');
  traits.forbidden.forEach((name, position) =>
    validateTrait(name, [...paths.forbidden, String(position)], known),
  );
  const forbidden = new Set(traits.forbidden);
  traits.required.forEach((set, position) => {
    if (set.every((name) => forbidden.has(name))) {
      throw new InvalidInput(
        [...paths.required, String(position)],
        `${set.join(', ')} is required and forbidden`,
      );
    }
  });
}

function validateTrait(name: string, path: Path, known: KnownNames): void {
  if (!known.hasTrait(name)) throw new InvalidInput(path, `trait ${JSON.stringify(name)} is unknown`);
}

/** No empty inner list, nothing twice within one (decision D7; the same set may be asked twice: it is AND). */
export function validateAlternatives(
  sets: Alternatives,
  path: Path,
  what: 'trait' | 'aggregate' = 'aggregate',
): void {
  limitEntries(sets, path);
  sets.forEach((set, position) => {
    const here = [...path, String(position)];
    if (set.length === 0)
      throw new InvalidInput(here, `an empty list of alternatives: name at least one ${what}`);
    validateList(set, here, what);
  });
}

/** Nothing twice, not too long (decision D7). */
export function validateList(
  names: readonly string[],
  path: Path,
  what: 'trait' | 'aggregate' | 'resource class' | 'suffix',
): void {
  limitEntries(names, path);
  const seen = new Set<string>();
  names.forEach((name, position) => {
    if (seen.has(name)) throw new InvalidInput([...path, String(position)], `${what} ${name} is there twice`);
    seen.add(name);
  });
}

function limitEntries(list: readonly unknown[], path: Path): void {
  if (list.length > MOST_ENTRIES) {
    throw new InvalidInput(path, `${list.length} entries: a list may have at most ${MOST_ENTRIES}`);
  }
}

/** Subtree conditions name granular groups of this request, each on one side and once (rule 115). */
function validateSubtrees({ groups, sameSubtree }: CandidatesRequest): void {
  limitEntries(sameSubtree, ['sameSubtree']);
  sameSubtree.forEach((condition, position) => {
    const path = ['sameSubtree', String(position)];
    if (condition.groups.length === 0) {
      throw new InvalidInput([...path, 'groups'], 'an empty list: name at least one group');
    }
    validateSuffixes(condition.groups, [...path, 'groups'], groups, 'be in a subtree condition');
    validateSuffixes(condition.except, [...path, 'except'], groups, 'be in a subtree condition');
    condition.except.forEach((suffix, inner) => {
      if (!condition.groups.includes(suffix)) return;
      throw new InvalidInput(
        [...path, 'except', String(inner)],
        `suffix ${suffix} is among the groups of the same condition`,
      );
    });
  });
}

/** Isolation names granular groups of this request, each once, and says nothing beside a policy that isolates all. */
function validateIsolation({ groups, groupPolicy, isolate }: CandidatesRequest): void {
  if (isolate.length > 0 && groupPolicy === 'ISOLATE') {
    throw new InvalidInput(
      ['isolate'],
      'isolate and groupPolicy ISOLATE exclude each other: give one of them',
    );
  }
  validateSuffixes(isolate, ['isolate'], groups, 'be isolated');
}

function validateSuffixes(
  suffixes: readonly string[],
  path: Path,
  groups: readonly RequestGroup[],
  purpose: string,
): void {
  validateList(suffixes, path, 'suffix');
  suffixes.forEach((suffix, position) => {
    const here = [...path, String(position)];
    if (suffix === '') throw new InvalidInput(here, `the unsuffixed group cannot ${purpose}`);
    if (!groups.some((group) => group.suffix === suffix)) {
      throw new InvalidInput(here, `no group of the request has the suffix ${JSON.stringify(suffix)}`);
    }
  });
}

/** A group without resources must be granular and in some subtree condition (rule 114, decision D13). */
function validateResourceless({ groups, sameSubtree }: CandidatesRequest): void {
  const bound = new Set(sameSubtree.flatMap((condition) => [...condition.groups, ...condition.except]));
  groups.forEach(({ suffix, resources }, position) => {
    if (resources.length > 0 || bound.has(suffix)) return;
    throw new InvalidInput(
      ['groups', String(position), 'resources'],
      suffix === ''
        ? 'the unsuffixed group must ask for resources'
        : `group ${suffix} has no resources, so a subtree condition must name it`,
    );
  });
}

/** Candidates are ordered by classes that the request draws, each once. */
function validateOrder({ groups, orderBy }: CandidatesRequest, known: KnownNames): void {
  limitEntries(orderBy, ['orderBy']);
  const drawn = new Set(
    groups.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)),
  );
  const seen = new Set<string>();
  orderBy.forEach(({ resourceClass }, position) => {
    const path = ['orderBy', String(position), 'resourceClass'];
    if (!known.hasClass(resourceClass)) {
      throw new InvalidInput(path, `resource class ${JSON.stringify(resourceClass)} is unknown`);
    }
    if (!drawn.has(resourceClass)) throw new InvalidInput(path, `no group asks for ${resourceClass}`);
    if (seen.has(resourceClass)) {
      throw new InvalidInput(path, `resource class ${resourceClass} is there twice`);
    }
    seen.add(resourceClass);
  });
}
