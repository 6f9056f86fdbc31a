import { InvalidInput } from '../../model/input.js';
import { builder, query } from '../builder.js';
import { optional, optionalList, required, alternatives, withDefault } from '../inputFields.js';
import { ResourceProviderConnection, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { checkedBefore } from '../selection.js';
import { costOfEntries, costOfList, readInPages } from '../cost/operationCost.js';
import type { SortPlace } from '../../model/listing/orderedPage.js';
import { listFromSnapshot } from '../../search/listing/currentListing.js';
import {
  boundsOf,
  connectionOf,
  orderOfKeys,
  pageOf,
  type ListOrder,
  ORDER_OF_NAMES,
} from '../paging/paging.js';
import { PROVIDER_FIELDS } from '../candidates/candidatesText.js';
import { ROW_FIELDS } from '../entities.js';
import { ListedProvider } from '../candidates/snapshotProvider.js';
import { mapValues } from '../../model/collections.js';
import { entriesOf, orderInput } from '../orderInput.js';
import {
  Aggregate,
  Inventory,
  ProviderLookUp,
  ResourceProvider,
  Trait,
  Usage,
  AggregateRef,
  ProviderRef,
} from '../refs.js';
import { SHARING_TRAIT } from '../../model/provider.js';
import type { ClassOrderField, PlainOrderField } from '../../search/listing/providerOrder.js';
import { ResourceAmountInput } from '../allocation/providerAllocation.js';

builder.node(ResourceProvider, {
  name: 'ResourceProvider',
  description:
    'A source of resources, such as a host, NUMA node, device or storage pool. Providers form trees.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids, { loaders }) => Promise.all(uuids.map((uuid) => loaders.providers.byUuid(uuid))),
  fields: (t) =>
    mapValues(PROVIDER_FIELDS, ({ type, description, get }) =>
      t.field({ type: type as 'String', description, resolve: get as never }),
    ),
});

const DESCENDANTS = readInPages(8, 'resourceProviders(filter: { inTree })');

function levelsOf({ maxDepth }: { maxDepth?: number | null }): number {
  if (maxDepth != null && maxDepth < 1)
    throw new InvalidInput(['maxDepth'], `maxDepth is ${maxDepth}, not 1 or more`);
  return maxDepth ?? Infinity;
}

builder.objectFields(ResourceProvider, (t) => ({
  parent: t.field({
    type: ResourceProvider,
    nullable: true,
    description: 'The parent. Null for a root.',
    resolve: async (source, _args, { loaders }) =>
      source.parent === undefined && source.parentId !== null
        ? (await loaders.providers.tree(source.rootId)).parent(source)
        : source.parent,
  }),
  root: t.field({
    type: ResourceProvider,
    description: 'The root of the tree. A root is its own root.',
    resolve: async (source, _args, { loaders }) => {
      if (source.id === source.rootId) return source;
      return source.root ?? (await loaders.providers.byId(source.rootId)) ?? source;
    },
  }),
  children: t.field({
    type: [ResourceProvider],
    ...readInPages(4, 'resourceProviders(filter: { inTree })'),
    description: 'The children, by name.',
    resolve: async (source, _args, { loaders }) =>
      (await loaders.providers.tree(source.rootId)).children(source),
  }),
  ancestors: t.field({
    type: [ResourceProvider],
    ...readInPages(2, 'resourceProviders(filter: { inTree })'),
    description: 'All ancestors, from the parent to the root.',
    resolve: async (source, _args, { loaders }) =>
      (await loaders.providers.tree(source.rootId)).ancestors(source),
  }),
  descendants: t.field({
    type: [ResourceProvider],
    ...DESCENDANTS,
    extensions: { ...DESCENDANTS.extensions, ...checkedBefore(levelsOf) },
    description: 'All descendants, depth first, by name.',
    args: {
      maxDepth: optional('Int', 'The number of levels, at least 1. Defaults to all.'),
    },
    resolve: async (source, args, { loaders }) => {
      const levels = levelsOf(args);
      return (await loaders.providers.tree(source.rootId)).descendants(source, levels);
    },
  }),
  sharingProviders: t.field({
    type: [ResourceProvider],
    ...readInPages(2, 'resourceProviders(filter: { memberOf, requiredTraits })'),
    description: 'The sharing providers in an aggregate of any provider of the tree, by name.',
    resolve: (source, _args, { loaders }) => loaders.providers.sharingProviders(source.rootId),
  }),
}));

builder.objectFields(ResourceProvider, (t) => ({
  inventories: t.field({
    type: [Inventory],
    complexity: costOfList(3),
    description: 'The inventories, by class name.',
    resolve: (source, _args, { loaders }) =>
      loaders.inventories.of(source).then((rows) => rows.map((row) => ({ ...row, provider: source }))),
  }),
  inventory: t.field({
    type: Inventory,
    nullable: true,
    description: 'The inventory of one resource class. Null if there is none.',
    args: {
      resourceClass: required('String', 'The name of the resource class.'),
    },
    resolve: async (source, { resourceClass }, { loaders }) => {
      const row = (await loaders.inventories.of(source)).find(
        (found) => found.resourceClass === resourceClass,
      );
      return row && { ...row, provider: source };
    },
  }),
  usages: t.field({
    type: [Usage],
    complexity: costOfList(3),
    description: 'The usage of each inventory, by class name.',
    resolve: (source, _args, { loaders }) => loaders.inventories.of(source),
  }),
  traits: t.field({
    type: [Trait],
    complexity: costOfList(4),
    description: 'The traits, by name.',
    resolve: (source, _args, { loaders }) => loaders.traits.of(source),
  }),
  aggregates: t.field({
    type: [Aggregate],
    complexity: costOfList(2),
    description: 'The aggregates, by uuid.',
    resolve: (source, _args, { loaders }) => loaders.aggregates.of(source),
  }),
  isSharing: t.boolean({
    description: `Whether other trees may use its resources (trait ${SHARING_TRAIT}).`,
    resolve: async (source, _args, { loaders }) =>
      (await loaders.traits.of(source)).some(({ name }) => name === SHARING_TRAIT),
  }),
}));

builder.objectFields(ResourceProvider, (t) =>
  mapValues(ROW_FIELDS, ({ type, description }, name) =>
    t.field({
      type,
      nullable: true,
      description,
      resolve: async (source, _args, { loaders }) =>
        source[name] === undefined ? (await loaders.providers.byId(source.id))?.[name] : source[name],
    }),
  ),
);

const ResourceProviderFilter = builder.inputType('ResourceProviderFilter', {
  description: 'Conditions on providers. All must hold. Those named ...InTree concern the whole tree.',
  fields: () => ({
    name: optional('String', 'The provider with this name.'),
    nameStartsWith: optional('String', 'Providers whose names start with this text.'),
    nameContains: optional('String', 'Providers whose names contain this text.'),
    uuid: optional('UUID', 'The provider with this uuid.'),
    uuidIn: optional(['UUID'], 'Providers with one of these uuids, at most 1024.'),
    rootsOnly: withDefault('Boolean', false, 'True: only roots.'),
    inTree: optional(ProviderRef, 'Providers in the tree of this provider.'),
    resources: optionalList(
      ResourceAmountInput,
      'Providers with all these amounts free, also in the counters of partitions. Each class once.',
    ),
    requiredTraits: alternatives('String', 'Providers with a trait of each inner list, at most 100 lists.'),
    forbiddenTraits: optionalList('String', 'Providers without these traits.'),
    memberOf: alternatives(AggregateRef, 'Providers in an aggregate of each inner list, at most 100 lists.'),
    forbiddenAggregates: optionalList(AggregateRef, 'Providers outside these aggregates.'),
    resourcesInTree: optionalList(
      ResourceAmountInput,
      'For each amount, any provider of the tree has it free, also in the counters of partitions. Each class once.',
    ),
    hasTraitInTree: alternatives(
      'String',
      'For each inner list, any provider of the tree has a trait of it.',
    ),
    memberOfInTree: alternatives(
      AggregateRef,
      'For each inner list, any provider of the tree is in an aggregate of it.',
    ),
  }),
});

const ResourceProviderOrderInput = orderInput<PlainOrderField, ClassOrderField>(
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
      available: 'By capacity - used of a resource class. Counters do not limit it.',
      utilization: 'By used / capacity of a resource class.',
      treeCapacity: 'By the capacity of a resource class in the whole tree.',
      treeUsed: 'By the usage of a resource class in the whole tree.',
      treeAvailable:
        'By the free amount of a resource class in the whole tree. Counters limit that of each partition.',
      treeUtilization: 'By used / capacity of a resource class in the whole tree.',
    },
  },
);

/** The cost of a pass over the fleet in memory. */
const COST_OF_LISTING = 1_000;

const BY_NAME: ListOrder<ListedProvider, SortPlace> = {
  ...ORDER_OF_NAMES,
  place: (name) => [name],
};

query('resourceProvider', {
  type: ResourceProvider,
  description: 'A provider by its uuid or its name. Null if it does not exist.',
  args: { by: required(ProviderLookUp, 'The provider.') },
  resolve: (_root, { by }, { loaders }) =>
    by.uuid != null ? loaders.providers.byUuid(by.uuid) : loaders.providers.byName(by.name!),
});

query('resourceProviders', {
  type: ResourceProviderConnection,
  complexity: ({ filter, orderBy, ...page }) => ({
    ...costOfPage(page),
    field: 1 + costOfEntries(filter) + (filter != null || orderBy.length > 0 ? COST_OF_LISTING : 0),
  }),
  description: 'Providers, by name by default. Includes every earlier commit.',
  args: {
    filter: optional(ResourceProviderFilter, 'Defaults to all providers.'),
    orderBy: optionalList(
      ResourceProviderOrderInput,
      'At most 16 keys, most significant first; ties are sorted by uuid.',
    ),
    ...PAGE_ARGUMENTS,
  },
  resolve: async (_root, { filter, orderBy, ...args }, { snapshots, operation }) => {
    const entries = entriesOf(orderBy);
    const order = orderBy.length === 0 ? BY_NAME : orderOfKeys<ListedProvider>(entries);
    const page = pageOf(order, args);
    const { snapshot, rows, count } = await listFromSnapshot(
      snapshots,
      filter ?? {},
      entries,
      boundsOf(page),
      operation,
    );
    const found = rows.map((row) => new ListedProvider(snapshot, row));
    return connectionOf(order, page, found, count);
  },
});
