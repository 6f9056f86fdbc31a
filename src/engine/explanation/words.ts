import { LARGEST_INTEGER } from '../../domain/capacity.js';
import type { Alternatives } from '../../domain/providerConditions.js';
import type { CandidatesRequest, RequestGroup } from '../model/request.js';
import type { Combination } from './combination.js';
import type { GroupExplanation, JudgedGroup } from './explanation.js';
import type { NearMiss, NearMisses } from './nearMisses.js';
import type { CombinationConstraint, Describe, Elimination, GroupConstraint } from './tally.js';

/** A verb as it is said of one, of several, and of one that fails. */
const VERBS = {
  have: ['has', 'have', 'does not have'],
  be: ['is', 'are', 'is not'],
  take: ['takes', 'take', 'does not take'],
  give: ['gives', 'give', 'does not give'],
  can: ['can', 'can', 'cannot'],
} as const;

/** What holds of those that meet a constraint; and what to add when none does. */
interface Phrase {
  readonly verb: keyof typeof VERBS;
  readonly rest: string;
  readonly nearest?: string;
}

/** The details of one group's constraints. */
export function groupDetails(judged: JudgedGroup): Describe<GroupConstraint> {
  const kind = judged.group.planned.isGranular ? 'provider' : 'tree';
  return (constraint, before, remaining) =>
    sentence(kind, before, remaining, phraseOf(constraint, judged, before));
}

/** The details of what removed trees. */
export function combinationDetails(
  request: CandidatesRequest,
  combination: Combination,
): Describe<CombinationConstraint> {
  return (constraint, before, remaining) => {
    const said = sentence('tree', before, remaining, treePhrase(constraint, request, combination));
    const { undecided, last } = combination;
    if (undecided === 0 || constraint !== last) return said;
    return `${said} (in ${counted(undecided)} of them it was not worked out which condition it is that cannot be met)`;
  };
}

/** One sentence: what removed the last ones; or how many trees are left, and what removed most of the others. */
export function summaryOf(
  request: CandidatesRequest,
  groups: readonly GroupExplanation[],
  combination: readonly Elimination[],
  { served, tally }: Combination,
  satisfiableWhenEmpty: boolean,
): string {
  const { remaining } = combination[combination.length - 1];
  if (remaining > 0) {
    const fits = `${counted(remaining)} of ${counted(tally.considered)} trees can take the request`;
    const scarcest = groups[served.indexOf(Math.min(...served))];
    const most = combination.reduce((one, other) => (other.eliminated > one.eliminated ? other : one));
    if (most.eliminated === 0) return `${fits}.`;
    const why = most.constraint === 'TREE_LACKS_GROUP' ? reasonOf(request, scarcest) : most.detail;
    return `${fits}; ${why}.`;
  }
  const hope = satisfiableWhenEmpty
    ? 'it would fit if nothing were allocated'
    : 'it would not fit even if nothing were allocated';
  const hopeless = groups.find((group) => group.remaining === 0);
  if (hopeless !== undefined) return `${capital(reasonOf(request, hopeless))}; ${hope}.`;
  const last = combination.find((entry) => entry.remaining === 0)!;
  return `Each group has somebody who could serve it, but ${last.detail}; ${hope}.`;
}

/** What removed most within a group at last, with what was there before. */
function reasonOf({ groups }: CandidatesRequest, { suffix, eliminations }: GroupExplanation): string {
  const last = eliminations.findLastIndex(({ eliminated }) => eliminated > 0);
  const details = eliminations.slice(Math.max(0, last - 1), last + 1).map(({ detail }) => detail);
  const lead = groups.length > 1 ? `${groupNamed(suffix)}: ` : '';
  return lead + details.join('; ');
}

function phraseOf(constraint: GroupConstraint, judged: JudgedGroup, before: number): Phrase {
  const { misses, group } = judged;
  const { asked } = group;
  switch (constraint) {
    case 'NO_INVENTORY':
      return inventoryPhrase(asked, misses);
    case 'INSUFFICIENT_CAPACITY':
      return freePhrase(asked, misses, before);
    case 'MIN_UNIT':
      return unitPhrase(
        'take',
        `as little as ${amounts(asked)}`,
        asked,
        ({ lowestMinUnit }, at) =>
          lowestMinUnit > asked.resources[at].amount && Number.isFinite(lowestMinUnit)
            ? `min_unit ${counted(lowestMinUnit)}`
            : null,
        misses,
      );
    case 'MAX_UNIT':
      return unitPhrase(
        'give',
        `as much at once as ${amounts(asked)}`,
        asked,
        ({ highestMaxUnit }, at) =>
          highestMaxUnit > 0 && highestMaxUnit < asked.resources[at].amount
            ? `max_unit ${counted(highestMaxUnit)}`
            : null,
        misses,
      );
    case 'STEP_SIZE':
      return unitPhrase(
        'have',
        `a step_size that allows ${amounts(asked)}`,
        asked,
        ({ stepSize }) => (stepSize > 1 ? `step_size ${counted(stepSize)}` : null),
        misses,
      );
    case 'REQUIRED_TRAITS':
      return markPhrase(judged, asked.requiredTraits, misses.traits, before);
    case 'FORBIDDEN_TRAITS':
      return served(asked, { verb: 'be', rest: `without ${listed(asked.forbiddenTraits, 'and')}` });
    case 'MEMBER_OF':
      return markPhrase(judged, asked.memberOf, misses.aggregates, before);
    case 'FORBIDDEN_AGGREGATES':
      return served(asked, {
        verb: 'be',
        rest: `outside of aggregate ${listed(asked.forbiddenAggregates, 'and')}`,
      });
    case 'IN_TREE': {
      const tree = `the tree of ${group.nameOf(asked.inTree!)}`;
      return { verb: 'be', rest: asked.suffix === '' ? tree : `in ${tree}` };
    }
    case 'IN_SUBTREE':
      return served(asked, { verb: 'be', rest: `within the subtree of ${group.nameOf(asked.inSubtree!)}` });
  }
}

/** Of a granular group's provider a condition is said as it stands; of a tree, that it has providers of that sort. */
function served({ suffix }: RequestGroup, phrase: Phrase): Phrase {
  return suffix === ''
    ? { ...phrase, verb: 'can', rest: `serve the group from providers ${phrase.rest}` }
    : phrase;
}

function inventoryPhrase({ resources }: RequestGroup, { classes }: NearMisses): Phrase {
  const names = resources.map(({ resourceClass }) => resourceClass);
  const having = names.map(
    (name, at) => `${counted(classes[at].having)} ${classes[at].having === 1 ? 'has' : 'have'} ${name}`,
  );
  return {
    verb: 'have',
    rest: listed(names, 'and'),
    nearest: names.length > 1 ? having.join(', ') : undefined,
  };
}

function freePhrase(asked: RequestGroup, { classes }: NearMisses, before: number): Phrase {
  const most = asked.resources.map(({ resourceClass }, at) => {
    const { mostFree, maxUnitThere } = classes[at];
    const limit = maxUnitThere < LARGEST_INTEGER ? ` (max_unit ${counted(maxUnitThere)})` : '';
    return `${counted(mostFree)}${asked.resources.length > 1 ? ` ${resourceClass}` : ''}${limit}`;
  });
  const largest = before === 1 ? 'it has' : 'the largest has';
  const nearest = most.length === 1 ? `${largest} ${most[0]}` : `the most free is ${listed(most, 'and')}`;
  return { verb: 'have', rest: `${amounts(asked)} free`, nearest };
}

function unitPhrase(
  verb: keyof typeof VERBS,
  rest: string,
  { resources }: RequestGroup,
  limitOf: (miss: NearMiss, position: number) => string | null,
  { classes }: NearMisses,
): Phrase {
  const limits = resources.flatMap(({ resourceClass }, at) => {
    const limit = limitOf(classes[at], at);
    return limit === null ? [] : [resources.length > 1 ? `${resourceClass} has ${limit}` : limit];
  });
  return { verb, rest, nearest: limits.length > 0 ? `at best ${listed(limits, 'and')}` : undefined };
}

/** Traits or aggregates of which some set is to be met. */
function markPhrase(
  { group: { asked } }: JudgedGroup,
  sets: Alternatives,
  meeting: readonly number[],
  before: number,
): Phrase {
  const isTraits = sets === asked.requiredTraits;
  const names = setsNamed(sets);
  const counts = names.map((name, at) => `${counted(meeting[at])} of ${counted(before)} ${name}`);
  const all = listed(names, 'and');
  const nearest = sets.length > 1 ? counts.join(', ') : undefined;
  if (!isTraits) return { ...served(asked, { verb: 'be', rest: `in aggregate ${all}` }), nearest };
  if (asked.suffix !== '') return { verb: 'have', rest: all, nearest };
  return { verb: 'can', rest: `serve the group from providers that together have ${all}`, nearest };
}

function setsNamed(sets: Alternatives): string[] {
  return sets.map((set) =>
    sets.length > 1 && set.length > 1 ? `(${listed(set, 'or')})` : listed(set, 'or'),
  );
}

function treePhrase(
  constraint: CombinationConstraint,
  request: CandidatesRequest,
  combination: Combination,
): Phrase {
  switch (constraint) {
    case 'ROOT_TRAITS':
      return rootPhrase(['has', 'is without'], request.rootRequiredTraits, request.rootForbiddenTraits);
    case 'ROOT_AGGREGATES':
      return rootPhrase(
        ['is in aggregate', 'is outside of aggregate'],
        request.rootMemberOf,
        request.rootForbiddenAggregates,
      );
    case 'TREE_LACKS_GROUP': {
      if (request.groups.length === 1) return { verb: 'have', rest: 'somebody for the group' };
      const counts = request.groups.map(
        ({ suffix }, at) => `${counted(combination.served[at])} for ${groupNamed(suffix)}`,
      );
      return { verb: 'have', rest: 'somebody for every group', nearest: counts.join(', ') };
    }
    case 'GROUP_POLICY':
      return { verb: 'have', rest: 'a provider of its own for each granular group' };
    case 'ISOLATE':
      return { verb: 'have', rest: `a provider to spare for ${listed(request.isolate, 'and')} alone` };
    case 'SAME_SUBTREE':
      return { verb: 'can', rest: `put ${listed(request.sameSubtree.map(affinityText), 'and')}` };
    case 'MERGED_AMOUNT':
      return { verb: 'can', rest: 'give the sums of what several groups take from one provider' };
  }
}

function rootPhrase(
  [has, lacks]: readonly [string, string],
  required: Alternatives,
  forbidden: readonly string[],
): Phrase {
  const wanted = [
    ...(required.length > 0 ? [`${has} ${listed(setsNamed(required), 'and')}`] : []),
    ...(forbidden.length > 0 ? [`${lacks} ${listed(forbidden, 'and')}`] : []),
  ];
  return { verb: 'have', rest: `a root that ${wanted.join(' and ')}` };
}

function affinityText({ groups, except }: CandidatesRequest['sameSubtree'][number]): string {
  const outside = except.length > 0 ? ` with ${listed(except, 'and')} outside of it` : '';
  return `${listed(groups, 'and')} into one subtree${outside}`;
}

function sentence(kind: 'provider' | 'tree', before: number, remaining: number, phrase: Phrase): string {
  const [one, many, not] = VERBS[phrase.verb];
  const nearest = phrase.nearest === undefined ? '' : `: ${phrase.nearest}`;
  const { rest } = phrase;
  if (before === 0) return `there is no ${kind}`;
  if (before === 1)
    return remaining === 1
      ? `the one ${kind} left ${one} ${rest}`
      : `the one ${kind} left ${not} ${rest}${nearest}`;
  if (remaining === 0) return `none of ${counted(before)} ${kind}s ${one} ${rest}${nearest}`;
  if (remaining === before) return `all ${counted(before)} ${kind}s ${many} ${rest}`;
  return `${counted(remaining)} of ${counted(before)} ${kind}s ${remaining === 1 ? one : many} ${rest}`;
}

function amounts({ resources }: RequestGroup): string {
  return listed(
    resources.map(({ resourceClass, amount }) => `${counted(amount)} ${resourceClass}`),
    'and',
  );
}

function groupNamed(suffix: string): string {
  return suffix === '' ? 'the unsuffixed group' : `group ${suffix}`;
}

function listed(items: readonly string[], word: 'and' | 'or'): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${word} ${items[items.length - 1]}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const NUMBERS = new Intl.NumberFormat('en-US');

function counted(amount: number): string {
  return NUMBERS.format(amount);
}
