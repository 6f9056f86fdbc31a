import { LARGEST_INTEGER } from '../../model/input.js';
import type { ProviderEntity } from '../entities.js';
import { builder, objectType } from '../builder.js';
import { afterClaim } from '../candidates/snapshotProvider.js';
import { required } from '../inputFields.js';
import { CLASS_BY_NAME, ResourceProvider } from '../refs.js';

interface Amount {
  /** The name of the class. */
  readonly resourceClass: string;
  readonly amount: number;
}

export const ResourceAmount = objectType<Amount>('ResourceAmount', {
  description: 'An amount of one resource class.',
  fields: (t) => ({
    resourceClass: t.field(CLASS_BY_NAME),
    amount: t.int({
      description: 'The amount in units of the class.',
      // a sum may exceed what Int can represent
      resolve: ({ amount }) => Math.min(amount, LARGEST_INTEGER),
    }),
  }),
});

interface Part {
  readonly resourceProvider: ProviderEntity;
  readonly resources: readonly Amount[];
}

export const ProviderAllocation = objectType<Part>('ProviderAllocation', {
  description: 'The amounts allocated from one provider.',
  fields: (t) => ({
    resourceProvider: t.field({
      type: ResourceProvider,
      description: 'The provider.',
      resolve: ({ resourceProvider }, _args, context, info) => afterClaim(resourceProvider, context, info),
    }),
    resources: t.expose('resources', {
      type: [ResourceAmount],
      description: 'One amount per resource class.',
    }),
  }),
});

export const ResourceAmountInput = builder.inputType('ResourceAmountInput', {
  description: 'An amount of one resource class.',
  fields: () => ({
    resourceClass: required('String', 'The name of the class. Fails with INVALID_INPUT if it is unknown.'),
    amount: required(
      'Int',
      'The amount in units of the class (MEMORY_MB: MiB), at least 1. Fails with INVALID_INPUT.',
    ),
  }),
});
