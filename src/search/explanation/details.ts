import { LARGEST_INTEGER } from '../../model/input.js';
import type { Alternatives, CandidatesRequest, RequestGroup } from '../../model/request.js';
import type { GroupConstraint } from '../treeFilter.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Combination } from './combination.js';
import { shortageText } from './counterShortage.js';
import type { CombinationConstraint, Describe } from './funnel.js';
import type { GroupCounter, NearMiss } from './groups.js';

/** A predicate of "N of M trees", and the nearest miss. `filled` appends it if none remain. */
type Template = readonly [text: string, nearest?: string];

export type Kind = 'trees' | 'trees that can serve every group' | 'trees that can serve the group';

function filled(kind: string, before: number, remaining: number, [text, nearest = '']: Template): string {
  const miss = remaining === 0 && nearest !== '' ? `: ${nearest}` : '';
  return `${counted(remaining)} of ${counted(before)} ${kind} ${text}${miss}`;
}

export function groupDetails(
  snapshot: Snapshot,
  request: CandidatesRequest,
  { requested, planned, misses }: GroupCounter,
): Describe<GroupConstraint> {
  const { classes } = misses;
  const names = requested.resources.map(({ resourceClass }) => resourceClass);
  const [kind, lead] = planned.isGranular
    ? ['providers', 'are']
    : ['trees', 'can serve the group from providers'];
  const having = names.map((name, at) => `${counted(classes[at].having)} have ${name}`);
  const mostFree = names.map((name, at) => {
    const { mostFree: most, maxUnitThere } = classes[at];
    const limit = maxUnitThere < LARGEST_INTEGER ? ` (max_unit ${counted(maxUnitThere)})` : '';
    return `${counted(most)} ${name}${limit}`;
  });
  const shortages = classes.flatMap(({ shortage }) =>
    shortage === null ? [] : shortageText(shortage, snapshot.classes, (all) => named(all, 'and'), counted),
  );
  const templates: Record<GroupConstraint, (before: number) => Template> = {
    NOT_IN_TREES: () => outsideTrees(snapshot, request),
    NO_INVENTORY: () => [`have ${names.join(' and ')}`, names.length > 1 ? having.join(', ') : ''],
    INSUFFICIENT_CAPACITY: () => [
      `have ${amountsOf(requested)} free`,
      [`at most ${mostFree.join(' and ')}`, ...shortages].join('; '),
    ],
    MIN_UNIT: () =>
      unitTemplate(requested, classes, 'min_unit', ({ lowestMinUnit }, amount) =>
        lowestMinUnit > amount && Number.isFinite(lowestMinUnit) ? lowestMinUnit : null,
      ),
    MAX_UNIT: () =>
      unitTemplate(requested, classes, 'max_unit', ({ highestMaxUnit }, amount) =>
        highestMaxUnit > 0 && highestMaxUnit < amount ? highestMaxUnit : null,
      ),
    STEP_SIZE: () =>
      unitTemplate(requested, classes, 'step_size', ({ stepSize }) => (stepSize > 1 ? stepSize : null)),
    REQUIRED_TRAITS: (before) => [
      `${planned.isGranular ? 'have' : `${lead} that together have`} ${allOf(requested.requiredTraits)}`,
      satisfiedCounts(requested.requiredTraits, misses.traits, before),
    ],
    FORBIDDEN_TRAITS: () => [`${lead} without ${requested.forbiddenTraits.join(' and ')}`],
    MEMBER_OF: (before) => [
      `${lead} in aggregate ${allOf(requested.memberOf)}`,
      satisfiedCounts(requested.memberOf, misses.aggregates, before),
    ],
    FORBIDDEN_AGGREGATES: () => [
      `${lead} outside of aggregate ${requested.forbiddenAggregates.join(' and ')}`,
    ],
    IN_TREE: () => [`${lead} in the tree of ${nameOf(snapshot, requested.inTree!)}`],
    IN_SUBTREE: () => [`${lead} within the subtree of ${nameOf(snapshot, requested.inSubtree!)}`],
  };
  return (constraint, before, remaining) => filled(kind, before, remaining, templates[constraint](before));
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
  kind: Kind = 'trees',
): Describe<CombinationConstraint> {
  const { awayFromConsumers, nearConsumers, holdings } = request;
  const { rootRequiredTraits, rootForbiddenTraits, rootMemberOf, rootForbiddenAggregates } = request;
  const haveNothing = nearConsumers.every((consumer) => holdings?.get(consumer)?.length === 0);
  const serving = request.groups.map(
    ({ suffix }, at) => `${counted(treesServing[at])} can serve ${groupNamed(suffix)}`,
  );
  const templates: Record<CombinationConstraint, () => Template> = {
    NOT_IN_TREES: () => outsideTrees(snapshot, request),
    AWAY_FROM_CONSUMERS: () => [`are away from consumers ${named(awayFromConsumers, 'or')}`],
    NEAR_CONSUMERS: () => [
      `are near consumers ${named(nearConsumers, 'or')}`,
      haveNothing ? 'they have no allocations' : '',
    ],
    EXCLUDED_ROOTS: () => [
      `have a root without ${request.excludedRootTraits.join(' and ')}`,
      'includeExcluded includes the others',
    ],
    ROOT_TRAITS: () => rootTemplate('with', 'without', rootRequiredTraits, rootForbiddenTraits),
    ROOT_AGGREGATES: () =>
      rootTemplate('in aggregate', 'outside of aggregate', rootMemberOf, rootForbiddenAggregates),
    TREE_LACKS_GROUP: () =>
      serving.length === 1 ? ['can serve the group'] : ['can serve every group', serving.join(', ')],
    GROUP_POLICY: () => ['have a separate provider for each granular group'],
    ISOLATE: () => [`have a provider for ${request.isolate.join(' and ')} alone`],
    SAME_SUBTREE: () => [`can put ${request.sameSubtree.map(subtreeText).join(' and ')}`],
    MERGED_AMOUNT: () => ['can give the sums of what several groups take from one provider'],
    COUNTERS: () => ['have what all groups together consume of the counters of a provider'],
  };
  return (constraint, before, remaining) => {
    const detail = filled(kind, before, remaining, templates[constraint]());
    if (undecided === 0 || constraint !== last) return detail;
    return `${detail} (for ${counted(undecided)} of them the violated condition is unknown)`;
  };
}

function rootTemplate(
  has: string,
  lacks: string,
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
