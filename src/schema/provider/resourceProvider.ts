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
import { ResourceProviderFilter } from './providerFilter.js';
import { ResourceProviderOrderInput } from './providerOrder.js';
import { Aggregate, Inventory, ProviderLookUp, ResourceProvider, Trait } from '../refs.js';
import { SHARING_TRAIT } from '../../domain/provider.js';
import { Usage } from './usage.js';
import { READERS } from '../access/rules.js';

builder.node(ResourceProvider, {
  name: 'ResourceProvider',
  description:
    'Something that offers resources: a host, a NUMA node, a device, a storage pool. Providers form trees; a ' +
    'sharing provider offers its resources to other trees as well, through the aggregates that both are in.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: (uuids, { loaders }) => Promise.all(uuids.map((uuid) => loaders.providers.byUuid(uuid))),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'Its uuid, the same for as long as it exists.' }),
    name: t.exposeString('name', { description: 'Its name, 1 to 200 characters. Unique, and case counts.' }),
    generation: t.exposeInt('generation', {
      description:
        'Starts at 0 and grows by 1 with every write that changes what it offers or who uses it. A write that names ' +
        'an older generation is rejected, so that nobody overwrites what he has not seen.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was created; null where that was not recorded.',
      resolve: async (source, _args, { loaders }) =>
        (source.createdAt === undefined ? await loaders.providers.byId(source.id) : source)?.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last changed; null where that was not recorded.',
      resolve: async (source, _args, { loaders }) =>
        (source.updatedAt === undefined ? await loaders.providers.byId(source.id) : source)?.updatedAt,
    }),
  }),
});

const EVERY_TREE = 'Trees may be of any depth and width.';

builder.objectFields(ResourceProvider, (t) => ({
  parent: t.field({
    type: ResourceProvider,
    nullable: true,
    description: 'The provider directly above; null for a root.',
    resolve: async (source, _args, { loaders }) =>
      source.parent === undefined && source.parentId !== null
        ? (await loaders.providers.tree(source.rootId)).parent(source)
        : source.parent,
  }),
  root: t.field({
    type: ResourceProvider,
    description: 'The provider at the top of its tree; itself for a root.',
    resolve: async (source, _args, { loaders }) => {
      if (source.id === source.rootId) return source;
      return source.root ?? (await loaders.providers.byId(source.rootId)) ?? source;
    },
  }),
  children: t.field({
    type: [ResourceProvider],
    complexity: costOfList(4),
    extensions: readInPages('resourceProviders(filter: { inTree })'),
    description: `The providers directly below, by name. ${EVERY_TREE}`,
    resolve: async (source, _args, { loaders }) =>
      (await loaders.providers.tree(source.rootId)).children(source),
  }),
  ancestors: t.field({
    type: [ResourceProvider],
    complexity: costOfList(2),
    extensions: readInPages('resourceProviders(filter: { inTree })'),
    description: 'All providers above: parent first, root last.',
    resolve: async (source, _args, { loaders }) =>
      (await loaders.providers.tree(source.rootId)).ancestors(source),
  }),
  descendants: t.field({
    type: [ResourceProvider],
    complexity: costOfList(8),
    extensions: readInPages('resourceProviders(filter: { inTree })'),
    description: `All providers below, without itself: depth first, by name. ${EVERY_TREE}`,
    args: {
      maxDepth: t.arg.int({
        description: 'How many levels down, from 1 (the children alone); all of them when nothing is said.',
      }),
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
    description:
      'The sharing providers outside its tree that its whole tree can draw on, by name: those in an aggregate that ' +
      'any provider of the tree is in, too.',
    resolve: (source, _args, { loaders }) => loaders.providers.sharingProviders(source.rootId),
  }),
}));

builder.objectFields(ResourceProvider, (t) => ({
  inventories: t.field({
    type: [Inventory],
    complexity: costOfList(3),
    description: 'What it offers: one inventory for each resource class, by the name of the class.',
    resolve: async (source, _args, { loaders }) =>
      (await loaders.inventories.of(source)).map((row) => ({ ...row, provider: source })),
  }),
  inventory: t.field({
    type: Inventory,
    nullable: true,
    description: 'What it offers of one resource class; null when it has no inventory of it.',
    args: { resourceClass: t.arg.string({ required: true, description: 'The name of the class.' }) },
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
    description:
      'How much is used of each class that it has an inventory of, 0 included, by the name of the class.',
    resolve: (source, _args, { loaders }) => loaders.inventories.of(source),
  }),
  traits: t.field({
    type: [Trait],
    complexity: costOfList(4),
    extensions: readInPages('traits(filter)'),
    description: 'Its own traits, by name. Traits are not inherited along the tree.',
    resolve: (source, _args, { loaders }) => loaders.traits.of(source),
  }),
  aggregates: t.field({
    type: [Aggregate],
    complexity: costOfList(2),
    extensions: readInPages('aggregates'),
    description: 'The aggregates that it is directly in, by uuid.',
    resolve: (source, _args, { loaders }) => loaders.aggregates.of(source),
  }),
  isSharing: t.boolean({
    description: `Whether it offers its resources to other trees: it has the trait ${SHARING_TRAIT}.`,
    resolve: async (source, _args, { loaders }) =>
      (await loaders.traits.of(source)).some(({ name }) => name === SHARING_TRAIT),
  }),
}));

/** A pass over the fleet, in memory. */
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
    description: 'A resource provider by its uuid or its name. Null if it is unknown.',
    args: { by: t.arg({ type: ProviderLookUp, required: true, description: 'The provider.' }) },
    resolve: (_root, { by }, { loaders }) =>
      by.uuid != null ? loaders.providers.byUuid(by.uuid) : loaders.providers.byName(by.name!),
  }),
  resourceProviders: t.field({
    authScopes: READERS,
    type: ResourceProviderConnection,
    complexity: ({ filter, orderBy, ...page }) => ({
      ...costOfPage(page),
      field: 1 + 10 * entriesIn(filter) + (filter != null || orderBy.length > 0 ? COST_OF_LISTING : 0),
    }),
    description:
      'Resource providers by name, or as `orderBy` says, page by page. The answer includes every transaction that a ' +
      'server committed before the query began, and writes of other programs within two seconds. Each page is of ' +
      'one moment: a cursor marks a place in the order, so that what does not change its place between two pages comes ' +
      'exactly once. An unknown trait or resource class, an empty list of alternatives, a field given twice in `orderBy`, ' +
      'a cursor of another order and a page that is too large are INVALID_INPUT.',
    args: {
      filter: t.arg({ type: ResourceProviderFilter, description: 'Which providers; without it, all.' }),
      orderBy: t.arg({
        type: [ResourceProviderOrderInput],
        required: true,
        defaultValue: [],
        description:
          'What comes first; the first entry that tells two providers apart decides, and behind them all the uuid. At most ' +
          '16 entries, each field of a class once. Empty: by name.',
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { filter, orderBy, ...args }, { snapshots, operation }) => {
      const order = orderBy.length === 0 ? BY_NAME : orderOfKeys<ListedProvider>(orderBy);
      const page = pageOf(order, args);
      const { snapshot, rows, count } = await listFromSnapshot(
        snapshots,
        filter ?? {},
        orderBy,
        boundsOf(page),
        operation,
      );
      const found = rows.map((row) => new ListedProvider(snapshot, row));
      return connectionOf(order, page, found, count);
    },
  }),
}));
