import {
  CLASS_ORDER_FIELDS,
  PLAIN_ORDER_FIELDS,
  type ProviderOrderField,
} from '../../engine/listing/providerOrder.js';
import { builder } from '../builder.js';
import { directionField } from '../inputFields.js';

const MEANINGS: Readonly<Record<ProviderOrderField, string>> = {
  NAME: 'By name.',
  CREATED_AT: 'By the time of creation, in seconds.',
  UPDATED_AT: 'By the time of the last change, in seconds.',
  GENERATION: 'By generation.',
  CAPACITY: 'By the capacity of a resource class.',
  USED: 'By the usage of a resource class.',
  AVAILABLE: 'By capacity - used of a resource class.',
  UTILIZATION: 'By used / capacity of a resource class.',
  TREE_CAPACITY: 'By the capacity of a resource class in the whole tree.',
  TREE_USED: 'By the usage of a resource class in the whole tree.',
  TREE_AVAILABLE: 'By capacity - used of a resource class in the whole tree.',
  TREE_UTILIZATION: 'By used / capacity of a resource class in the whole tree.',
};

const ResourceProviderOrderField = builder.enumType('ResourceProviderOrderField', {
  description: 'The sort keys of providers.',
  values: Object.fromEntries(
    [...PLAIN_ORDER_FIELDS, ...CLASS_ORDER_FIELDS].map((field) => [field, { description: MEANINGS[field] }]),
  ) as Record<ProviderOrderField, { description: string }>,
});

export const ResourceProviderOrderInput = builder.inputType('ResourceProviderOrderInput', {
  description: 'A sort key of a list of providers.',
  fields: (t) => ({
    field: t.field({ type: ResourceProviderOrderField, required: true, description: 'The sort key.' }),
    direction: directionField(t),
    resourceClass: t.string({
      description: 'The resource class of keys about one; INVALID_INPUT with others.',
    }),
  }),
});
