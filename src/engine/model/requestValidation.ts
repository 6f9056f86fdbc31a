import { firstDuplicate, InvalidInput, unknownName } from '../../domain/invalidInput.js';
import {
  checkLength,
  validateAlternatives,
  validateList,
  validateNotForbidden,
  validateResources,
  validateTraits,
  type KnownNames,
  type Path,
} from '../../domain/providerConditions.js';
import type { CandidatesRequest, RequestGroup } from './request.js';

const MOST_GROUPS = 256;

const SUFFIX = /^[a-zA-Z0-9_-]{1,64}$/;

/** Throws InvalidInput for what rules 5, 14, 113-125 and decisions D7, D12 and D13 reject. */
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
  if (groups.length === 0)
    throw new InvalidInput(['groups'], 'a request needs at least one group with resources');
  if (groups.length > MOST_GROUPS) {
    throw new InvalidInput(['groups'], `${groups.length} groups: a request may have at most ${MOST_GROUPS}`);
  }
  const repeated = firstDuplicate(groups.map(({ suffix }) => suffix));
  groups.forEach(({ suffix }, position) => {
    const path = ['groups', String(position), 'suffix'];
    if (suffix !== '' && !SUFFIX.test(suffix)) {
      throw new InvalidInput(
        path,
        `suffix ${JSON.stringify(suffix)} is not 1 to 64 of A-Z, a-z, 0-9, _ and -`,
      );
    }
    if (position === repeated) {
      throw new InvalidInput(
        path,
        suffix === '' ? 'there may be only one unsuffixed group' : `suffix ${suffix} is there twice`,
      );
    }
  });
  if (groups.every((group) => group.resources.length === 0)) {
    throw new InvalidInput(['groups'], 'at least one group must ask for resources');
  }
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
      throw unknownName('resource class', name, here);
    }
    if (!resources.some(({ resourceClass }) => resourceClass === name)) {
      throw new InvalidInput(here, `the group does not ask for resource class ${name}`);
    }
  });
}

/** Subtree conditions name granular groups of the request, each on one side and once (rule 115). */
function validateSubtrees({ groups, sameSubtree }: CandidatesRequest): void {
  checkLength(sameSubtree, ['sameSubtree']);
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

/** A group without resources must be granular and in a subtree condition (rule 114, decision D13). */
function validateResourceless({ groups, sameSubtree }: CandidatesRequest): void {
  const named = new Set(sameSubtree.flatMap((condition) => [...condition.groups, ...condition.except]));
  groups.forEach(({ suffix, resources }, position) => {
    if (resources.length > 0 || named.has(suffix)) return;
    throw new InvalidInput(
      ['groups', String(position), 'resources'],
      suffix === ''
        ? 'the unsuffixed group must ask for resources'
        : `group ${suffix} has no resources, so a subtree condition must name it`,
    );
  });
}

function validateOrder({ groups, orderBy }: CandidatesRequest, known: KnownNames): void {
  checkLength(orderBy, ['orderBy']);
  const asked = new Set(
    groups.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)),
  );
  const repeated = firstDuplicate(orderBy.map(({ resourceClass }) => resourceClass));
  orderBy.forEach(({ resourceClass }, position) => {
    const path = ['orderBy', String(position), 'resourceClass'];
    if (!known.hasClass(resourceClass)) {
      throw unknownName('resource class', resourceClass, path);
    }
    if (!asked.has(resourceClass)) throw new InvalidInput(path, `no group asks for ${resourceClass}`);
    if (position === repeated) {
      throw new InvalidInput(path, `resource class ${resourceClass} is there twice`);
    }
  });
}
