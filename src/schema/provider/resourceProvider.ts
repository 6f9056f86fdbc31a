import { InvalidInput } from '../../domain/invalidInput.js';
import { builder } from '../builder.js';
import { costOfPage, PAGE_ARGUMENTS, ResourceProviderConnection } from '../connection.js';
import { costOfList, entriesIn } from '../cost/fieldCost.js';
import type { SortPlace } from '../../domain/listing/orderedPage.js';
import { listFromSnapshot } from '../../placement/providerListing.js';
import {
  boundsOf,
  connectionOf,
  ORDER_OF_NAMES,
  orderOfKeys,
  pageOf,
  type ListOrder,
} from '../../reads/paging/paging.js';
import { readInPages } from '../cost/listLimit.js';
import { ListedProvider } from './listedProvider.js';
import { ResourceProviderFilter, ResourceProviderOrderInput } from './providerFilter.js';
import { entriesOf } from '../orderInput.js';
import { Aggregate, Inventory, ProviderLookUp, ResourceProvider, Trait } from '../refs.js';
import { SHARING_TRAIT } from '../../domain/provider.js';
import { Usage } from './usage.js';
import { READERS } from '../access/rules.js';

builder.node(ResourceProvider, {
  name: 'ResourceProvider',
  description:
    'A source of resources, such as a host, NUMA node, device or storage pool. Providers form trees.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids, { loaders }) => Promise.all(uuids.map((uuid) => loaders.providers.byUuid(uuid))),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The uuid.' }),
    name: t.exposeString('name', { description: 'The unique name: 1 to 200 characters, case-sensitive.' }),
    generation: t.exposeInt('generation', {
      description: 'From 0, plus 1 with every write. Writes pass it to prevent lost updates.',
    }),
  }),
});

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
    complexity: costOfList(4),
    extensions: readInPages('resourceProviders(filter: { inTree })'),
    description: 'The children, by name.',
    resolve: async (source, _args, { loaders }) =>
      (await loaders.providers.tree(source.rootId)).children(source),
  }),
  ancestors: t.field({
    type: [ResourceProvider],
    complexity: costOfList(2),
    extensions: readInPages('resourceProviders(filter: { inTree })'),
    description: 'All ancestors, from the parent to the root.',
    resolve: async (source, _args, { loaders }) =>
      (await loaders.providers.tree(source.rootId)).ancestors(source),
  }),
  descendants: t.field({
    type: [ResourceProvider],
    complexity: costOfList(8),
    extensions: readInPages('resourceProviders(filter: { inTree })'),
    description: 'All descendants, depth first, by name.',
    args: {
      maxDepth: t.arg.int({ description: 'The number of levels, at least 1. Defaults to all.' }),
    },
    resolve: async (source, { maxDepth }, { loaders }) => {
      if (maxDepth != null && maxDepth < 1)
        throw new InvalidInput(['maxDepth'], `maxDepth is ${maxDepth}, not 1 or more`);
      return (await loaders.providers.tree(source.rootId)).descendants(source, maxDepth ?? Infinity);
    },
  }),
  sharingProviders: t.field({
    type: [ResourceProvider],
    complexity: costOfList(2),
    extensions: readInPages('resourceProviders(filter: { memberOf, requiredTraits })'),
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
      resourceClass: t.arg.string({ required: true, description: 'The name of the resource class.' }),
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
    extensions: readInPages('traits(filter)'),
    description: 'The traits, by name.',
    resolve: (source, _args, { loaders }) => loaders.traits.of(source),
  }),
  aggregates: t.field({
    type: [Aggregate],
    complexity: costOfList(2),
    extensions: readInPages('aggregates'),
    description: 'The aggregates, by uuid.',
    resolve: (source, _args, { loaders }) => loaders.aggregates.of(source),
  }),
  isSharing: t.boolean({
    description: `Whether other trees may use its resources (trait ${SHARING_TRAIT}).`,
    resolve: async (source, _args, { loaders }) =>
      (await loaders.traits.of(source)).some(({ name }) => name === SHARING_TRAIT),
  }),
  createdAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'The time of creation. Null if unrecorded.',
    resolve: async (source, _args, { loaders }) =>
      (source.createdAt === undefined ? await loaders.providers.byId(source.id) : source)?.createdAt,
  }),
  updatedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'The time of the last change. Null if unrecorded.',
    resolve: async (source, _args, { loaders }) =>
      (source.updatedAt === undefined ? await loaders.providers.byId(source.id) : source)?.updatedAt,
  }),
}));

/** The cost of a pass over the fleet in memory. */
const COST_OF_LISTING = 1_000;

const BY_NAME: ListOrder<ListedProvider, SortPlace> = {
  ...ORDER_OF_NAMES,
  place: (name) => [name],
};

builder.queryFields((t) => ({
  resourceProvider: t.field({
    authScopes: READERS,
    type: ResourceProvider,
    nullable: true,
    description: 'A provider by its uuid or its name. Null if it does not exist.',
    args: { by: t.arg({ type: ProviderLookUp, required: true, description: 'The provider.' }) },
    resolve: (_root, { by }, { loaders }) =>
      by.uuid != null ? loaders.providers.byUuid(by.uuid) : loaders.providers.byName(by.name!),
  }),
  resourceProviders: t.field({
    authScopes: READERS,
    type: ResourceProviderConnection,
    nullable: true,
    complexity: ({ filter, orderBy, ...page }) => ({
      ...costOfPage(page),
      field: 1 + 10 * entriesIn(filter) + (filter != null || orderBy.length > 0 ? COST_OF_LISTING : 0),
    }),
    description: 'Providers, by name by default. Includes every earlier commit.',
    args: {
      filter: t.arg({ type: ResourceProviderFilter, description: 'Defaults to all providers.' }),
      orderBy: t.arg({
        type: [ResourceProviderOrderInput],
        required: true,
        defaultValue: [],
        description: 'At most 16 keys, most significant first; ties are sorted by uuid.',
      }),
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
  }),
}));
