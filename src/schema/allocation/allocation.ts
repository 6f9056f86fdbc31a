import { createHash } from 'node:crypto';
import type { AllocationEntity } from '../../reads/entities.js';
import { builder } from '../builder.js';
import { visibleConsumer } from '../consumer/consumer.js';
import type { Context } from '../context.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { mapNodes, ORDER_OF_IDS, pageOf } from '../../reads/paging/paging.js';
import { Allocation, Consumer, ResourceClass, ResourceProvider } from '../refs.js';
import { READERS } from '../access/rules.js';
import { classIdOf } from '../../reads/catalog.js';
import { ALL, ConsumerTypeGroup, typeCondition, UNKNOWN } from '../consumer/consumerTypeFilter.js';

/**
 * Which allocation of a consumer it is: by provider and class, because rows are replaced when amounts change; and as a hash, because
 * readers of a project may not be told where something is.
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
    'What a consumer takes of one resource class of one provider. It stays the same when the amount changes.',
  id: { resolve: keyOf },
  loadMany: (keys, context) => Promise.all(keys.map((key) => findAllocation(key, context))),
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
      'What consumers take of it, the oldest allocation first. An unknown resource class, a type that no consumer can have, a ' +
      'page that is too large and a bad cursor are INVALID_INPUT.',
    args: {
      resourceClass: t.arg.string({ description: 'Only allocations of this resource class.' }),
      consumerType: t.arg.string({
        description:
          `Only those of consumers of this type. "${UNKNOWN}" and "${ALL}" are taken as well, and mean what they mean as ` +
          'consumerTypeGroup.',
      }),
      consumerTypeGroup: t.arg({
        type: ConsumerTypeGroup,
        description:
          'UNKNOWN: only those of consumers without a type. ALL: of every type. Not together with consumerType.',
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (
      provider,
      { resourceClass, consumerType, consumerTypeGroup, ...args },
      { database, loaders },
    ) => {
      const page = pageOf(ORDER_OF_IDS, args);
      const filter = {
        classId: resourceClass == null ? null : await classIdOf(database, resourceClass, ['resourceClass']),
        consumerType: typeCondition({ consumerType, consumerTypeGroup }, []),
      };
      const found = await loaders.allocationsOfProviders(filter).page(provider.id, page);
      return mapNodes(found, ({ consumer, ...allocation }) => ({
        ...allocation,
        provider,
        consumer: loaders.consumers.prime(consumer),
      }));
    },
  }),
);
