import { checkExternalId } from '../../ledger/allocation/allocationInput.js';
import { listConsumers } from '../../reads/consumer/consumerList.js';
import { mapNodes, ORDER_OF_IDS, pageOf } from '../../reads/paging/paging.js';
import type { ConsumerEntity } from '../../reads/entities.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { costOfList } from '../cost/fieldCost.js';
import { ALL, typeCondition, UNKNOWN } from './consumerTypeFilter.js';
import { Allocation, Consumer, ResourceProvider } from '../refs.js';
import { readersAndProjects } from '../access/rules.js';
import { maySee, ownProject } from '../access/ownProject.js';

/** A consumer if the viewer may see it; others are as good as none. */
async function visibleConsumer(uuid: string, { loaders, viewer }: Context): Promise<ConsumerEntity | null> {
  const consumer = await loaders.consumers.byUuid(uuid);
  return consumer !== null && maySee(viewer, consumer) ? consumer : null;
}

builder.node(Consumer, {
  name: 'Consumer',
  description:
    'Someone who uses resources, such as an instance or a migration. It comes into being with its first allocation ' +
    'and ceases to exist with its last.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids, context) => Promise.all(uuids.map((uuid) => visibleConsumer(uuid, context))),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'Its uuid, chosen by whoever made it.' }),
    generation: t.exposeInt('generation', {
      description:
        'Starts at 1 and grows by 1 with every write that changes its allocations, project, user or type. Whoever ' +
        'writes names the generation that he has seen.',
    }),
    consumerType: t.exposeString('consumerType', {
      nullable: true,
      description: 'What kind of consumer it is, such as INSTANCE; null when that is unknown.',
    }),
    projectId: t.exposeString('projectId', {
      description: 'The project that it belongs to, as the client named it.',
    }),
    userId: t.exposeString('userId', { description: 'The user that it belongs to, as the client named it.' }),
    allocations: t.field({
      type: [Allocation],
      complexity: costOfList(3),
      description:
        'All that it takes, on whatever provider: by the name of the provider, then of the resource class.',
      resolve: (consumer, _args, { loaders }) => loaders.consumers.allocationsOf(consumer),
    }),
  }),
});

builder.queryField('consumer', (t) =>
  t.field({
    authScopes: readersAndProjects({ uuid: 'FREE' }),
    type: Consumer,
    nullable: true,
    description: 'The consumer with this uuid; null when there is none, so when nothing is allocated to it.',
    args: { uuid: t.arg({ type: 'UUID', required: true, description: 'Its uuid.' }) },
    resolve: (_root, { uuid }, context) => visibleConsumer(uuid, context),
  }),
);

const ConsumerConnection = connectionType(Consumer, { one: 'A consumer', many: 'consumers', order: 'age' });

const ConsumerFilter = builder.inputType('ConsumerFilter', {
  description: 'Which consumers to list. All given conditions must hold.',
  fields: (t) => ({
    projectId: t.string({ description: 'Only consumers of this project.' }),
    userId: t.string({ description: 'Only consumers of this user.' }),
    consumerType: t.string({
      description: `Only consumers of this type. "${UNKNOWN}": only those without a type. "${ALL}": of every type.`,
    }),
    inTree: t.field({
      type: 'UUID',
      description:
        'Only consumers with an allocation in the tree that this provider, any of its members, is in. An unknown uuid ' +
        'finds none.',
    }),
    resourceClass: t.string({
      description:
        'Only consumers with an allocation of this class; together with inTree, of this class in that tree.',
    }),
  }),
});

function checkOwners({ projectId, userId }: Partial<typeof ConsumerFilter.$inferInput>): void {
  if (projectId != null) checkExternalId(projectId, ['filter', 'projectId'], 'project');
  if (userId != null) checkExternalId(userId, ['filter', 'userId'], 'user');
}

/** Those of a class are found among all allocations of the class. */
const COST_OF_CLASS = 1_000;

/** Where something of theirs is, they are not told: so neither by a filter. */
const PROJECT_READERS_MAY = {
  'filter.projectId': 'OWN_PROJECT',
  'filter.userId': 'FREE',
  'filter.consumerType': 'FREE',
  'filter.inTree': 'NONE',
  'filter.resourceClass': 'FREE',
  first: 'FREE',
  after: 'FREE',
} as const;

builder.queryField('consumers', (t) =>
  t.field({
    authScopes: readersAndProjects(PROJECT_READERS_MAY),
    type: ConsumerConnection,
    nullable: true,
    complexity: ({ filter, ...page }) => ({
      ...costOfPage(page),
      field: filter?.resourceClass == null ? 1 : COST_OF_CLASS,
    }),
    description:
      'Consumers, the oldest first, page by page. An id or type that no consumer can have, an unknown resource class, a ' +
      'page that is too large and a bad cursor are INVALID_INPUT.',
    args: {
      filter: t.arg({ type: ConsumerFilter, description: 'Which consumers; without it, all.' }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { filter, ...args }, { database, loaders, viewer }) => {
      const page = pageOf(ORDER_OF_IDS, args);
      checkOwners(filter ?? {});
      const consumerType = typeCondition(filter?.consumerType, ['filter', 'consumerType']);
      const projectId = ownProject(viewer) ?? filter?.projectId;
      const found = await listConsumers(database, { ...filter, consumerType, projectId }, page);
      return mapNodes(found, (consumer) => loaders.consumers.prime(consumer));
    },
  }),
);

builder.objectField(ResourceProvider, 'treeConsumers', (t) =>
  t.field({
    type: ConsumerConnection,
    complexity: costOfPage,
    description:
      'Every consumer with an allocation on any provider of the tree that this one is in, the oldest first, each with ' +
      'ALL its allocations, those on sharing providers and in other trees too: what a reshape of the tree needs. A page ' +
      'that is too large, or a bad cursor, is INVALID_INPUT.',
    args: PAGE_ARGUMENTS,
    resolve: async ({ rootId }, args, { loaders }) => {
      const found = await loaders.consumersOfTrees.page(rootId, pageOf(ORDER_OF_IDS, args));
      return mapNodes(found, (consumer) => loaders.consumers.prime(consumer));
    },
  }),
);
