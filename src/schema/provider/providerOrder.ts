import type { ClassOrderField, PlainOrderField } from '../../engine/listing/providerOrder.js';
import { orderInput } from '../orderInput.js';

export const ResourceProviderOrderInput = orderInput<PlainOrderField, ClassOrderField>(
  'ResourceProviderOrderInput',
  {
    description: 'A sort key of a list of providers.',
    keys: {
      name: 'By name.',
      createdAt: 'By the time of creation, in seconds.',
      updatedAt: 'By the time of the last change, in seconds.',
      generation: 'By generation.',
    },
    classKeys: {
      capacity: 'By the capacity of a resource class.',
      used: 'By the usage of a resource class.',
      available: 'By capacity - used of a resource class.',
      utilization: 'By used / capacity of a resource class.',
      treeCapacity: 'By the capacity of a resource class in the whole tree.',
      treeUsed: 'By the usage of a resource class in the whole tree.',
      treeAvailable: 'By capacity - used of a resource class in the whole tree.',
      treeUtilization: 'By used / capacity of a resource class in the whole tree.',
    },
  },
);
