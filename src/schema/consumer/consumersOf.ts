import type { ObjectRef } from '@pothos/core';
import type { ConsumersOf, ConsumerOwner } from '../../reads/consumer/consumersOf.js';
import { orderOfConsumers } from '../../reads/consumer/consumerList.js';
import { mapNodes, ORDER_OF_IDS, pageOf } from '../../reads/paging/paging.js';
import { ownProject } from '../access/rules.js';
import { builder, type Types } from '../builder.js';
import type { Context } from '../context.js';
import { costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { ConsumerType, Project, ResourceProvider, User } from '../refs.js';
import { entriesOf } from '../orderInput.js';
import { ConsumerConnection, ConsumerOrderInput, COST_OF_SORTING } from './consumer.js';

/** Adds `consumers` to a type. Readers of a project get only its consumers. */
function consumersField<T>(
  type: ObjectRef<Types, T>,
  owner: ConsumersOf['owner'],
  ownerOf: (source: T, context: Context) => ConsumerOwner | Promise<ConsumerOwner>,
): void {
  builder.objectField(type, 'consumers', (t) =>
    t.field({
      type: ConsumerConnection,
      complexity: ({ orderBy, ...page }) => ({
        ...costOfPage(page),
        field: 1 + (orderBy.length === 0 ? 0 : COST_OF_SORTING),
      }),
      description: 'Its consumers that the viewer may see, by age by default.',
      args: {
        orderBy: t.arg({
          type: [ConsumerOrderInput],
          required: true,
          defaultValue: [],
          description: 'The most significant first; ties are sorted by age.',
        }),
        ...PAGE_ARGUMENTS,
      },
      resolve: async (source, { orderBy, ...args }, context) => {
        const { consumers, loaders, viewer } = context;
        const order = entriesOf(orderBy);
        const page = pageOf(orderOfConsumers(order), args);
        const list = loaders.consumersOf(consumers, { owner, orderBy: order, projectId: ownProject(viewer) });
        const found = await list.page(await ownerOf(source, context), page);
        return mapNodes(found, (consumer) => loaders.consumers.prime(consumer));
      },
    }),
  );
}

consumersField(Project, 'projectId', ({ id, externalId }) => ({ id, name: externalId }));
consumersField(User, 'userId', ({ id, externalId }) => ({ id, name: externalId }));
consumersField(
  ConsumerType,
  'consumerType',
  async ({ name }, { loaders }) => (await loaders.consumerTypes.load(name))!,
);

builder.objectField(ResourceProvider, 'treeConsumers', (t) =>
  t.field({
    type: ConsumerConnection,
    complexity: costOfPage,
    description:
      'The consumers with allocations in the tree, oldest first, also with their allocations elsewhere.',
    args: PAGE_ARGUMENTS,
    resolve: async ({ rootId }, args, { loaders }) => {
      const found = await loaders.consumersOfTrees.page(rootId, pageOf(ORDER_OF_IDS, args));
      return mapNodes(found, (consumer) => loaders.consumers.prime(consumer));
    },
  }),
);
