import { LARGEST_INTEGER } from '../../domain/capacity.js';
import type { GroupConstraint } from '../model/providerChecks.js';
import type { Alternatives } from '../../domain/providerConditions.js';
import type { RequestGroup } from '../model/request.js';
import type { Describe } from './funnel.js';
import type { ExplainedGroup } from './group.js';
import type { NearMiss } from './nearMisses.js';
import {
  alternativesOf,
  amountsOf,
  counted,
  listed,
  outsidePhrase,
  sentence,
  type Phrase,
  type Verb,
} from './phrases.js';

/** The details of what removed providers, or trees, for one group. */
export function groupDetails(group: ExplainedGroup): Describe<GroupConstraint> {
  const kind = group.planned.isGranular ? 'provider' : 'tree';
  return (constraint, before, remaining) =>
    sentence(kind, before, remaining, phraseOf(constraint, group, before));
}

function phraseOf(constraint: GroupConstraint, group: ExplainedGroup, before: number): Phrase {
  const { requested, misses, nameOf } = group;
  switch (constraint) {
    case 'NOT_IN_TREES':
      return outsidePhrase(group.request.notInTrees, nameOf);
    case 'NO_INVENTORY':
      return inventoryPhrase(group);
    case 'INSUFFICIENT_CAPACITY':
      return freePhrase(group, before);
    case 'MIN_UNIT':
      return unitPhrase(group, 'take', 'as little as', ({ lowestMinUnit }, amount) =>
        lowestMinUnit > amount && Number.isFinite(lowestMinUnit)
          ? `min_unit ${counted(lowestMinUnit)}`
          : null,
      );
    case 'MAX_UNIT':
      return unitPhrase(group, 'give', 'as much at once as', ({ highestMaxUnit }, amount) =>
        highestMaxUnit > 0 && highestMaxUnit < amount ? `max_unit ${counted(highestMaxUnit)}` : null,
      );
    case 'STEP_SIZE':
      return unitPhrase(group, 'have', 'a step_size that allows', ({ stepSize }) =>
        stepSize > 1 ? `step_size ${counted(stepSize)}` : null,
      );
    case 'REQUIRED_TRAITS': {
      const { all, nearest } = alternativesPhrase(requested.requiredTraits, misses.traits, before);
      if (group.planned.isGranular) return { verb: 'have', rest: all, nearest };
      return { verb: 'can', rest: `serve the group from providers that together have ${all}`, nearest };
    }
    case 'FORBIDDEN_TRAITS':
      return providerPhrase(requested, `without ${listed(requested.forbiddenTraits, 'and')}`);
    case 'MEMBER_OF': {
      const { all, nearest } = alternativesPhrase(requested.memberOf, misses.aggregates, before);
      return { ...providerPhrase(requested, `in aggregate ${all}`), nearest };
    }
    case 'FORBIDDEN_AGGREGATES':
      return providerPhrase(
        requested,
        `outside of aggregate ${listed(requested.forbiddenAggregates, 'and')}`,
      );
    case 'IN_TREE': {
      const tree = `the tree of ${nameOf(requested.inTree!)}`;
      return { verb: 'be', rest: group.planned.isGranular ? `in ${tree}` : tree };
    }
    case 'IN_SUBTREE':
      return providerPhrase(requested, `within the subtree of ${nameOf(requested.inSubtree!)}`);
  }
}

/** What a granular group's provider is; of a tree, that it has providers of that sort. */
function providerPhrase({ suffix }: RequestGroup, rest: string): Phrase {
  return suffix === ''
    ? { verb: 'can', rest: `serve the group from providers ${rest}` }
    : { verb: 'be', rest };
}

function inventoryPhrase({ requested, misses }: ExplainedGroup): Phrase {
  const names = requested.resources.map(({ resourceClass }) => resourceClass);
  const counts = names.map((name, at) => {
    const { having } = misses.classes[at];
    return `${counted(having)} ${having === 1 ? 'has' : 'have'} ${name}`;
  });
  return {
    verb: 'have',
    rest: listed(names, 'and'),
    nearest: names.length > 1 ? counts.join(', ') : undefined,
  };
}

function freePhrase({ requested, misses }: ExplainedGroup, before: number): Phrase {
  const most = requested.resources.map(({ resourceClass }, at) => {
    const { mostFree, maxUnitThere } = misses.classes[at];
    const limit = maxUnitThere < LARGEST_INTEGER ? ` (max_unit ${counted(maxUnitThere)})` : '';
    return `${counted(mostFree)}${requested.resources.length > 1 ? ` ${resourceClass}` : ''}${limit}`;
  });
  const largest = before === 1 ? 'it has' : 'the largest has';
  const nearest = most.length === 1 ? `${largest} ${most[0]}` : `the most free is ${listed(most, 'and')}`;
  return { verb: 'have', rest: `${amountsOf(requested)} free`, nearest };
}

/** The limit is what came nearest for one amount; null where it was not what stood in the way. */
function unitPhrase(
  { requested, misses }: ExplainedGroup,
  verb: Verb,
  lead: string,
  limitOf: (miss: NearMiss, amount: number) => string | null,
): Phrase {
  const { resources } = requested;
  const limits = resources.flatMap(({ resourceClass, amount }, at) => {
    const limit = limitOf(misses.classes[at], amount);
    return limit === null ? [] : [resources.length > 1 ? `${resourceClass} has ${limit}` : limit];
  });
  const nearest = limits.length > 0 ? `at best ${listed(limits, 'and')}` : undefined;
  return { verb, rest: `${lead} ${amountsOf(requested)}`, nearest };
}

/** Sets of traits or aggregates of which each must be satisfied, and how many satisfy each by itself. */
function alternativesPhrase(
  sets: Alternatives,
  satisfying: readonly number[],
  before: number,
): { readonly all: string; readonly nearest?: string } {
  const names = alternativesOf(sets);
  const counts = names.map((name, at) => `${counted(satisfying[at])} of ${counted(before)} ${name}`);
  return { all: listed(names, 'and'), nearest: sets.length > 1 ? counts.join(', ') : undefined };
}
