import type { CandidateExplanation, GroupExplanation } from '../../search/explanation/explanation.js';
import type { Elimination } from '../../search/explanation/funnel.js';
import { builder, meanings, objectType } from '../builder.js';

const CandidateConstraint = builder.enumType('CandidateConstraint', {
  description: 'A constraint of a request, in the order of the checks.',
  values: meanings({
    NOT_IN_TREES: 'The tree is excluded by `notInTrees`.',
    NO_INVENTORY: 'An inventory of a requested resource class is missing.',
    INSUFFICIENT_CAPACITY: 'The free amount is less than requested.',
    MIN_UNIT: 'The amount is below minUnit.',
    MAX_UNIT: 'The amount is above maxUnit.',
    STEP_SIZE: 'The amount is no multiple of stepSize and not minUnit.',
    REQUIRED_TRAITS: 'A required trait is missing.',
    FORBIDDEN_TRAITS: 'A forbidden trait is present.',
    MEMBER_OF: 'A required aggregate does not contain the provider.',
    FORBIDDEN_AGGREGATES: 'A forbidden aggregate contains the provider.',
    IN_TREE: 'The provider is not in the tree of `inTree`.',
    IN_SUBTREE: 'The provider is not in the subtree of `inSubtree`.',
    AWAY_FROM_CONSUMERS: 'A consumer of `awayFromConsumers` has an allocation in the tree.',
    NEAR_CONSUMERS: 'No consumer of `nearConsumers` has an allocation in the tree.',
    EXCLUDED_ROOTS: 'The root has a trait of `search.excludedRootTraits`.',
    ROOT_TRAITS: 'The root lacks a required trait or has a forbidden one.',
    ROOT_AGGREGATES: 'The root is not in the required aggregates or is in a forbidden one.',
    TREE_LACKS_GROUP: 'No provider of the tree or linked sharing provider can serve some group.',
    GROUP_POLICY: 'Not every granular group can have its own provider.',
    ISOLATE: 'Not every isolated group can have its own provider.',
    SAME_SUBTREE: 'No choice of providers meets the subtree conditions.',
    MERGED_AMOUNT: 'The sum of groups on one provider exceeds its capacity or violates its units.',
    COUNTERS: 'The groups consume more of a counter than is free.',
  }),
});

const EliminationRef = objectType<Elimination>('Elimination', {
  description: 'The providers or trees that one constraint removed.',
  fields: (t) => ({
    constraint: t.expose('constraint', {
      type: CandidateConstraint,
      description: 'The constraint.',
    }),
    eliminated: t.expose('eliminated', { type: 'SafeInt', description: 'The number removed.' }),
    remaining: t.expose('remaining', { type: 'SafeInt', description: 'The number that remained.' }),
    detail: t.exposeString('detail', {
      description: 'An explanation, with the nearest miss if none remains.',
    }),
  }),
});

const GroupExplanationRef = objectType<GroupExplanation>('GroupExplanation', {
  description: 'The providers or trees that could serve one group alone.',
  fields: (t) => ({
    suffix: t.exposeString('suffix', { description: 'The suffix of the group; "": the unsuffixed group.' }),
    considered: t.expose('considered', {
      type: 'SafeInt',
      description: 'All providers for a granular group; all trees for the unsuffixed group.',
    }),
    eliminations: t.expose('eliminations', {
      type: [EliminationRef],
      description: 'In the order of CandidateConstraint. Each provider counts where it fails first.',
    }),
    remaining: t.expose('remaining', {
      type: 'SafeInt',
      description: 'The number that could serve the group.',
    }),
  }),
});

export const EXCLUDED_ROOTS =
  'The number of roots that `search.excludedRootTraits` excludes. See `includeExcluded`.';

export const CandidateExplanationRef = objectType<CandidateExplanation>('CandidateExplanation', {
  description: 'The providers and trees that each constraint removed, whatever the limit.',
  fields: (t) => ({
    summary: t.exposeString('summary', {
      description: 'The decisive constraint and the nearest miss, or the number of trees that fit.',
    }),
    satisfiableWhenEmpty: t.exposeBoolean('satisfiableWhenEmpty', {
      description:
        'Whether there would be a candidate without any allocations. Relations to consumers do not count.',
    }),
    groups: t.expose('groups', {
      type: [GroupExplanationRef],
      description: 'Each group alone, in the order of the request.',
    }),
    combination: t.expose('combination', {
      type: [EliminationRef],
      description: 'The trees that the combination of groups removed. The others have a candidate.',
    }),
    excludedRoots: t.exposeInt('excludedRoots', { description: EXCLUDED_ROOTS }),
  }),
});
