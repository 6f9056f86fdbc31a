import {
  CLASS_ORDER_FIELDS,
  PLAIN_ORDER_FIELDS,
  type ProviderOrderField,
} from '../../engine/listing/providerOrder.js';
import { builder } from '../builder.js';
import { directionField } from '../inputFields.js';

const MEANINGS: Readonly<Record<ProviderOrderField, string>> = {
  NAME: 'By name, by code point.',
  CREATED_AT: 'By when it was created, to the second.',
  UPDATED_AT: 'By when it was last changed, to the second.',
  GENERATION: 'By generation.',
  CAPACITY: 'By how much of a class may be in use on the provider itself.',
  USED: 'By how much of a class is in use on the provider itself.',
  AVAILABLE: 'By what of a class is left on the provider itself: capacity - used.',
  UTILIZATION: 'By the share of a class that is in use on the provider itself: used / capacity.',
  TREE_CAPACITY: 'By how much of a class may be in use in the whole tree that it is in.',
  TREE_USED: 'By how much of a class is in use in the whole tree that it is in.',
  TREE_AVAILABLE: 'By what of a class is left in the whole tree that it is in: capacity - used.',
  TREE_UTILIZATION:
    'By the share of a class that is in use in the whole tree that it is in: used / capacity.',
};

const ResourceProviderOrderField = builder.enumType('ResourceProviderOrderField', {
  description:
    'What providers can be ordered by. All from CAPACITY on takes a resource class; providers, or trees, without an ' +
    'inventory of it come last.',
  values: Object.fromEntries(
    [...PLAIN_ORDER_FIELDS, ...CLASS_ORDER_FIELDS].map((field) => [field, { description: MEANINGS[field] }]),
  ) as Record<ProviderOrderField, { description: string }>,
});

export const ResourceProviderOrderInput = builder.inputType('ResourceProviderOrderInput', {
  description: 'What comes first in a list of providers.',
  fields: (t) => ({
    field: t.field({ type: ResourceProviderOrderField, required: true, description: 'By what.' }),
    direction: directionField(t),
    resourceClass: t.string({
      description:
        'The name of the resource class, where the field is about one; required there, and INVALID_INPUT elsewhere.',
    }),
  }),
});
