import { builder } from '../builder.js';
import { AggregateRef } from '../refs.js';

const CandidateStrategy = builder.enumType('CandidateStrategy', {
  description: 'Whether larger or smaller free shares come first.',
  values: {
    SPREAD: { description: 'The largest first, to spread load.' },
    PACK: { description: 'The smallest first, to keep large free amounts.' },
  } as const,
});

const FreeShareInput = builder.inputType('FreeShareInput', {
  description: 'The share of a resource class that a candidate leaves free on its providers.',
  fields: (t) => ({
    resourceClass: t.string({
      required: true,
      description: 'The name of a requested class. Others fail with INVALID_INPUT.',
    }),
    strategy: t.field({ type: CandidateStrategy, required: true, description: 'Which share comes first.' }),
  }),
});

const WEIGHT = {
  required: true as const,
  defaultValue: 1,
  description: 'The weight, negative to avoid. Defaults to 1.',
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
        'The largest sum of weights of traits that the providers or their root have. Sharing providers do not count.',
    }),
    preferAggregates: t.field({
      type: [AggregatePreferenceInput],
      description:
        'The largest sum of weights of aggregates of the providers or their root. Sharing providers do not count.',
    }),
    nearConsumers: t.field({
      type: ['UUID'],
      description: 'Trees with the most of these consumers first. Sharing providers do not count.',
    }),
  }),
});
