import { createHash } from 'node:crypto';
import type { AllocationEntity } from '../entities.js';
import { checkedBefore } from '../selection.js';
import { builder } from '../builder.js';
import { optional } from '../inputFields.js';
import {
  ConsumerConnection,
  ConsumerTypeFilter,
  typeCondition,
  visibleConsumer,
} from '../consumer/consumer.js';
import type { Context } from '../context.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { mapNodes, ORDER_OF_IDS, pageOf, type PageArguments } from '../paging/paging.js';
import { Allocation, Consumer, CLASS_BY_NAME, ResourceProvider } from '../refs.js';
import { classIdOf } from '../loaders/catalog.js';
import { hiddenFromProjects } from '../access/rules.js';

/**
 * Identifies an allocation by its consumer, provider and class, because rows are replaced when amounts change. The
 * provider and the class are hashed, because readers of a project may not learn the provider.
 */
function keyOf({ consumer, provider, resourceClass }: AllocationEntity): string {
  const hash = createHash('sha256').update(`${consumer.uuid}:${provider.uuid}:${resourceClass}`);
  return `${consumer.uuid}:${hash.digest('base64url').slice(0, 16)}`;
}

async function findAllocation(key: string, context: Context): Promise<AllocationEntity | null> {
  const consumer = await visibleConsumer(key.split(':')[0], context);
  if (consumer === null) return null;
  const allocations = await context.loaders.consumers.allocationsOf(consumer);
  return allocations.find((each) => keyOf(each) === key) ?? null;
}

builder.node(Allocation, {
  name: 'Allocation',
  description:
    'The amount of one resource class of one provider that a consumer uses. Its id survives updates.',
  id: { resolve: keyOf },
  loadMany: (keys, context) => Promise.all(keys.map((key) => findAllocation(key, context))),
  fields: (t) => ({
    consumer: t.expose('consumer', { type: Consumer, description: 'The consumer.' }),
    resourceProvider: t.expose('provider', {
      ...hiddenFromProjects,
      type: ResourceProvider,
      description: 'The provider. Null for readers of a project.',
    }),
    resourceClass: t.field(CLASS_BY_NAME),
    amount: t.exposeInt('used', { description: 'The amount in units of the class, at least 1.' }),
  }),
});

const AllocationConnection = connectionType(Allocation, {
  one: 'An allocation',
  many: 'allocations',
  order: 'age',
});

interface AllocationsArguments extends PageArguments {
  readonly consumerType?: typeof ConsumerTypeFilter.$inferInput | null;
}

function allocationsPage({ consumerType, ...args }: AllocationsArguments) {
  return { page: pageOf(ORDER_OF_IDS, args), consumerType: typeCondition(consumerType, ['consumerType']) };
}

builder.objectField(ResourceProvider, 'allocations', (t) =>
  t.field({
    type: AllocationConnection,
    complexity: costOfPage,
    extensions: checkedBefore(allocationsPage),
    description: 'The allocations from this provider, oldest first.',
    args: {
      resourceClass: optional('String', 'Only allocations of this resource class.'),
      consumerType: optional(ConsumerTypeFilter, 'Only allocations of consumers of this type.'),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (provider, { resourceClass, ...args }, { database, loaders }) => {
      const { page, consumerType } = allocationsPage(args);
      const filter = { classId: await classIdOf(database, resourceClass, ['resourceClass']), consumerType };
      const found = await loaders.allocationsOfProviders(filter).page(provider.id, page);
      return mapNodes(found, ({ consumer, ...allocation }) => ({
        ...allocation,
        provider,
        consumer: loaders.consumers.prime(consumer),
      }));
    },
  }),
);

builder.objectField(ResourceProvider, 'treeConsumers', (t) =>
  t.field({
    type: ConsumerConnection,
    complexity: costOfPage,
    extensions: checkedBefore((args: PageArguments) => pageOf(ORDER_OF_IDS, args)),
    description:
      'The consumers with allocations in the tree, oldest first, also with their allocations elsewhere.',
    args: PAGE_ARGUMENTS,
    resolve: async ({ rootId }, args, { loaders }) => {
      const found = await loaders.consumersOfTrees.page(rootId, pageOf(ORDER_OF_IDS, args));
      return mapNodes(found, (consumer) => loaders.consumers.prime(consumer));
    },
  }),
);
