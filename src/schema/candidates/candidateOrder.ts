import { builder } from '../builder.js';
import { AggregateRef } from '../refs.js';

const CandidateStrategy = builder.enumType('CandidateStrategy', {
  description: 'Whether a large or a small free share comes first.',
  values: {
    SPREAD: { description: 'The largest free share first, to spread load.' },
    PACK: { description: 'The smallest free share first, to keep large free amounts elsewhere.' },
  } as const,
});

const FreeShareInput = builder.inputType('FreeShareInput', {
  description: 'Compares the share of a resource class that a candidate leaves free on its providers.',
  fields: (t) => ({
    resourceClass: t.string({
      required: true,
      description:
        'The name of the resource class. Fails with INVALID_INPUT if no group of the request asks for it.',
    }),
    strategy: t.field({ type: CandidateStrategy, required: true, description: 'Which share comes first.' }),
  }),
});

const WEIGHT = {
  required: true as const,
  defaultValue: 1,
  description: 'The weight; negative: to avoid. Defaults to 1.',
};

const TraitPreferenceInput = builder.inputType('TraitPreferenceInput', {
  description: 'A preferred trait.',
  fields: (t) => ({
    trait: t.string({
      required: true,
      description: 'The name of the trait. Fails with INVALID_INPUT if it is unknown.',
    }),
    weight: t.int(WEIGHT),
  }),
});

const AggregatePreferenceInput = builder.inputType('AggregatePreferenceInput', {
  description: 'A preferred aggregate.',
  fields: (t) => ({
    aggregate: t.field({
      type: AggregateRef,
      required: true,
      description: 'The aggregate. An unknown uuid matches no provider.',
    }),
    weight: t.int(WEIGHT),
  }),
});

export const CandidateOrderInput = builder.inputType('CandidateOrderInput', {
  description: 'A term of the order of candidates.',
  isOneOf: true,
  fields: (t) => ({
    freeShare: t.field({
      type: FreeShareInput,
      description: 'The free share of a resource class after the claim.',
    }),
    fewestProviders: t.boolean({
      description: 'The fewest providers first. Must be true.',
    }),
    preferTraits: t.field({
      type: [TraitPreferenceInput],
      description:
        'The largest sum of the weights of the listed traits first. A trait counts if a provider of the candidate that is not ' +
        'a sharing one, or the root of its tree, has it.',
    }),
    preferAggregates: t.field({
      type: [AggregatePreferenceInput],
      description:
        'The largest sum of the weights of the listed aggregates first. An aggregate counts if it contains a provider of the ' +
        'candidate that is not a sharing one, or the root of its tree.',
    }),
    nearConsumers: t.field({
      type: ['UUID'],
      description:
        'Candidates in the trees of the most listed consumers first. Their allocations on sharing providers do not count.',
    }),
  }),
});
