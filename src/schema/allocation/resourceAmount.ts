import { builder } from '../builder.js';

export const ResourceAmountInput = builder.inputType('ResourceAmountInput', {
  description: 'An amount of one resource class.',
  fields: (t) => ({
    resourceClass: t.string({
      required: true,
      description: 'The name of the class. Fails with INVALID_INPUT if it is unknown.',
    }),
    amount: t.field({
      type: 'Int',
      required: true,
      description: 'The amount in units of the class (MEMORY_MB: MiB), at least 1. Fails with INVALID_INPUT.',
    }),
  }),
});
