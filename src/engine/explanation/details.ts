import { LARGEST_INTEGER } from '../../domain/capacity.js';
import type { Alternatives } from '../../domain/providerConditions.js';
import type { GroupConstraint } from '../model/providerChecks.js';
import type { CandidatesRequest, RequestGroup } from '../model/request.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Combination } from './combination.js';
import type { CombinationConstraint, Describe } from './funnel.js';
import type { GroupCounter, NearMiss } from './groups.js';

/** A predicate of "N of M trees", and the nearest miss. `filled` appends it if none remain. */
type Template = readonly [text: string, nearest?: string];

function filled(kind: string, before: number, remaining: number, [text, nearest = '']: Template): string {
  const miss = remaining === 0 && nearest !== '' ? `: ${nearest}` : '';
  return `${counted(remaining)} of ${counted(before)} ${kind} ${text}${miss}`;
}

export function groupDetails(
  snapshot: Snapshot,
  request: CandidatesRequest,
  group: GroupCounter,
): Describe<GroupConstraint> {
  const kind = group.planned.isGranular ? 'providers' : 'trees';
  return (constraint, before, remaining) =>
    filled(kind, before, remaining, groupTemplate(constraint, group, before, snapshot, request));
}

function groupTemplate(
  constraint: GroupConstraint,
  { requested, planned, misses }: GroupCounter,
  before: number,
  snapshot: Snapshot,
  request: CandidatesRequest,
): Template {
  const { resources } = requested;
  const names = resources.map(({ resourceClass }) => resourceClass);
  const lead = planned.isGranular ? 'are' : 'can serve the group from providers';
  switch (constraint) {
    case 'NOT_IN_TREES':
      return outsideTrees(snapshot, request);
    case 'NO_INVENTORY': {
      const counts = names.map((name, at) => `${counted(misses.classes[at].having)} have ${name}`);
      return [`have ${names.join(' and ')}`, names.length > 1 ? counts.join(', ') : ''];
    }
    case 'INSUFFICIENT_CAPACITY': {
      const most = names.map((name, at) => {
        const { mostFree, maxUnitThere } = misses.classes[at];
        const limit = maxUnitThere < LARGEST_INTEGER ? ` (max_unit ${counted(maxUnitThere)})` : '';
        return `${counted(mostFree)} ${name}${limit}`;
      });
      return [`have ${amountsOf(requested)} free`, `at most ${most.join(' and ')}`];
    }
    case 'MIN_UNIT':
      return unitTemplate(requested, misses.classes, 'min_unit', ({ lowestMinUnit }, amount) =>
        lowestMinUnit > amount && Number.isFinite(lowestMinUnit) ? lowestMinUnit : null,
      );
    case 'MAX_UNIT':
      return unitTemplate(requested, misses.classes, 'max_unit', ({ highestMaxUnit }, amount) =>
        highestMaxUnit > 0 && highestMaxUnit < amount ? highestMaxUnit : null,
      );
    case 'STEP_SIZE':
      return unitTemplate(requested, misses.classes, 'step_size', ({ stepSize }) =>
        stepSize > 1 ? stepSize : null,
      );
    case 'REQUIRED_TRAITS': {
      const together = planned.isGranular ? 'have' : `${lead} that together have`;
      const nearest = satisfiedCounts(requested.requiredTraits, misses.traits, before);
      return [`${together} ${allOf(requested.requiredTraits)}`, nearest];
    }
    case 'FORBIDDEN_TRAITS':
      return [`${lead} without ${requested.forbiddenTraits.join(' and ')}`];
    case 'MEMBER_OF': {
      const nearest = satisfiedCounts(requested.memberOf, misses.aggregates, before);
      return [`${lead} in aggregate ${allOf(requested.memberOf)}`, nearest];
    }
    case 'FORBIDDEN_AGGREGATES':
      return [`${lead} outside of aggregate ${requested.forbiddenAggregates.join(' and ')}`];
    case 'IN_TREE':
      return [`${lead} in the tree of ${nameOf(snapshot, requested.inTree!)}`];
    case 'IN_SUBTREE':
      return [`${lead} within the subtree of ${nameOf(snapshot, requested.inSubtree!)}`];
  }
}

/** `limitOf` returns the limit nearest to an amount; null if it allows the amount. */
function unitTemplate(
  requested: RequestGroup,
  misses: readonly NearMiss[],
  unit: string,
  limitOf: (miss: NearMiss, amount: number) => number | null,
): Template {
  const limits = requested.resources.flatMap(({ resourceClass, amount }, at) => {
    const limit = limitOf(misses[at], amount);
    return limit === null ? [] : [`${counted(limit)} for ${resourceClass}`];
  });
  const nearest = limits.length > 0 ? `at best ${limits.join(' and ')}` : '';
  return [`have a ${unit} that allows ${amountsOf(requested)}`, nearest];
}

export function combinationDetails(
  snapshot: Snapshot,
  request: CandidatesRequest,
  { undecided, last, treesServing }: Combination,
): Describe<CombinationConstraint> {
  return (constraint, before, remaining) => {
    const template = treeTemplate(constraint, request, treesServing, snapshot);
    const detail = filled('trees', before, remaining, template);
    if (undecided === 0 || constraint !== last) return detail;
    return `${detail} (for ${counted(undecided)} of them the violated condition is unknown)`;
  };
}

function treeTemplate(
  constraint: CombinationConstraint,
  request: CandidatesRequest,
  treesServing: readonly number[],
  snapshot: Snapshot,
): Template {
  switch (constraint) {
    case 'NOT_IN_TREES':
      return outsideTrees(snapshot, request);
    case 'AWAY_FROM_CONSUMERS':
      return [`are away from consumers ${named(request.awayFromConsumers, 'or')}`];
    case 'NEAR_CONSUMERS': {
      const { nearConsumers, holdings } = request;
      const haveNothing = nearConsumers.every((consumer) => holdings?.get(consumer)?.length === 0);
      return [
        `are near consumers ${named(nearConsumers, 'or')}`,
        haveNothing ? 'they have no allocations' : '',
      ];
    }
    case 'ROOT_TRAITS':
      return rootTemplate(['with', 'without'], request.rootRequiredTraits, request.rootForbiddenTraits);
    case 'ROOT_AGGREGATES':
      return rootTemplate(
        ['in aggregate', 'outside of aggregate'],
        request.rootMemberOf,
        request.rootForbiddenAggregates,
      );
    case 'TREE_LACKS_GROUP': {
      if (request.groups.length === 1) return ['can serve the group'];
      const counts = request.groups.map(
        ({ suffix }, at) => `${counted(treesServing[at])} can serve ${groupNamed(suffix)}`,
      );
      return ['can serve every group', counts.join(', ')];
    }
    case 'GROUP_POLICY':
      return ['have a separate provider for each granular group'];
    case 'ISOLATE':
      return [`have a provider for ${request.isolate.join(' and ')} alone`];
    case 'SAME_SUBTREE':
      return [`can put ${request.sameSubtree.map(subtreeText).join(' and ')}`];
    case 'MERGED_AMOUNT':
      return ['can give the sums of what several groups take from one provider'];
  }
}

function rootTemplate(
  [has, lacks]: readonly [string, string],
  required: Alternatives,
  forbidden: readonly string[],
): Template {
  const conditions = [
    ...(required.length > 0 ? [`${has} ${allOf(required)}`] : []),
    ...(forbidden.length > 0 ? [`${lacks} ${forbidden.join(' and ')}`] : []),
  ];
  return [`have a root ${conditions.join(' and ')}`];
}

function subtreeText({ groups, except }: CandidatesRequest['sameSubtree'][number]): string {
  const outside = except.length > 0 ? ` with ${except.join(' and ')} outside of it` : '';
  return `${groups.join(' and ')} into one subtree${outside}`;
}

function outsideTrees(snapshot: Snapshot, { notInTrees }: CandidatesRequest): Template {
  const names = notInTrees.map((uuid) => nameOf(snapshot, uuid));
  return [`are outside of the trees of ${named(names, 'and')}`];
}

/** Returns a provider's name; its uuid if there is no such provider. */
function nameOf(snapshot: Snapshot, uuid: string): string {
  const provider = snapshot.locate(uuid);
  return provider?.block.names[provider.row] ?? uuid;
}

export function groupNamed(suffix: string): string {
  return suffix === '' ? 'the unsuffixed group' : `group ${suffix}`;
}

function amountsOf({ resources }: RequestGroup): string {
  return resources.map(({ resourceClass, amount }) => `${counted(amount)} ${resourceClass}`).join(' and ');
}

function allOf(sets: Alternatives): string {
  return alternativesOf(sets).join(' and ');
}

function alternativesOf(sets: Alternatives): string[] {
  return sets.map((set) => (sets.length > 1 && set.length > 1 ? `(${set.join(' or ')})` : set.join(' or ')));
}

/** Formats how many providers or trees satisfy each of the sets alone; empty for a single set. */
function satisfiedCounts(sets: Alternatives, satisfying: readonly number[], before: number): string {
  if (sets.length < 2) return '';
  const total = counted(before);
  return alternativesOf(sets)
    .map((name, at) => `${counted(satisfying[at])} of ${total} ${name}`)
    .join(', ');
}

/** The maximum number of names that `named` lists. */
const MAX_NAMED = 3;

function named(items: readonly string[], conjunction: 'and' | 'or'): string {
  const left = items.length - MAX_NAMED;
  return [...items.slice(0, MAX_NAMED), ...(left > 0 ? [`${counted(left)} more`] : [])].join(
    ` ${conjunction} `,
  );
}

/** Formats an integer with thousands separators. Creating an Intl.NumberFormat would delay the start. */
export function counted(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}
