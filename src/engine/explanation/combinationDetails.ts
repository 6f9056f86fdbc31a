import type { Alternatives } from '../../domain/providerConditions.js';
import type { CandidatesRequest } from '../model/request.js';
import type { Combination } from './combination.js';
import type { CombinationConstraint, Describe } from './funnel.js';
import {
  alternativesOf,
  counted,
  groupNamed,
  listed,
  named,
  outsidePhrase,
  sentence,
  type Phrase,
} from './phrases.js';

/** The details of what removed trees. */
export function combinationDetails(
  request: CandidatesRequest,
  nameOf: (uuid: string) => string,
  { undecided, last, treesServing }: Combination,
): Describe<CombinationConstraint> {
  return (constraint, before, remaining) => {
    const phrase =
      constraint === 'NOT_IN_TREES'
        ? outsidePhrase(request.notInTrees, nameOf)
        : phraseOf(constraint, request, treesServing);
    const detail = sentence('tree', before, remaining, phrase);
    if (undecided === 0 || constraint !== last) return detail;
    const where = `in ${counted(undecided)} of them`;
    return `${detail} (${where} it was not worked out which condition it is that cannot be met)`;
  };
}

function phraseOf(
  constraint: Exclude<CombinationConstraint, 'NOT_IN_TREES'>,
  request: CandidatesRequest,
  treesServing: readonly number[],
): Phrase {
  switch (constraint) {
    case 'AWAY_FROM_CONSUMERS':
      return { verb: 'be', rest: `away from ${consumersText(request.awayFromConsumers)}` };
    case 'NEAR_CONSUMERS': {
      const { nearConsumers, holdings } = request;
      const haveNothing = nearConsumers.every((consumer) => holdings?.get(consumer)?.length === 0);
      const nearest = haveNothing ? 'nothing is allocated to any of them' : undefined;
      return { verb: 'be', rest: `near ${consumersText(nearConsumers)}`, nearest };
    }
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
        ({ suffix }, at) => `${counted(treesServing[at])} for ${groupNamed(suffix)}`,
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
  const conditions = [
    ...(required.length > 0 ? [`${has} ${listed(alternativesOf(required), 'and')}`] : []),
    ...(forbidden.length > 0 ? [`${lacks} ${listed(forbidden, 'and')}`] : []),
  ];
  return { verb: 'have', rest: `a root that ${conditions.join(' and ')}` };
}

function consumersText(consumers: readonly string[]): string {
  return `${consumers.length === 1 ? 'consumer' : 'consumers'} ${named(consumers, 'or')}`;
}

function affinityText({ groups, except }: CandidatesRequest['sameSubtree'][number]): string {
  const outside = except.length > 0 ? ` with ${listed(except, 'and')} outside of it` : '';
  return `${listed(groups, 'and')} into one subtree${outside}`;
}
