import { freeOf, utilizationOf } from '../../domain/capacity.js';
import type { OrderEntry } from '../../domain/listing/listOrder.js';
import { validateOrder } from '../../domain/listing/listOrder.js';
import type { SortPlace } from '../../domain/listing/orderedPage.js';
import {
  TOTAL_ORDER_FIELDS,
  type Total,
  type TotalOrderField,
  type TotalsGrouping,
} from '../../engine/totals/totals.js';
import type { ProviderRef as SnapshotRef, Snapshot } from '../../engine/model/snapshot.js';
import { currentSnapshot } from '../../placement/candidateSearch.js';
import { addUpTotals, COST_OF_PASS, totalsOfTree } from '../../placement/totals.js';
import { boundsOf, connectionOf, orderOfKeys, pageOf } from '../../reads/paging/paging.js';
import { builder } from '../builder.js';
import { alternatives, directionField } from '../inputFields.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { costOfList } from '../cost/fieldCost.js';
import { readInPages } from '../cost/listLimit.js';
import { ListedProvider } from '../provider/listedProvider.js';
import { Aggregate, AggregateRef, ProviderRef, ResourceClass, ResourceProvider, Trait } from '../refs.js';
import { READERS } from '../access/rules.js';

export const FleetGrouping = builder.enumType('FleetGrouping', {
  description: 'What fleet totals are told apart by, besides the resource class.',
  values: {
    TREE: { description: 'By tree: a row for each root and class. The group is the name of the root.' },
    AGGREGATE: {
      description:
        'By aggregate: a provider counts in each aggregate that it or the root of its tree is in, so that the rows may add ' +
        'up to more than there is. The group is the uuid of the aggregate.',
    },
    TRAIT: {
      description:
        'By trait: a provider counts for each trait that it or the root of its tree has, so that the rows may add up to more ' +
        'than there is. The group is the name of the trait.',
    },
  },
});

export const FleetTotalsFilter = builder.inputType('FleetTotalsFilter', {
  description:
    'Which providers to add up. All given conditions must hold. A provider counts with its own traits and aggregates and ' +
    'with those of the root of its tree, so that what a host has counts for its NUMA nodes.',
  fields: (t) => ({
    inTree: t.field({
      type: ProviderRef,
      description: 'Only the tree of this provider. An unknown uuid has no totals.',
    }),
    memberOf: alternatives(
      t,
      AggregateRef,
      'Providers in at least one aggregate of each inner list. An unknown uuid matches no provider.',
    ),
    requiredTraits: alternatives(
      t,
      'String',
      'Providers that have, for each of the inner lists, at least one of its traits.',
    ),
    resourceClass: t.string({ description: 'Only this resource class.' }),
  }),
});

const TOTAL_ORDER_MEANINGS: Readonly<Record<TotalOrderField, string>> = {
  GROUP: 'By the name of the group.',
  RESOURCE_CLASS: 'By the name of the resource class.',
  CAPACITY: 'By how much may be in use.',
  USED: 'By how much is in use.',
  AVAILABLE: 'By what is left: capacity - used.',
  UTILIZATION: 'By the share that is in use: used / capacity. Rows without capacity come last.',
  PROVIDER_COUNT: 'By how many providers have an inventory of the class.',
};

const FleetTotalOrderField = builder.enumType('FleetTotalOrderField', {
  description: 'What totals can be ordered by.',
  values: Object.fromEntries(
    TOTAL_ORDER_FIELDS.map((field) => [field, { description: TOTAL_ORDER_MEANINGS[field] }]),
  ) as Record<TotalOrderField, { description: string }>,
});

const FleetTotalOrderInput = builder.inputType('FleetTotalOrderInput', {
  description: 'What comes first in a list of totals.',
  fields: (t) => ({
    field: t.field({ type: FleetTotalOrderField, required: true, description: 'By what.' }),
    direction: directionField(t),
  }),
});

export interface FleetTotalRow extends Total {
  readonly grouping: TotalsGrouping | null;
}

interface Row extends FleetTotalRow {
  readonly place: SortPlace;
}

export const FleetTotal = builder.objectRef<FleetTotalRow>('FleetTotal').implement({
  description: 'What the providers of a group offer, and have in use, of one resource class.',
  fields: (t) => ({
    group: t.string({
      nullable: true,
      description:
        'What the row is of: the name of a root, the uuid of an aggregate, the name of a trait; null for the whole.',
      resolve: ({ group, grouping }) => (grouping === null ? null : group),
    }),
    groupName: t.string({
      nullable: true,
      description:
        'What people call that: the same, but the name of an aggregate where it has one. Null for the whole.',
      resolve: async ({ group, grouping }, _args, { loaders }) => {
        if (grouping === null) return null;
        return (grouping === 'AGGREGATE' ? await loaders.aggregateNames.load(group) : null) ?? group;
      },
    }),
    root: t.field({
      type: ResourceProvider,
      nullable: true,
      description:
        'The root of the tree, where totals are by tree. Its id, uuid, name and generation cost no database read.',
      resolve: ({ root }) => root && new SnapshotProvider(root),
    }),
    aggregate: t.field({
      type: Aggregate,
      nullable: true,
      description: 'The aggregate, where totals are by aggregate.',
      resolve: ({ group, grouping }) => (grouping === 'AGGREGATE' ? { uuid: group } : null),
    }),
    trait: t.field({
      type: Trait,
      nullable: true,
      description: 'The trait, where totals are by trait.',
      resolve: ({ group, grouping }) => (grouping === 'TRAIT' ? { name: group } : null),
    }),
    resourceClass: t.field({
      type: ResourceClass,
      description: 'What is added up.',
      resolve: ({ resourceClass }) => ({ name: resourceClass }),
    }),
    capacity: t.expose('capacity', { type: 'SafeInt', description: 'How much may be in use, in all.' }),
    used: t.expose('used', { type: 'SafeInt', description: 'How much is in use, in all.' }),
    available: t.field({
      type: 'SafeInt',
      description: 'capacity - used. Negative where more is in use than there is capacity.',
      resolve: freeOf,
    }),
    utilization: t.float({
      nullable: true,
      description: 'used / capacity: 0 is idle, 1 is full. Null when the capacity is 0.',
      resolve: utilizationOf,
    }),
    providerCount: t.int({
      description: 'How many providers have an inventory of the class.',
      resolve: ({ providers }) => providers,
    }),
  }),
});

const FleetTotalConnection = connectionType(FleetTotal, {
  one: 'A total',
  many: 'totals',
  order: 'group, then resource class, unless ordered otherwise',
});

builder.queryField('fleetTotals', (t) =>
  t.field({
    authScopes: READERS,
    type: FleetTotalConnection,
    complexity: (args) => ({ ...costOfPage(args), field: COST_OF_PASS }),
    description:
      'What the fleet offers, and has in use, of each resource class: one row for each class, or for each group and class. ' +
      'What dashboards plot. Every transaction committed before the query began counts. Answered from memory. Use of ' +
      'which a provider has no inventory is not in it: the audit finds that. An unknown trait or resource class, an empty ' +
      'list of alternatives, a page that is too large and a bad cursor are INVALID_INPUT.',
    args: {
      filter: t.arg({ type: FleetTotalsFilter, description: 'Which providers; without it, all.' }),
      groupBy: t.arg({
        type: FleetGrouping,
        description: 'What to tell apart; without it, nothing but the class.',
      }),
      orderBy: t.arg({
        type: [FleetTotalOrderInput],
        required: true,
        defaultValue: [],
        description:
          'What comes first; the first entry that tells two rows apart decides, and behind them all the group and the class.',
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { filter, groupBy, orderBy, ...args }, { snapshots, operation }) => {
      validateOrder<TotalOrderField>(
        orderBy,
        () => false,
        () => false,
      );
      const order = orderOfTotals(orderBy);
      const page = pageOf(order, args);
      const grouping = groupBy ?? null;
      const { placedRows, count } = await addUpTotals(
        snapshots,
        {
          filter: filter ?? {},
          grouping,
          orderBy: orderBy.map(({ field, direction }) => ({ field, isDescending: direction === 'DESC' })),
        },
        boundsOf(page),
        operation,
      );
      const found = placedRows.map(({ item, place }): Row => ({ ...item, grouping, place }));
      return connectionOf(order, page, found, () => Promise.resolve(count));
    },
  }),
);

/** A row is told from all others by its group and its class. */
function orderOfTotals(orderBy: readonly OrderEntry<TotalOrderField>[]) {
  return orderOfKeys<Row>(orderBy, orderBy.length + 2);
}

builder.objectField(ResourceProvider, 'treeTotals', (t) =>
  t.field({
    type: [FleetTotal],
    complexity: costOfList(3),
    extensions: readInPages('fleetTotals(filter: { inTree })'),
    description:
      'What the whole tree that it is in offers, and has in use, by the name of the class: its row of fleetTotals by tree. In a ' +
      'list that is answered from memory it is of the same moment as the list. An unknown resource class is INVALID_INPUT.',
    args: { resourceClass: t.arg.string({ description: 'Only this resource class.' }) },
    resolve: (source, { resourceClass }, { snapshots, operation }) =>
      source instanceof ListedProvider
        ? totalsIn(source.snapshot, source.provider, resourceClass)
        : currentSnapshot(snapshots, operation).then((snapshot) => {
            const provider = snapshot.locate(source.uuid);
            return provider === undefined ? [] : totalsIn(snapshot, provider, resourceClass);
          }),
  }),
);

function totalsIn(snapshot: Snapshot, provider: SnapshotRef, resourceClass: string | null | undefined) {
  const totals = totalsOfTree(snapshot, provider, resourceClass ?? null);
  return totals.map((total) => ({ ...total, grouping: 'TREE' as const }));
}
