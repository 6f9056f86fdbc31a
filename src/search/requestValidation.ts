import { ensure, firstDuplicate, unknownName } from '../model/invalidInput.js';
import {
  checkLength,
  validateAlternatives,
  validateList,
  validateNotForbidden,
  validateResources,
  validateTraits,
  type KnownNames,
  type Path,
} from '../model/providerConditions.js';
import { distinctTerms } from './plan.js';
import type { CandidateOrder, CandidatesRequest, RequestGroup, SubtreeAffinity } from '../model/request.js';

const MAX_GROUPS = 256;

/** The maximum number of different terms of an order. Each takes time and memory at each tree. */
const MAX_TERMS = 32;

const SUFFIX = /^[a-zA-Z0-9_-]{1,64}$/;

/** Throws InvalidInput if rules 5, 14, 113-125 or decisions D7, D12, D13 reject the request. */
export function validateRequest(request: CandidatesRequest, known: KnownNames): void {
  validateGroupList(request.groups);
  request.groups.forEach((group, position) => validateGroup(group, ['groups', String(position)], known));
  validateSubtrees(request);
  validateIsolation(request);
  validateResourceless(request);
  validateConsistentTraits(
    { required: request.rootRequiredTraits, forbidden: request.rootForbiddenTraits },
    { required: ['rootRequiredTraits'], forbidden: ['rootForbiddenTraits'] },
    known,
  );
  validateAlternatives(request.rootMemberOf, ['rootMemberOf']);
  validateList(request.rootForbiddenAggregates, ['rootForbiddenAggregates'], 'aggregate');
  validateList(request.notInTrees, ['notInTrees'], 'provider');
  validateList(request.awayFromConsumers, ['awayFromConsumers'], 'consumer');
  validateList(request.nearConsumers, ['nearConsumers'], 'consumer');
  validateOrder(request, known);
}

function validateGroupList(groups: readonly RequestGroup[]): void {
  ensure(groups.length > 0, ['groups'], 'a request needs at least one group with resources');
  const count = `${groups.length} groups: a request may have at most ${MAX_GROUPS}`;
  ensure(groups.length <= MAX_GROUPS, ['groups'], count);
  const repeated = firstDuplicate(groups.map(({ suffix }) => suffix));
  groups.forEach(({ suffix }, position) => {
    const path = ['groups', String(position), 'suffix'];
    const message = `suffix ${JSON.stringify(suffix)} is not 1 to 64 of A-Z, a-z, 0-9, _ and -`;
    ensure(suffix === '' || SUFFIX.test(suffix), path, message);
    const twice = suffix === '' ? 'there may be only one unsuffixed group' : `suffix ${suffix} is repeated`;
    ensure(position !== repeated, path, twice);
  });
  const hasResources = groups.some(({ resources }) => resources.length > 0);
  ensure(hasResources, ['groups'], 'at least one group must ask for resources');
}

function validateGroup(group: RequestGroup, path: Path, known: KnownNames): void {
  validateResources(group.resources, [...path, 'resources'], known);
  validateConsistentTraits(
    { required: group.requiredTraits, forbidden: group.forbiddenTraits },
    { required: [...path, 'requiredTraits'], forbidden: [...path, 'forbiddenTraits'] },
    known,
  );
  validateAlternatives(group.memberOf, [...path, 'memberOf']);
  validateList(group.forbiddenAggregates, [...path, 'forbiddenAggregates'], 'aggregate');
  validateSplitting(group, [...path, 'canSplit'], known);
}

function validateConsistentTraits(...[traits, paths, known]: Parameters<typeof validateTraits>): void {
  validateTraits(traits, paths, known);
  validateNotForbidden(traits, paths.required);
}

function validateSplitting(
  { suffix, resources, canSplit }: RequestGroup,
  path: Path,
  known: KnownNames,
): void {
  const granular = `group ${suffix} is granular: only amounts of the unsuffixed group can be split`;
  ensure(canSplit.length === 0 || suffix === '', path, granular);
  validateList(canSplit, path, 'resource class');
  const requested = new Set(resources.map(({ resourceClass }) => resourceClass));
  canSplit.forEach((name, position) => {
    const here = [...path, String(position)];
    if (!known.hasClass(name)) throw unknownName('resource class', name, here);
    ensure(requested.has(name), here, `the group does not ask for resource class ${name}`);
  });
}

/** Checks that subtree conditions name granular groups, each on one side and once (rule 115). */
function validateSubtrees({ groups, sameSubtree }: CandidatesRequest): void {
  checkLength(sameSubtree, ['sameSubtree']);
  const suffixes = suffixesOf(groups);
  const seen = new Set<SubtreeAffinity>();
  sameSubtree.forEach((condition, position) => {
    if (seen.has(condition)) return;
    seen.add(condition);
    const path = ['sameSubtree', String(position)];
    const isEmpty = condition.groups.length === 0;
    ensure(!isEmpty, [...path, 'groups'], 'an empty list: name at least one group');
    validateSuffixes(condition.groups, [...path, 'groups'], suffixes, 'be in a subtree condition');
    validateSuffixes(condition.except, [...path, 'except'], suffixes, 'be in a subtree condition');
    const within = new Set(condition.groups);
    condition.except.forEach((suffix, inner) => {
      const message = `suffix ${suffix} is among the groups of the same condition`;
      ensure(!within.has(suffix), [...path, 'except', String(inner)], message);
    });
  });
}

function validateIsolation({ groups, groupPolicy, isolate }: CandidatesRequest): void {
  const message = 'isolate and groupPolicy ISOLATE exclude each other: give one of them';
  ensure(isolate.length === 0 || groupPolicy !== 'ISOLATE', ['isolate'], message);
  validateSuffixes(isolate, ['isolate'], suffixesOf(groups), 'be isolated');
}

function suffixesOf(groups: readonly RequestGroup[]): ReadonlySet<string> {
  return new Set(groups.map(({ suffix }) => suffix));
}

function validateSuffixes(
  suffixes: readonly string[],
  path: Path,
  known: ReadonlySet<string>,
  purpose: string,
): void {
  validateList(suffixes, path, 'suffix');
  suffixes.forEach((suffix, position) => {
    const here = [...path, String(position)];
    ensure(suffix !== '', here, `the unsuffixed group cannot ${purpose}`);
    ensure(known.has(suffix), here, `no group of the request has the suffix ${JSON.stringify(suffix)}`);
  });
}

/** A group without resources must be granular and in a subtree condition (rule 114, decision D13). */
function validateResourceless({ groups, sameSubtree }: CandidatesRequest): void {
  const named = new Set(sameSubtree.flatMap((condition) => [...condition.groups, ...condition.except]));
  groups.forEach(({ suffix, resources }, position) => {
    const message =
      suffix === ''
        ? 'the unsuffixed group must ask for resources'
        : `group ${suffix} has no resources, so a subtree condition must name it`;
    ensure(resources.length > 0 || named.has(suffix), ['groups', String(position), 'resources'], message);
  });
}

function validateOrder({ groups, orderBy }: CandidatesRequest, known: KnownNames): void {
  checkLength(orderBy, ['orderBy']);
  const requested = new Set(groups.flatMap(({ resources }) => resources.map((each) => each.resourceClass)));
  const count = distinctTerms(orderBy).length;
  ensure(count <= MAX_TERMS, ['orderBy'], `${count} different terms: an order has at most ${MAX_TERMS}`);
  const repeated = firstDuplicate(orderBy.map(keyOfTerm));
  const seen = new Set<CandidateOrder>();
  orderBy.forEach((term, position) => {
    const path = ['orderBy', String(position)];
    ensure(position !== repeated, path, 'the order has this term already');
    if (seen.has(term)) return;
    seen.add(term);
    const { freeShare, fewestProviders, preferTraits, preferAggregates, nearConsumers } = term;
    ensure(fewestProviders !== false, [...path, 'fewestProviders'], 'pass true or omit the term');
    if (freeShare) {
      const { resourceClass } = freeShare;
      const here = [...path, 'freeShare', 'resourceClass'];
      if (!known.hasClass(resourceClass)) throw unknownName('resource class', resourceClass, here);
      ensure(requested.has(resourceClass), here, `no group asks for ${resourceClass}`);
    }
    validatePreferences(preferTraits ?? [], 'trait', [...path, 'preferTraits'], known);
    validatePreferences(preferAggregates ?? [], 'aggregate', [...path, 'preferAggregates'], known);
    validateList(nearConsumers ?? [], [...path, 'nearConsumers'], 'consumer');
  });
}

/** Returns equal keys for two terms if the second could never decide the order. */
function keyOfTerm({ freeShare, fewestProviders, nearConsumers }: CandidateOrder, position: number): string {
  if (freeShare) return freeShare.resourceClass;
  if (fewestProviders != null) return 'fewestProviders';
  return nearConsumers ? 'nearConsumers' : String(position);
}

function validatePreferences<Kind extends 'trait' | 'aggregate'>(
  preferences: readonly Readonly<Record<Kind, string>>[],
  kind: Kind,
  path: Path,
  known: KnownNames,
): void {
  checkLength(preferences, path);
  const names = preferences.map((preference) => preference[kind]);
  const repeated = firstDuplicate(names);
  names.forEach((name, position) => {
    const here = [...path, String(position), kind];
    if (kind === 'trait' && !known.hasTrait(name)) throw unknownName('trait', name, here);
    ensure(position !== repeated, here, `${kind} ${name} is repeated`);
  });
}
