import type { TreesInput as Trees } from '../../search/trees.js';
import { MAX_CHANGED_TREES, MAX_FACTOR, modifiedSource } from '../../moves/whatIf.js';
import { builder, meanings } from '../builder.js';
import { costOfEntries } from '../cost/operationCost.js';
import type { Context } from '../context.js';
import { optional, optionalList, required, withDefault, alternatives } from '../inputFields.js';
import { AggregateRef, ProviderRef } from '../refs.js';
import { once } from '../../model/collections.js';
import { exclusionsOf, type CandidatesRequest } from '../../model/request.js';
import { ResourceAmountInput } from '../allocation/providerAllocation.js';

export const TreesInput = builder.inputType('TreesInput', {
  description: 'Some trees. Unknown uuids fail with INVALID_INPUT.',
  isOneOf: true,
  fields: () => ({
    providers: optional([ProviderRef], 'One provider of each tree, at least one.'),
    aggregate: optional(AggregateRef, 'All trees with a provider directly in the aggregate.'),
  }),
});

export function treesOf({ providers, aggregate }: typeof TreesInput.$inferInput): Trees {
  return providers ? { providers } : { aggregate };
}

const AddedTreesInput = builder.inputType('AddedTreesInput', {
  description: 'Copies of a tree, without allocations.',
  fields: () => ({
    copyOf: required(ProviderRef, 'Any provider of the tree.'),
    count: withDefault('Int', 1, `The number of copies, from 1 to ${MAX_CHANGED_TREES}. Defaults to 1.`),
  }),
});

const ScaledClassInput = builder.inputType('ScaledClassInput', {
  description: 'A factor for the capacity of a resource class. Units and allocations stay as they are.',
  fields: () => ({
    resourceClass: required('String', 'The name of the class, each once.'),
    factor: required('Float', `The factor, from 0 to ${MAX_FACTOR}. Capacities are rounded down.`),
  }),
});

const WhatIfInput = builder.inputType('WhatIfInput', {
  description:
    'A modified fleet to search in: copies are added, then trees removed, then capacities scaled. ' +
    `More than ${MAX_CHANGED_TREES} trees fail with INVALID_INPUT.`,
  fields: () => ({
    remove: optional(TreesInput, 'Trees to remove, with the allocations on them.'),
    add: optionalList(AddedTreesInput, 'Trees to copy.'),
    scale: optionalList(ScaledClassInput, 'Capacities to scale, of all providers.'),
  }),
});

/** The argument `whatIf` of a search. */
export const WHAT_IF = optional(WhatIfInput, 'The fleet to search in. Defaults to the current one.');

type Input = typeof WhatIfInput.$inferInput | null | undefined;

/** The cost of a modified fleet. */
const COST_OF_WHAT_IF = 1000;

export function costOfWhatIf(whatIf: Input): number {
  return whatIf == null ? 0 : COST_OF_WHAT_IF + costOfEntries(whatIf);
}

/** Returns a context whose searches see the modified fleet. */
export function contextWith(context: Context, whatIf: Input): Context {
  if (whatIf == null) return context;
  const remove = whatIf.remove ? treesOf(whatIf.remove) : null;
  const { snapshots, operation } = context;
  return { ...context, snapshots: modifiedSource(snapshots, { ...whatIf, remove }, operation) };
}

const CandidateStrategy = builder.enumType('CandidateStrategy', {
  description: 'Whether larger or smaller free shares come first.',
  values: meanings({
    SPREAD: 'The largest first, to spread load.',
    PACK: 'The smallest first, to keep large free amounts.',
  }),
});

const FreeShareInput = builder.inputType('FreeShareInput', {
  description: 'The share of a resource class that a candidate leaves free on its providers.',
  fields: () => ({
    resourceClass: required('String', 'The name of a requested class. Others fail with INVALID_INPUT.'),
    strategy: required(CandidateStrategy, 'Which share comes first.'),
    aggregates: optionalList(
      AggregateRef,
      'Aggregates such as racks, each once: orders by the free share of the aggregates of the root before the claim, ' +
        'not by that of the providers. Trees in none of them come last; unknown uuids have no effect.',
    ),
  }),
});

const WEIGHT = withDefault('Int', 1, 'The weight, negative to avoid. Defaults to 1.');

const TraitPreferenceInput = builder.inputType('TraitPreferenceInput', {
  description: 'A preferred trait.',
  fields: () => ({
    trait: required('String', 'The name of the trait. Fails with INVALID_INPUT if it is unknown.'),
    weight: WEIGHT,
  }),
});

const AggregatePreferenceInput = builder.inputType('AggregatePreferenceInput', {
  description: 'A preferred aggregate.',
  fields: () => ({
    aggregate: required(AggregateRef, 'The aggregate. An unknown uuid matches no provider.'),
    weight: WEIGHT,
  }),
});

const ClassWeightInput = builder.inputType('ClassWeightInput', {
  description: 'The weight of a resource class.',
  fields: () => ({
    resourceClass: required('String', 'The name of the class. Fails with INVALID_INPUT if it is unknown.'),
    weight: required('Int', 'The weight of a unit. At least 0.'),
  }),
});

const LeastStrandingInput = builder.inputType('LeastStrandingInput', {
  description:
    'An order by the units of other classes that a candidate takes away by consuming shared counters.',
  fields: () => ({
    weights: withDefault(
      [ClassWeightInput],
      [],
      'The weights of units by class. Others weigh the sum of what a unit consumes of counters.',
    ),
  }),
});

const CandidateOrderInput = builder.inputType('CandidateOrderInput', {
  description: 'A term of the order of candidates.',
  isOneOf: true,
  fields: () => ({
    freeShare: optional(FreeShareInput, 'The free share of a resource class after the claim.'),
    fewestProviders: optional('Boolean', 'The fewest providers first. Must be true.'),
    leastStranding: optional(
      LeastStrandingInput,
      'The fewest units of other classes lost first, such as of larger partitions of a GPU.',
    ),
    preferTraits: optional(
      [TraitPreferenceInput],
      'The largest sum of weights of traits that the providers or their root have. Sharing providers do not count.',
    ),
    preferAggregates: optional(
      [AggregatePreferenceInput],
      'The largest sum of weights of aggregates of the providers or their root. Sharing providers do not count.',
    ),
    nearConsumers: optional(
      ['UUID'],
      'Trees with the most of these consumers first. Sharing providers do not count.',
    ),
  }),
});

const RequestGroupInput = builder.inputType('RequestGroupInput', {
  description:
    'The unsuffixed group may use several providers of a tree and linked sharing providers. One ' +
    'provider serves a granular group (with a suffix). Lists of lists: AND of ORs.',
  fields: () => ({
    resources: optionalList(
      ResourceAmountInput,
      'The amounts, each class once. May be empty if `sameSubtree` names the group.',
    ),
    requiredTraits: alternatives(
      'String',
      'Traits of the provider; in the unsuffixed group, of its providers together.',
    ),
    forbiddenTraits: optionalList('String', 'Traits that no provider may have.'),
    memberOf: alternatives(
      AggregateRef,
      'Aggregates that contain each provider or, in the unsuffixed group, its root. Unknown uuids match no ' +
        'provider.',
    ),
    forbiddenAggregates: optionalList(
      AggregateRef,
      'Aggregates that contain no provider of the group. In the unsuffixed group, they do not contain its root ' +
        'either. Unknown uuids have no effect.',
    ),
    suffix: withDefault(
      'String',
      '',
      'The name of a granular group: 1 to 64 of A-Z, a-z, 0-9, _ and -. Defaults to "": unsuffixed.',
    ),
    inTree: optional(ProviderRef, 'Only the tree of this provider. An unknown uuid matches none.'),
    inSubtree: optional(ProviderRef, 'Only this provider and its descendants. An unknown uuid matches none.'),
    canSplit: optionalList(
      'String',
      'Classes of the unsuffixed group to split over the fewest providers; sharing providers take all ' +
        'or nothing.',
    ),
  }),
});

const GroupPolicy = builder.enumType('GroupPolicy', {
  description: 'Whether one provider may serve several granular groups.',
  values: meanings({
    NONE: 'One provider may serve several groups.',
    ISOLATE: 'Each granular group has its own provider. The unsuffixed group is exempt.',
  }),
});

const SubtreeAffinityInput = builder.inputType('SubtreeAffinityInput', {
  description:
    'The provider of one of `groups` has the providers of all `groups` in its subtree, and no provider of `except`.',
  fields: () => ({
    groups: required(['String'], 'Granular groups, at least one, each once.'),
    except: optionalList('String', 'Granular groups to keep out of the subtree.'),
  }),
});

export const AllocationCandidatesInput = builder.inputType('AllocationCandidatesInput', {
  description:
    'At least one group has resources. Unknown traits and classes fail with INVALID_INPUT. Lists of ' +
    'lists: AND of ORs.',
  fields: () => ({
    groups: required([RequestGroupInput], 'The request groups, at most 256, each suffix once.'),
    groupPolicy: withDefault(GroupPolicy, 'NONE', 'Whether one provider may serve several granular groups.'),
    sameSubtree: optionalList(
      SubtreeAffinityInput,
      'Conditions on the positions of granular groups in the tree.',
    ),
    isolate: optionalList(
      'String',
      'Granular groups whose provider serves no other group. Excludes groupPolicy ISOLATE.',
    ),
    rootRequiredTraits: alternatives('String', 'Traits that the root must have.'),
    rootForbiddenTraits: optionalList('String', 'Traits that the root must not have.'),
    includeExcluded: withDefault(
      'Boolean',
      false,
      'Whether to include roots with a trait of the setting `search.excludedRootTraits`. Defaults to false: ' +
        'only if the request requires the trait, or a consumer of the claim is there.',
    ),
    rootMemberOf: alternatives(AggregateRef, 'Aggregates that must contain the root.'),
    rootForbiddenAggregates: optionalList(AggregateRef, 'Aggregates that must not contain the root.'),
    notInTrees: optionalList(
      ProviderRef,
      'Trees to exclude entirely, sharing providers included. Unknown uuids have no effect.',
    ),
    awayFromConsumers: optionalList(
      'UUID',
      'Consumers whose trees are excluded. Sharing providers do not count. Consumers of the same claim count where ' +
        'it places them.',
    ),
    nearConsumers: optionalList(
      'UUID',
      'Consumers whose trees alone are searched. Sharing providers do not count. Consumers of the same claim count ' +
        'where it places them.',
    ),
    orderBy: optionalList(
      CandidateOrderInput,
      'The terms of the order, most significant first, at most 32 different ones. A limit returns the best. ' +
        'Defaults to a seeded order.',
    ),
    seed: optional('Int', 'Repeats an order (with orderBy, that of equal candidates). Random by default.'),
  }),
});

/** Returns `requestOf` for several inputs. References to one variable of the document give the same request. */
export function requestsIn(context: Pick<Context, 'excludedRootTraits'>) {
  return once((input: typeof AllocationCandidatesInput.$inferInput) => requestOf(input, context));
}

/** Converts an input to a request. A request that requires an excluded trait does not exclude it. */
export function requestOf(
  input: typeof AllocationCandidatesInput.$inferInput,
  { excludedRootTraits }: Pick<Context, 'excludedRootTraits'>,
): CandidatesRequest {
  const { includeExcluded: _, ...conditions } = input;
  return {
    ...conditions,
    excludedRootTraits: exclusionsOf(excludedRootTraits, input),
    groups: input.groups.map((group) => ({
      ...group,
      inTree: group.inTree ?? null,
      inSubtree: group.inSubtree ?? null,
    })),
  };
}
