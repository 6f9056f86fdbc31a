import { freeOf, utilizationOf } from '../../domain/capacity.js';
import type { OrderEntry } from '../../domain/listing/listOrder.js';
import { validateOrder } from '../../domain/listing/listOrder.js';
import type { SortPlace } from '../../domain/listing/orderedPage.js';
import { type Total, type TotalOrderField, type TotalsGrouping } from '../../engine/totals/totals.js';
import type { ProviderRef as SnapshotRef, Snapshot } from '../../engine/model/snapshot.js';
import { currentSnapshot } from '../../placement/candidateSearch.js';
import { addUpTotals, COST_OF_PASS, totalsOf, totalsOfTree } from '../../placement/totals.js';
import { boundsOf, connectionOf, orderOfKeys, pageOf } from '../../reads/paging/paging.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { alternatives } from '../inputFields.js';
import { entriesOf, orderInput } from '../orderInput.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { costOfList } from '../cost/fieldCost.js';
import { readInPages } from '../cost/listLimit.js';
import { ListedProvider } from '../provider/listedProvider.js';
import { Aggregate, AggregateRef, ProviderRef, CLASS_BY_NAME, ResourceProvider, Trait } from '../refs.js';
import { READERS } from '../access/rules.js';

export const FleetGrouping = builder.enumType('FleetGrouping', {
  description: 'How fleet totals are grouped, besides by resource class.',
  values: {
    TREE: { description: 'One group per tree.' },
    AGGREGATE: {
      description:
        'One group per aggregate. A provider counts in each of its aggregates and of those of its root.',
    },
    TRAIT: {
      description: 'One group per trait. A provider counts in each of its traits and of those of its root.',
    },
  },
});

export const FleetTotalsFilter = builder.inputType('FleetTotalsFilter', {
  description: 'Conditions on providers. All must hold. Traits and aggregates of a root count for its tree.',
  fields: (t) => ({
    resourceClass: t.string({ description: 'Only this resource class.' }),
    inTree: t.field({ type: ProviderRef, description: 'Only providers in the tree of this provider.' }),
    memberOf: alternatives(t, AggregateRef, 'Providers in an aggregate of each inner list.'),
    requiredTraits: alternatives(t, 'String', 'Providers with a trait of each inner list.'),
  }),
});

const FleetTotalOrderInput = orderInput<TotalOrderField>('FleetTotalOrderInput', {
  description: 'A sort key of a list of totals.',
  keys: {
    group: "By the name of the tree or trait, or by the aggregate's uuid.",
    resourceClass: 'By the name of the resource class.',
    capacity: 'By capacity.',
    used: 'By usage.',
    available: 'By capacity - used.',
    utilization: 'By used / capacity.',
    providerCount: 'By the number of providers.',
  },
  classKeys: {},
});

export interface FleetTotalRow extends Total {
  readonly grouping: TotalsGrouping | null;
}

interface Row extends FleetTotalRow {
  readonly place: SortPlace;
}

const FleetGroup = builder.unionType('FleetGroup', {
  types: [ResourceProvider, Aggregate, Trait],
  description: 'The root of a tree, an aggregate or a trait.',
  resolveType: (group) =>
    group instanceof SnapshotProvider ? ResourceProvider : 'uuid' in group ? Aggregate : Trait,
});

export const FleetTotal = builder.objectRef<FleetTotalRow>('FleetTotal').implement({
  description: 'The capacity and usage of one resource class in a group of providers.',
  fields: (t) => ({
    resourceClass: t.field(CLASS_BY_NAME),
    group: t.field({
      type: FleetGroup,
      nullable: true,
      description: 'The group. Null without `groupBy`.',
      resolve: ({ group, grouping, root }) =>
        root !== null
          ? new SnapshotProvider(root)
          : grouping === 'AGGREGATE'
            ? { uuid: group }
            : grouping === 'TRAIT'
              ? { name: group }
              : null,
    }),
    providerCount: t.int({
      description: 'The number of providers with an inventory of the class.',
      resolve: ({ providers }) => providers,
    }),
    capacity: t.expose('capacity', { type: 'SafeInt', description: 'The sum of the capacities.' }),
    used: t.expose('used', { type: 'SafeInt', description: 'The sum of the allocations.' }),
    available: t.field({
      type: 'SafeInt',
      description: 'capacity - used. May be negative.',
      resolve: freeOf,
    }),
    utilization: t.float({
      nullable: true,
      description: 'used / capacity. Null if the capacity is 0.',
      resolve: utilizationOf,
    }),
  }),
});

const FleetTotalConnection = connectionType(FleetTotal, {
  one: 'A total',
  many: 'totals',
  order: 'group, then resource class, by default',
});

builder.queryField('fleetTotals', (t) =>
  t.field({
    authScopes: READERS,
    type: FleetTotalConnection,
    nullable: true,
    complexity: (args) => ({ ...costOfPage(args), field: COST_OF_PASS }),
    description:
      'The capacity and usage of the fleet by resource class, or by group and class. Includes every ' +
      'earlier commit.',
    args: {
      filter: t.arg({ type: FleetTotalsFilter, description: 'Defaults to all providers.' }),
      groupBy: t.arg({ type: FleetGrouping, description: 'Defaults to the fleet as one group.' }),
      orderBy: t.arg({
        type: [FleetTotalOrderInput],
        required: true,
        defaultValue: [],
        description: 'The most significant first; ties are sorted by group and class.',
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { filter, groupBy, orderBy, ...args }, { snapshots, operation }) => {
      const entries = entriesOf(orderBy);
      validateOrder(entries, () => false);
      const order = orderOfTotals(entries);
      const page = pageOf(order, args);
      const grouping = groupBy ?? null;
      const { placedRows, count } = await addUpTotals(
        snapshots,
        {
          filter: filter ?? {},
          grouping,
          orderBy: entries.map(({ field, direction }) => ({ field, isDescending: direction === 'DESC' })),
        },
        boundsOf(page),
        operation,
      );
      const found = placedRows.map(({ item, place }): Row => ({ ...item, grouping, place }));
      return connectionOf(order, page, found, () => Promise.resolve(count));
    },
  }),
);

/** Adds two keys to the cursor: the group and the class, which identify a row. */
function orderOfTotals(orderBy: readonly OrderEntry<TotalOrderField>[]) {
  return orderOfKeys<Row>(orderBy, orderBy.length + 2);
}

/** Returns a field of the totals of a fleet by resource class, without some trees. */
export function totalsField<Source>(
  description: string,
  fleetOf: (source: Source) => { readonly snapshot: Snapshot; readonly without?: ReadonlySet<number> },
) {
  return {
    type: [FleetTotal] as [typeof FleetTotal],
    complexity: { field: COST_OF_PASS, multiplier: 10 },
    description,
    resolve: async (source: Source, _args: object, { operation }: Context) => {
      const { snapshot, without = new Set() } = fleetOf(source);
      const totals = await totalsOf(snapshot, without, operation);
      return totals.map((total) => ({ ...total, grouping: null }));
    },
  };
}

builder.objectField(ResourceProvider, 'treeTotals', (t) =>
  t.field({
    type: [FleetTotal],
    complexity: costOfList(3),
    extensions: readInPages('fleetTotals(filter: { inTree })'),
    description: 'The totals of the tree, by class name.',
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
