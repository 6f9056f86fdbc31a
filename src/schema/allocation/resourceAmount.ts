import { builder } from '../builder.js';

/** An amount of one class, as requests and filters ask for it. */
export const ResourceAmountInput = builder.inputType('ResourceAmountInput', {
  description: 'An amount of one resource class.',
  fields: (t) => ({
    resourceClass: t.string({
      required: true,
      description: 'The name of the resource class, standard or custom; an unknown one is INVALID_INPUT.',
    }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      description:
        'How much, in the unit of the class (MEMORY_MB: mebibytes); at least 1. More than anybody has finds nothing.',
    }),
  }),
});
