import type { CandidateExplanation } from '../../engine/explanation/explanation.js';
import type { Elimination } from '../../engine/explanation/funnel.js';
import type { GroupExplanation } from '../../engine/explanation/explanation.js';
import { builder } from '../builder.js';

const CandidateConstraint = builder.enumType('CandidateConstraint', {
  description: 'What can stand in the way of a request, in the order in which it is checked.',
  values: {
    NOT_IN_TREES: { description: 'In a tree of which the request lets no provider take part.' },
    NO_INVENTORY: { description: 'No inventory of a resource class that the group asks for.' },
    INSUFFICIENT_CAPACITY: { description: 'Less free than asked for.' },
    MIN_UNIT: { description: 'The amount is below min_unit.' },
    MAX_UNIT: { description: 'The amount is above max_unit.' },
    STEP_SIZE: { description: 'The amount is neither min_unit nor a multiple of step_size.' },
    REQUIRED_TRAITS: { description: 'Traits that the group requires are missing.' },
    FORBIDDEN_TRAITS: { description: 'Traits that the group forbids are there.' },
    MEMBER_OF: { description: 'Not in the aggregates that the group asks for.' },
    FORBIDDEN_AGGREGATES: { description: 'In an aggregate that the group forbids.' },
    IN_TREE: { description: 'In another tree than the group asks for.' },
    IN_SUBTREE: { description: 'Outside of the subtree that the group asks for.' },
    AWAY_FROM_CONSUMERS: {
      description: 'A consumer that the request is to be away from has something in the tree.',
    },
    NEAR_CONSUMERS: {
      description: 'None of the consumers that the request is to be near has anything in the tree.',
    },
    ROOT_TRAITS: { description: 'The root of the tree lacks a required trait, or has a forbidden one.' },
    ROOT_AGGREGATES: { description: 'The root of the tree is not in the right aggregates.' },
    TREE_LACKS_GROUP: {
      description:
        'Neither a provider of the tree nor one that shares with it can serve some group of the request.',
    },
    GROUP_POLICY: { description: 'Not every granular group can have a provider of its own.' },
    ISOLATE: { description: 'Not every group to be isolated can have a provider to itself.' },
    SAME_SUBTREE: { description: 'No choice of providers obeys the subtree conditions.' },
    MERGED_AMOUNT: {
      description:
        'Groups that have to share a provider ask together for more, or for another amount, than it can give.',
    },
  } as const,
});

const EliminationRef = builder.objectRef<Elimination>('Elimination').implement({
  description: 'What one constraint removed of those that the constraints before it had left.',
  fields: (t) => ({
    constraint: t.expose('constraint', {
      type: CandidateConstraint,
      description: 'The constraint.',
    }),
    detail: t.exposeString('detail', {
      description: 'The same in plain words; where nothing is left, with what came nearest.',
    }),
    eliminated: t.expose('eliminated', { type: 'SafeInt', description: 'How many it removed.' }),
    remaining: t.expose('remaining', { type: 'SafeInt', description: 'How many it left.' }),
  }),
});

const GroupExplanationRef = builder.objectRef<GroupExplanation>('GroupExplanation').implement({
  description: 'How many could serve one group by itself.',
  fields: (t) => ({
    suffix: t.exposeString('suffix', { description: 'The suffix of the group; "" for the unsuffixed one.' }),
    considered: t.expose('considered', {
      type: 'SafeInt',
      description:
        'All providers for a granular group; all trees, each with the sharing providers linked with it, for the unsuffixed one.',
    }),
    eliminations: t.expose('eliminations', {
      type: [EliminationRef],
      description:
        'What removed some of them, in the order of CandidateConstraint: each is counted where it fails first. Constraints ' +
        'that the group asks for are listed even if they removed nothing.',
    }),
    remaining: t.expose('remaining', {
      type: 'SafeInt',
      description: 'How many could serve the group: considered less all that was eliminated.',
    }),
  }),
});

export const CandidateExplanationRef = builder
  .objectRef<CandidateExplanation>('CandidateExplanation')
  .implement({
    description:
      'Why a request has the candidates that it has and no more: what removed how many providers and trees. It is about ' +
      'the same moment as the candidates beside it, and about all of them: a limit has no effect on it.',
    fields: (t) => ({
      satisfiableWhenEmpty: t.exposeBoolean('satisfiableWhenEmpty', {
        description: 'Whether there would be a candidate if nothing were allocated at all.',
      }),
      groups: t.expose('groups', {
        type: [GroupExplanationRef],
        description: 'Each group by itself, in the order of the request.',
      }),
      combination: t.expose('combination', {
        type: [EliminationRef],
        description:
          'What then removed trees, starting with all of them; what the last entry leaves are the trees that give a candidate.',
      }),
      summary: t.exposeString('summary', {
        description:
          'One plain sentence: what removed the last ones and what came nearest, or how many trees can take the request.',
      }),
    }),
  });
