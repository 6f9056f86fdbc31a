import { LARGEST_INTEGER } from '../../domain/capacity.js';
import { checkExternalId } from '../../ledger/allocation/allocationInput.js';
import { checkLength } from '../../domain/providerConditions.js';
import { CONSUMER_ORDER_FIELDS } from '../../domain/listing/consumerFigures.js';
import { listConsumers, orderOfConsumers, type ConsumerOrder } from '../../reads/consumer/consumerList.js';
import { mapNodes, ORDER_OF_IDS, pageOf } from '../../reads/paging/paging.js';
import type { AllocationEntity, ConsumerEntity } from '../../reads/entities.js';
import { groupBy } from '../../domain/collections.js';
import { ProviderAllocation } from '../allocation/providerAllocation.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import { directionField } from '../inputFields.js';
import { costOfList } from '../cost/fieldCost.js';
import { ALL, ConsumerTypeGroup, typeCondition, UNKNOWN } from './consumerTypeFilter.js';
import { Allocation, Consumer, ProviderRef, ResourceProvider } from '../refs.js';
import { READERS, maySee, ownProject, readersAndProjects } from '../access/rules.js';

/** A consumer if the viewer may see it; others are as good as none. */
export async function visibleConsumer(
  uuid: string,
  { loaders, viewer }: Context,
): Promise<ConsumerEntity | null> {
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
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was created; null where that was not recorded.',
      resolve: async (consumer, _args, { loaders }) => (await loaders.consumers.datesOf(consumer)).createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last changed; null where it never was, or where that was not recorded.',
      resolve: async (consumer, _args, { loaders }) => (await loaders.consumers.datesOf(consumer)).updatedAt,
    }),
    allocations: t.field({
      type: [Allocation],
      complexity: costOfList(3),
      description:
        'All that it takes, on whatever provider: by the name of the provider, then of the resource class.',
      resolve: (consumer, _args, { loaders }) => loaders.consumers.allocationsOf(consumer),
    }),
    providerAllocations: t.field({
      authScopes: READERS,
      type: [ProviderAllocation],
      complexity: costOfList(2),
      description:
        'The same provider by provider, by name, as allocation requests tell it and setAllocations takes it.',
      resolve: async (consumer, _args, { loaders }) =>
        byProvider(await loaders.consumers.allocationsOf(consumer)),
    }),
  }),
});

/** By provider, in their order. Several rows of one class, which a foreign writer may leave, become one amount. */
function byProvider(allocations: readonly AllocationEntity[]): (typeof ProviderAllocation.$inferType)[] {
  const parts = groupBy(allocations, ({ provider }) => provider.id);
  return [...parts.values()].map((part) => ({
    resourceProvider: part[0].provider,
    resources: [...groupBy(part, ({ resourceClass }) => resourceClass)].map(([resourceClass, rows]) => ({
      resourceClass,
      amount: Math.min(
        rows.reduce((sum, { used }) => sum + used, 0),
        LARGEST_INTEGER,
      ),
    })),
  }));
}

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

const ConsumerConnection = connectionType(Consumer, {
  one: 'A consumer',
  many: 'consumers',
  order: 'age unless ordered otherwise',
});

const ConsumerFilter = builder.inputType('ConsumerFilter', {
  description: 'Which consumers to list. All given conditions must hold.',
  fields: (t) => ({
    projectId: t.string({ description: 'Only consumers of this project.' }),
    userId: t.string({ description: 'Only consumers of this user.' }),
    consumerType: t.string({
      description:
        `Only consumers of this type. "${UNKNOWN}" and "${ALL}" are taken as well, and mean what they mean as ` +
        'consumerTypeGroup.',
    }),
    consumerTypeGroup: t.field({
      type: ConsumerTypeGroup,
      description: 'Only consumers of this group. Not together with consumerType.',
    }),
    inTree: t.field({
      type: ProviderRef,
      description:
        'Only consumers with an allocation in the tree of this provider. An unknown uuid matches none.',
    }),
    uuidIn: t.field({
      type: ['UUID'],
      description: 'Only consumers with one of these uuids, at most 1024; an empty list finds none.',
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
  'filter.consumerTypeGroup': 'FREE',
  'filter.inTree.uuid': 'NONE',
  'filter.inTree.name': 'NONE',
  'filter.resourceClass': 'FREE',
  'filter.uuidIn': 'FREE',
  orderBy: 'FREE',
  ...PAGE_RULES,
} as const;

const MEANINGS: Readonly<Record<ConsumerOrder['field'], string>> = {
  AGE: 'By when it came into being: in the order of creation, not by the clock.',
  UPDATED_AT: 'By when it was last changed, to the second; one that never was comes last.',
  PROJECT_ID: 'By the id of its project.',
  USER_ID: 'By the id of its user.',
  CONSUMER_TYPE: 'By its type; untyped ones come last.',
  USED: 'By how much it takes of a resource class on all providers together; one that takes none comes last.',
};

const ConsumerOrderField = builder.enumType('ConsumerOrderField', {
  description: 'What consumers can be ordered by. USED takes a resource class.',
  values: Object.fromEntries(
    CONSUMER_ORDER_FIELDS.map((field) => [field, { description: MEANINGS[field] }]),
  ) as Record<ConsumerOrder['field'], { description: string }>,
});

const ConsumerOrderInput = builder.inputType('ConsumerOrderInput', {
  description: 'What comes first in a list of consumers.',
  fields: (t) => ({
    field: t.field({ type: ConsumerOrderField, required: true, description: 'By what.' }),
    direction: directionField(t),
    resourceClass: t.string({
      description: 'The name of the resource class of USED; nothing else takes one.',
    }),
  }),
});

/** In any order but that of age all that match are looked at. */
const COST_OF_SORTING = 10_000;

builder.queryField('consumers', (t) =>
  t.field({
    authScopes: readersAndProjects(PROJECT_READERS_MAY),
    type: ConsumerConnection,
    complexity: ({ filter, orderBy, ...page }) => ({
      ...costOfPage(page),
      field:
        (filter?.resourceClass == null ? 1 : COST_OF_CLASS) + (orderBy.length === 0 ? 0 : COST_OF_SORTING),
    }),
    description:
      'Consumers, the oldest first or as `orderBy` says, page by page. An id or type that no consumer can have, an unknown resource class, a ' +
      'page that is too large and a bad cursor are INVALID_INPUT.',
    args: {
      filter: t.arg({ type: ConsumerFilter, description: 'Which consumers; without it, all.' }),
      orderBy: t.arg({
        type: [ConsumerOrderInput],
        required: true,
        defaultValue: [],
        description:
          'What comes first; the first entry that tells two consumers apart decides, and behind them all the age. Each field of ' +
          'a class once.',
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { filter, orderBy, ...args }, { database, consumers, loaders, viewer }) => {
      const page = pageOf(orderOfConsumers(orderBy), args);
      checkOwners(filter ?? {});
      if (filter?.uuidIn != null) checkLength(filter.uuidIn, ['filter', 'uuidIn']);
      const consumerType = typeCondition(filter ?? {}, ['filter']);
      const projectId = ownProject(viewer) ?? filter?.projectId;
      const found = await listConsumers(
        { database, consumers },
        { ...filter, consumerType, projectId },
        orderBy,
        page,
      );
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
