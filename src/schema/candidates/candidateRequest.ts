import type { CandidatesRequest } from '../../engine/model/request.js';
import { builder } from '../builder.js';
import { alternatives, optionalList } from '../inputFields.js';
import { AggregateRef, ProviderRef } from '../refs.js';
import { ResourceAmountInput } from '../allocation/resourceAmount.js';
import { CandidateOrderInput } from './candidateOrder.js';

const RequestGroupInput = builder.inputType('RequestGroupInput', {
  description:
    'A part of a request. The unsuffixed group may use several providers of a tree and linked sharing providers; one provider ' +
    'serves a granular group (with a suffix). In lists of lists, the outer list is AND and the inner list is OR.',
  fields: (t) => ({
    resources: optionalList(
      t,
      ResourceAmountInput,
      'The amounts, each class once. May be empty if a subtree condition names the group.',
    ),
    requiredTraits: alternatives(
      t,
      'String',
      "Traits that the group's provider must have; in the unsuffixed group, its providers together.",
    ),
    forbiddenTraits: optionalList(t, 'String', 'Traits that no provider of the group may have.'),
    memberOf: alternatives(
      t,
      AggregateRef,
      'Aggregates that must contain each provider of the group; in the unsuffixed group, it or its root. An unknown uuid matches ' +
        'no provider.',
    ),
    forbiddenAggregates: optionalList(
      t,
      AggregateRef,
      'Aggregates that may contain no provider of the group nor, for the unsuffixed group, the root. Unknown uuids have no effect.',
    ),
    suffix: t.string({
      required: true,
      defaultValue: '',
      description:
        'The name of a granular group: 1 to 64 of A-Z, a-z, 0-9, _ and -. Defaults to "": unsuffixed.',
    }),
    inTree: t.field({
      type: ProviderRef,
      description: 'Only the tree of this provider. An unknown uuid matches no provider.',
    }),
    inSubtree: t.field({
      type: ProviderRef,
      description: 'Only this provider and its descendants. An unknown uuid matches no provider.',
    }),
    canSplit: optionalList(
      t,
      'String',
      'Classes of the unsuffixed group whose amount may be split over the fewest possible providers of the tree. Sharing providers ' +
        'take the whole amount or nothing.',
    ),
  }),
});

const GroupPolicy = builder.enumType('GroupPolicy', {
  description: 'Whether one provider may serve several granular groups.',
  values: {
    NONE: { description: 'One provider may serve several groups.' },
    ISOLATE: { description: 'Each granular group has its own provider. The unsuffixed group is exempt.' },
  } as const,
});

const SubtreeAffinityInput = builder.inputType('SubtreeAffinityInput', {
  description:
    'The provider of one of `groups` has the providers of all of them in its subtree, and none of `except`.',
  fields: (t) => ({
    groups: t.stringList({
      required: true,
      description: 'Suffixes of granular groups, at least one, each once.',
    }),
    except: optionalList(t, 'String', 'Suffixes of granular groups to keep out of the subtree.'),
  }),
});

export const AllocationCandidatesInput = builder.inputType('AllocationCandidatesInput', {
  description:
    'The request: at least one group has resources. Unknown traits and resource classes fail with INVALID_INPUT. In lists of ' +
    'lists, the outer list is AND and the inner list is OR.',
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
      description: 'Whether one provider may serve several granular groups.',
    }),
    sameSubtree: optionalList(
      t,
      SubtreeAffinityInput,
      'Conditions on the positions of granular groups in a tree; all must hold.',
    ),
    isolate: optionalList(
      t,
      'String',
      'Suffixes of granular groups whose provider may serve no other group. Excludes groupPolicy ISOLATE.',
    ),
    rootRequiredTraits: alternatives(t, 'String', 'Traits that the root of the tree must have.'),
    rootForbiddenTraits: optionalList(t, 'String', 'Traits that the root of the tree must not have.'),
    rootMemberOf: alternatives(t, AggregateRef, 'Aggregates that must contain the root of the tree.'),
    rootForbiddenAggregates: optionalList(
      t,
      AggregateRef,
      'Aggregates that must not contain the root of the tree.',
    ),
    notInTrees: optionalList(
      t,
      ProviderRef,
      'Trees to exclude entirely, sharing providers included. Unknown uuids have no effect.',
    ),
    awayFromConsumers: optionalList(
      t,
      'UUID',
      'Consumers whose trees are excluded. Their allocations on sharing providers do not count.',
    ),
    nearConsumers: optionalList(
      t,
      'UUID',
      'Consumers to whose trees the search is restricted. Their allocations on sharing providers do not count.',
    ),
    orderBy: optionalList(
      t,
      CandidateOrderInput,
      'The terms of the order; the first that distinguishes two candidates decides. A limit returns the best. Defaults to a ' +
        'seeded order that favours no tree.',
    ),
    seed: t.int({
      description:
        'Makes the order repeatable; with orderBy, that of equal candidates. Defaults to a random seed.',
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
