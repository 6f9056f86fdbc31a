import type { ObjectRef } from '@pothos/core';
import { checkExternalId, CONSUMER_TYPE, ensure } from '../../model/input.js';
import { checkLength } from '../../model/request.js';
import type { ConsumerOrderField } from '../../model/listing/consumerFigures.js';
import { validateOrder } from '../../model/listing/listOrder.js';
import { listConsumers, orderOfConsumers } from './consumerList.js';
import type { ConsumersOf, ConsumerOwner } from './consumersOf.js';
import { mapNodes, pageOf, type PageArguments } from '../paging/paging.js';
import type { ConsumerEntity } from '../../model/entities.js';
import type { AllocationEntity } from '../entities.js';
import { groupBy } from '../../model/collections.js';
import { ProviderAllocation } from '../allocation/providerAllocation.js';
import { checkedBefore } from '../selection.js';
import { builder, query, type Types } from '../builder.js';
import { optional, optionalList, required } from '../inputFields.js';
import type { Context } from '../context.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import { entriesOf, orderInput } from '../orderInput.js';
import { costOfList } from '../cost/operationCost.js';
import { Allocation, Consumer, ConsumerType, Project, ProviderRef, User } from '../refs.js';
import { dateFields } from '../sharedFields.js';
import { maySee, ownProject, readersAndProjects, hiddenFromProjects } from '../access/rules.js';

/** Returns the consumer; null if it does not exist or the viewer may not see it. */
export async function visibleConsumer(
  uuid: string,
  { loaders, viewer }: Context,
): Promise<ConsumerEntity | null> {
  const consumer = await loaders.consumers.byUuid(uuid);
  return consumer !== null && maySee(viewer, consumer) ? consumer : null;
}

builder.node(Consumer, {
  name: 'Consumer',
  description: 'A user of resources, such as an instance. Exists as long as it has allocations.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids, context) => Promise.all(uuids.map((uuid) => visibleConsumer(uuid, context))),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The uuid, as set by clients.' }),
    generation: t.exposeInt('generation', {
      description: 'From 1, plus 1 with every write. Writes pass it to prevent lost updates.',
    }),
    type: t.field({
      type: ConsumerType,
      nullable: true,
      description: 'The type. Null if the consumer has none.',
      resolve: ({ consumerType }) => (consumerType === null ? null : { name: consumerType }),
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The project. Null if another program set none.',
      resolve: ({ projectId }, _args, { loaders }) =>
        projectId === '' ? null : loaders.owners('projects').load(projectId),
    }),
    user: t.field({
      ...hiddenFromProjects,
      type: User,
      description: 'The user. Null if another program set none, and for readers of a project.',
      resolve: ({ userId }, _args, { loaders }) =>
        userId === '' ? null : loaders.owners('users').load(userId),
    }),
    projectId: t.string({
      nullable: true,
      description: 'The id of the project. Null if another program set none.',
      resolve: ({ projectId }) => projectId || null,
    }),
    userId: t.string({
      nullable: true,
      description: 'The id of the user. Null if another program set none.',
      resolve: ({ userId }) => userId || null,
    }),
    allocations: t.field({
      type: [Allocation],
      complexity: costOfList(3),
      description: 'All its allocations, by provider name, then class name.',
      resolve: (consumer, _args, { loaders }) => loaders.consumers.allocationsOf(consumer),
    }),
    providerAllocations: t.field({
      ...hiddenFromProjects,
      type: [ProviderAllocation],
      complexity: costOfList(2),
      description: 'The allocations grouped by provider. Null for readers of a project.',
      resolve: async (consumer, _args, { loaders }) =>
        byProvider(await loaders.consumers.allocationsOf(consumer)),
    }),
  }),
});

dateFields(Consumer, (consumer, { loaders }) => loaders.consumers.datesOf(consumer));

/** Groups allocations by provider, in order. Adds up several rows of one class, which another program may write. */
function byProvider(allocations: readonly AllocationEntity[]): (typeof ProviderAllocation.$inferType)[] {
  const parts = groupBy(allocations, ({ provider }) => provider.id);
  return [...parts.values()].map((part) => ({
    resourceProvider: part[0].provider,
    resources: [...groupBy(part, ({ resourceClass }) => resourceClass)].map(([resourceClass, rows]) => ({
      resourceClass,
      amount: rows.reduce((sum, { used }) => sum + used, 0),
    })),
  }));
}

query('consumer', {
  authScopes: readersAndProjects({ uuid: 'FREE' }),
  type: Consumer,
  description: 'A consumer by its uuid. Null if it has no allocations.',
  args: { uuid: required('UUID', 'The uuid of the consumer.') },
  resolve: (_root, { uuid }, context) => visibleConsumer(uuid, context),
});

export const ConsumerConnection = connectionType(Consumer, {
  one: 'A consumer',
  many: 'consumers',
  order: 'age by default',
});

export const ConsumerTypeFilter = builder.inputType('ConsumerTypeFilter', {
  description: 'Consumers of one type, or without a type.',
  isOneOf: true,
  fields: () => ({
    name: optional('String', 'Consumers of the type with this name.'),
    none: optional('Boolean', 'True: no type. False fails with INVALID_INPUT.'),
  }),
});

/**
 * Returns the name of the type; null for consumers without a type, undefined for all.
 *
 * @throws InvalidInput if no type can have the name, and for `none: false`
 */
export function typeCondition(
  filter: typeof ConsumerTypeFilter.$inferInput | null | undefined,
  path: readonly string[],
): string | null | undefined {
  if (filter == null) return undefined;
  const { name } = filter;
  if (name == null) {
    ensure(filter.none === true, [...path, 'none'], 'none must be true');
    return null;
  }
  const message = `${JSON.stringify(name.slice(0, 60))} is not the name of a consumer type`;
  ensure(CONSUMER_TYPE.test(name), [...path, 'name'], message);
  return name;
}

const ConsumerFilter = builder.inputType('ConsumerFilter', {
  description: 'Conditions on consumers. All must hold.',
  fields: () => ({
    projectId: optional('String', 'Consumers of this project.'),
    userId: optional('String', 'Consumers of this user.'),
    type: optional(ConsumerTypeFilter, 'Consumers of this type.'),
    resourceClass: optional(
      'String',
      'Consumers with an allocation of this class (in the tree of `inTree`).',
    ),
    inTree: optional(ProviderRef, 'Consumers with an allocation in the tree of this provider.'),
    uuidIn: optional(['UUID'], 'Consumers with one of these uuids, at most 1024.'),
    severalTrees: optional(
      'Boolean',
      'True: consumers with allocations in several trees, sharing providers apart. False: all others.',
    ),
  }),
});

function checkOwners({ projectId, userId }: Partial<typeof ConsumerFilter.$inferInput>): void {
  if (projectId != null) checkExternalId(projectId, ['filter', 'projectId'], 'project');
  if (userId != null) checkExternalId(userId, ['filter', 'userId'], 'user');
}

/** A filter by class reads all allocations of the class. */
const COST_OF_CLASS = 1_000;

/** A filter by the number of trees reads all allocations. */
const COST_OF_TREES = 10_000;

/** Readers of a project may not see the providers of its consumers, nor filter by providers. */
const PROJECT_READERS_MAY = {
  'filter.projectId': 'OWN_PROJECT',
  'filter.userId': 'FREE',
  'filter.type.name': 'FREE',
  'filter.type.none': 'FREE',
  'filter.inTree.uuid': 'NONE',
  'filter.inTree.name': 'NONE',
  'filter.resourceClass': 'FREE',
  'filter.uuidIn': 'FREE',
  'filter.severalTrees': 'NONE',
  orderBy: 'FREE',
  ...PAGE_RULES,
} as const;

const ConsumerOrderInput = orderInput<Exclude<ConsumerOrderField, 'used'>, 'used'>('ConsumerOrderInput', {
  description: 'A sort key of a list of consumers.',
  keys: {
    age: 'By the order of creation.',
    updatedAt: 'By the time of the last change, in seconds.',
    projectId: 'By the id of the project.',
    userId: 'By the id of the user.',
    type: 'By the name of the type.',
  },
  classKeys: { used: 'By the usage of a resource class on all providers.' },
});

const CONSUMER_ORDER = optionalList(
  ConsumerOrderInput,
  'The most significant first; ties are sorted by age.',
);

interface ConsumersArguments extends PageArguments {
  readonly orderBy: readonly (typeof ConsumerOrderInput.$inferInput)[];
}

function consumersPage({ orderBy, ...args }: ConsumersArguments) {
  const order = entriesOf(orderBy);
  return { order, page: pageOf(orderOfConsumers(order), args) };
}

/** The cost of a pass over all consumers in memory. */
const COST_OF_SORTING = 10_000;

query('consumers', {
  authScopes: readersAndProjects(PROJECT_READERS_MAY),
  type: ConsumerConnection,
  complexity: ({ filter, orderBy, ...page }) => ({
    ...costOfPage(page),
    field:
      (filter?.resourceClass == null ? 1 : COST_OF_CLASS) +
      (filter?.severalTrees == null ? 0 : COST_OF_TREES) +
      (orderBy.length === 0 ? 0 : COST_OF_SORTING),
  }),
  description: 'The consumers that the viewer may see, by age by default.',
  args: {
    filter: optional(ConsumerFilter, 'Defaults to all consumers.'),
    orderBy: CONSUMER_ORDER,
    ...PAGE_ARGUMENTS,
  },
  resolve: async (_root, { filter, orderBy, ...args }, { database, consumers, loaders, viewer }) => {
    const { order, page } = consumersPage({ orderBy, ...args });
    checkOwners(filter ?? {});
    if (filter?.uuidIn != null) checkLength(filter.uuidIn, ['filter', 'uuidIn']);
    const consumerType = typeCondition(filter?.type, ['filter', 'type']);
    const projectId = ownProject(viewer) ?? filter?.projectId;
    const found = await listConsumers(
      { database, consumers },
      { ...filter, consumerType, projectId },
      order,
      page,
    );
    return mapNodes(found, (consumer) => loaders.consumers.prime(consumer));
  },
});

/** Adds `consumers` to a type. Readers of a project get only its consumers. */
export function consumersField<T>(
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
      extensions: checkedBefore((args: ConsumersArguments) =>
        validateOrder(consumersPage(args).order, () => true),
      ),
      args: {
        orderBy: CONSUMER_ORDER,
        ...PAGE_ARGUMENTS,
      },
      resolve: async (source, { orderBy, ...args }, context) => {
        const { consumers, loaders, viewer } = context;
        const { order, page } = consumersPage({ orderBy, ...args });
        const list = loaders.consumersOf(consumers, { owner, orderBy: order, projectId: ownProject(viewer) });
        const found = await list.page(await ownerOf(source, context), page);
        return mapNodes(found, (consumer) => loaders.consumers.prime(consumer));
      },
    }),
  );
}
