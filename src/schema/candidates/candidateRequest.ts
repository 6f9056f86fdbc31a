import type { CandidatesRequest } from '../../engine/model/request.js';
import { builder } from '../builder.js';
import { alternatives, optionalList } from '../inputFields.js';
import { AggregateRef, ProviderRef } from '../refs.js';
import { ResourceAmountInput } from '../allocation/resourceAmount.js';
import { CandidateOrderInput } from './candidateOrder.js';

const RequestGroupInput = builder.inputType('RequestGroupInput', {
  description:
    'The unsuffixed group may use several providers of a tree and linked sharing providers. One ' +
    'provider serves a granular group (with a suffix). Lists of lists: AND of ORs.',
  fields: (t) => ({
    resources: optionalList(
      t,
      ResourceAmountInput,
      'The amounts, each class once. May be empty if `sameSubtree` names the group.',
    ),
    requiredTraits: alternatives(
      t,
      'String',
      'Traits of the provider; in the unsuffixed group, of its providers together.',
    ),
    forbiddenTraits: optionalList(t, 'String', 'Traits that no provider may have.'),
    memberOf: alternatives(
      t,
      AggregateRef,
      'Aggregates that contain each provider or, in the unsuffixed group, its root. Unknown uuids match no ' +
        'provider.',
    ),
    forbiddenAggregates: optionalList(
      t,
      AggregateRef,
      'Aggregates that contain no provider of the group. In the unsuffixed group, they do not contain its root ' +
        'either. Unknown uuids have no effect.',
    ),
    suffix: t.string({
      required: true,
      defaultValue: '',
      description:
        'The name of a granular group: 1 to 64 of A-Z, a-z, 0-9, _ and -. Defaults to "": unsuffixed.',
    }),
    inTree: t.field({
      type: ProviderRef,
      description: 'Only the tree of this provider. An unknown uuid matches none.',
    }),
    inSubtree: t.field({
      type: ProviderRef,
      description: 'Only this provider and its descendants. An unknown uuid matches none.',
    }),
    canSplit: optionalList(
      t,
      'String',
      'Classes of the unsuffixed group to split over the fewest providers; sharing providers take all ' +
        'or nothing.',
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
    'The provider of one of `groups` has the providers of all `groups` in its subtree, and no provider of `except`.',
  fields: (t) => ({
    groups: t.stringList({
      required: true,
      description: 'Granular groups, at least one, each once.',
    }),
    except: optionalList(t, 'String', 'Granular groups to keep out of the subtree.'),
  }),
});

export const AllocationCandidatesInput = builder.inputType('AllocationCandidatesInput', {
  description:
    'At least one group has resources. Unknown traits and classes fail with INVALID_INPUT. Lists of ' +
    'lists: AND of ORs.',
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
      'Conditions on the positions of granular groups in the tree.',
    ),
    isolate: optionalList(
      t,
      'String',
      'Granular groups whose provider serves no other group. Excludes groupPolicy ISOLATE.',
    ),
    rootRequiredTraits: alternatives(t, 'String', 'Traits that the root must have.'),
    rootForbiddenTraits: optionalList(t, 'String', 'Traits that the root must not have.'),
    rootMemberOf: alternatives(t, AggregateRef, 'Aggregates that must contain the root.'),
    rootForbiddenAggregates: optionalList(t, AggregateRef, 'Aggregates that must not contain the root.'),
    notInTrees: optionalList(
      t,
      ProviderRef,
      'Trees to exclude entirely, sharing providers included. Unknown uuids have no effect.',
    ),
    awayFromConsumers: optionalList(
      t,
      'UUID',
      'Consumers whose trees are excluded. Sharing providers do not count.',
    ),
    nearConsumers: optionalList(
      t,
      'UUID',
      'Consumers whose trees alone are searched. Sharing providers do not count.',
    ),
    orderBy: optionalList(
      t,
      CandidateOrderInput,
      'The terms of the order, most significant first. A limit returns the best. Defaults to a seeded order.',
    ),
    seed: t.int({
      description: 'Repeats an order (with orderBy, that of equal candidates). Random by default.',
    }),
  }),
});

/** Converts an input to a request. */
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
