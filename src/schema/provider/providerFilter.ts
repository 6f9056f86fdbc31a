import type { ClassOrderField, PlainOrderField } from '../../engine/listing/providerOrder.js';
import { ResourceAmountInput } from '../allocation/resourceAmount.js';
import { builder } from '../builder.js';
import { alternatives, optionalList } from '../inputFields.js';
import { orderInput } from '../orderInput.js';
import { AggregateRef, ProviderRef } from '../refs.js';

export const ResourceProviderFilter = builder.inputType('ResourceProviderFilter', {
  description: 'Conditions on providers. All must hold. Those named ...InTree concern the whole tree.',
  fields: (t) => ({
    name: t.string({ description: 'The provider with this name.' }),
    nameStartsWith: t.string({ description: 'Providers whose names start with this text.' }),
    nameContains: t.string({ description: 'Providers whose names contain this text.' }),
    uuid: t.field({ type: 'UUID', description: 'The provider with this uuid.' }),
    uuidIn: t.field({ type: ['UUID'], description: 'Providers with one of these uuids, at most 1024.' }),
    rootsOnly: t.boolean({ required: true, defaultValue: false, description: 'True: only roots.' }),
    inTree: t.field({ type: ProviderRef, description: 'Providers in the tree of this provider.' }),
    resources: optionalList(
      t,
      ResourceAmountInput,
      'Providers with all these amounts free. Each class once.',
    ),
    requiredTraits: alternatives(
      t,
      'String',
      'Providers with a trait of each inner list, at most 100 lists.',
    ),
    forbiddenTraits: optionalList(t, 'String', 'Providers without these traits.'),
    memberOf: alternatives(
      t,
      AggregateRef,
      'Providers in an aggregate of each inner list, at most 100 lists.',
    ),
    forbiddenAggregates: optionalList(t, AggregateRef, 'Providers outside these aggregates.'),
    resourcesInTree: optionalList(
      t,
      ResourceAmountInput,
      'For each amount, any provider of the tree has it free. Each class once.',
    ),
    hasTraitInTree: alternatives(
      t,
      'String',
      'For each inner list, any provider of the tree has a trait of it.',
    ),
    memberOfInTree: alternatives(
      t,
      AggregateRef,
      'For each inner list, any provider of the tree is in an aggregate of it.',
    ),
  }),
});

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
