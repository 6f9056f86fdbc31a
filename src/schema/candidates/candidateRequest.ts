import type { CandidatesRequest } from '../../engine/model/request.js';
import { builder } from '../builder.js';
import { alternatives, optionalList } from '../inputFields.js';
import { AggregateRef, ProviderRef } from '../refs.js';
import { ResourceAmountInput } from '../allocation/resourceAmount.js';

const ALTERNATIVES =
  'The outer list is AND, the inner OR: `[["A", "B"], ["C"]]` is (A or B) and C. An empty inner list is INVALID_INPUT.';

const RequestGroupInput = builder.inputType('RequestGroupInput', {
  description:
    'A part of a request that belongs together. The unsuffixed group may be spread over the providers of a tree and the ' +
    'sharing providers linked with it, each class whole from one of them unless it can be split; a group with a suffix is ' +
    'granular: ONE provider meets it all.',
  fields: (t) => ({
    suffix: t.string({
      required: true,
      defaultValue: '',
      description:
        'Names the group: "" is the unsuffixed one, any other a granular one, 1 to 64 of A-Z, a-z, 0-9, _ and -. ' +
        'Each only once in a request.',
    }),
    resources: optionalList(
      t,
      ResourceAmountInput,
      'What the group takes, each class once. A granular group may take nothing (resourceless) when a subtree ' +
        'condition names it: it then stands for a provider that must be there.',
    ),
    requiredTraits: alternatives(
      t,
      'String',
      `Traits that the group's provider must have; for the unsuffixed group, that its contributing providers must ` +
        `have together. ${ALTERNATIVES}`,
    ),
    forbiddenTraits: optionalList(t, 'String', 'Traits that no provider serving the group may have.'),
    memberOf: alternatives(
      t,
      AggregateRef,
      `Aggregates that each provider serving the group must be in: directly for a granular group, itself or by the ` +
        `root of its tree for the unsuffixed one. ${ALTERNATIVES} An unknown uuid matches no provider.`,
    ),
    forbiddenAggregates: optionalList(
      t,
      AggregateRef,
      'Aggregates that no provider serving the group may be in directly, nor, for the unsuffixed group, the root of ' +
        'the tree. Unknown uuids are ignored.',
    ),
    inTree: t.field({
      type: ProviderRef,
      description: 'Only providers of the tree of this provider. An unknown uuid matches none.',
    }),
    inSubtree: t.field({
      type: ProviderRef,
      description:
        'Only this provider and its descendants; sharing providers of other trees are excluded, as for inTree. An unknown uuid ' +
        'matches none. Together with inTree, both conditions hold.',
    }),
    canSplit: optionalList(
      t,
      'String',
      "Classes, among the group's own, whose amount may be spread over several providers of the anchor's tree, over as " +
        'few as can hold it: for each smallest set of providers one split, filled by descending free capacity, ties by ' +
        'uuid, every part an amount that its provider could take by itself. A sharing provider gives no parts: it gives ' +
        'the whole amount or nothing. Only in the unsuffixed group.',
    ),
  }),
});

const GroupPolicy = builder.enumType('GroupPolicy', {
  description: 'Whether granular groups may be served by the same provider.',
  values: {
    NONE: { description: 'They may.' },
    ISOLATE: {
      description:
        'Each granular group has a provider of its own; the unsuffixed group is exempt. For some groups only: `isolate`.',
    },
  } as const,
});

const SubtreeAffinityInput = builder.inputType('SubtreeAffinityInput', {
  description:
    'One of the providers that serve `groups` must be an ancestor of, or the same as, every other one of them; none of ' +
    "the providers that serve `except` may be in that provider's subtree.",
  fields: (t) => ({
    groups: t.stringList({
      required: true,
      description: 'Suffixes of granular groups of this request, at least one, each once.',
    }),
    except: optionalList(
      t,
      'String',
      'Suffixes of other granular groups of this request, each once: those to keep out of the subtree.',
    ),
  }),
});

const CandidateStrategy = builder.enumType('CandidateStrategy', {
  description: 'Whether much or little of a resource class is to stay free where it is taken from.',
  values: {
    SPREAD: { description: 'Candidates come first that leave the largest share free: load is spread.' },
    PACK: {
      description: 'Candidates come first that leave the smallest share free: room is kept elsewhere.',
    },
  } as const,
});

const CandidateOrderInput = builder.inputType('CandidateOrderInput', {
  description:
    'Orders candidates by what they leave free of a resource class: of the providers that they draw it from, what is free ' +
    'after the claim, all together, as a share of what these providers can hold of it, all together.',
  fields: (t) => ({
    resourceClass: t.string({
      required: true,
      description:
        'The name of a resource class that some group of the request asks for; any other is INVALID_INPUT.',
    }),
    strategy: t.field({
      type: CandidateStrategy,
      required: true,
      description: 'What comes first.',
    }),
  }),
});

export const AllocationCandidatesInput = builder.inputType('AllocationCandidatesInput', {
  description:
    'What is to be placed. At least one group asks for resources. An unknown trait or resource class is INVALID_INPUT.',
  fields: (t) => ({
    groups: t.field({
      type: [RequestGroupInput],
      required: true,
      description: 'The request groups, at most 256, each suffix once.',
    }),
    groupPolicy: t.field({
      type: GroupPolicy,
      required: true,
      defaultValue: 'NONE',
      description: 'Whether granular groups may share a provider.',
    }),
    sameSubtree: optionalList(
      t,
      SubtreeAffinityInput,
      'Independent conditions on where in a tree granular groups lie to each other; all must hold.',
    ),
    isolate: optionalList(
      t,
      'String',
      'Suffixes of granular groups, each once, whose provider may serve no other group of this request, the unsuffixed ' +
        'one included. INVALID_INPUT together with groupPolicy: ISOLATE.',
    ),
    rootRequiredTraits: alternatives(
      t,
      'String',
      `Traits that the root of the anchor tree must have, whatever it gives. ${ALTERNATIVES}`,
    ),
    rootForbiddenTraits: optionalList(t, 'String', 'Traits that the root of the anchor tree must not have.'),
    rootMemberOf: alternatives(
      t,
      AggregateRef,
      `Aggregates that the root of the anchor tree must be in directly. ${ALTERNATIVES}`,
    ),
    rootForbiddenAggregates: optionalList(
      t,
      AggregateRef,
      'Aggregates that the root of the anchor tree must not be in directly.',
    ),
    notInTrees: optionalList(
      t,
      ProviderRef,
      'Trees to exclude entirely, sharing providers included. Any provider identifies its tree, each once; unknown uuids are ignored.',
    ),
    awayFromConsumers: optionalList(
      t,
      'UUID',
      'Consumers in whose trees nothing is to be placed: a tree in which one of them has something is no anchor. What ' +
        'they have of sharing providers does not count. One that has nothing, or does not exist, has no effect.',
    ),
    nearConsumers: optionalList(
      t,
      'UUID',
      'Consumers beside which everything is to be placed: only trees in which one of them has something are anchors. What ' +
        'they have of sharing providers does not count. Where none of them has anything, nothing is found.',
    ),
    orderBy: optionalList(
      t,
      CandidateOrderInput,
      'What the best candidates are; the first entry that tells two of them apart decides. A limit applies after ordering: ' +
        'it gives the best. Each class once. Empty: the default order, which favours no tree.',
    ),
    seed: t.int({
      description:
        'Makes the order of the candidates repeatable, with orderBy that of equal ones; left out, each query has an order of ' +
        'its own.',
    }),
  }),
});

/** The request that an input stands for. */
export function requestOf(input: typeof AllocationCandidatesInput.$inferInput): CandidatesRequest {
  return {
    ...input,
    groups: input.groups.map((group) => ({
      ...group,
      inTree: group.inTree ?? null,
      inSubtree: group.inSubtree ?? null,
    })),
  };
}
