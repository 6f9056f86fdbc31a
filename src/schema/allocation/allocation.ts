import { builder } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { mapNodes, ORDER_OF_IDS, pageOf } from '../../reads/paging/paging.js';
import { Allocation, Consumer, ResourceClass, ResourceProvider } from '../refs.js';
import { READERS } from '../access/rules.js';

Allocation.implement({
  description: 'What a consumer takes of one resource class of one provider.',
  fields: (t) => ({
    consumer: t.expose('consumer', {
      type: Consumer,
      description: 'Who takes it.',
    }),
    resourceProvider: t.expose('provider', {
      authScopes: READERS,
      type: ResourceProvider,
      description: 'Who gives it.',
    }),
    resourceClass: t.field({
      type: ResourceClass,
      description: 'What is taken.',
      resolve: ({ resourceClass }) => ({ name: resourceClass }),
    }),
    used: t.exposeInt('used', { description: 'How much of it, in units of the class; at least 1.' }),
  }),
});

const AllocationConnection = connectionType(Allocation, {
  one: 'An allocation',
  many: 'allocations',
  order: 'age',
});

builder.objectField(ResourceProvider, 'allocations', (t) =>
  t.field({
    type: AllocationConnection,
    complexity: costOfPage,
    description:
      'What consumers take of it, the oldest allocation first. A page that is too large, or a bad cursor, is ' +
      'INVALID_INPUT.',
    args: PAGE_ARGUMENTS,
    resolve: async (provider, args, { loaders }) => {
      const found = await loaders.allocationsOfProviders.page(provider.id, pageOf(ORDER_OF_IDS, args));
      return mapNodes(found, ({ consumer, ...allocation }) => ({
        ...allocation,
        provider,
        consumer: loaders.consumers.prime(consumer),
      }));
    },
  }),
);
