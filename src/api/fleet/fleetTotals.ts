import { validateOrder } from '../../model/listing/listOrder.js';
import type { SortPlace } from '../../model/listing/orderedPage.js';
import type { Total, TotalOrderField, TotalsGrouping } from '../../search/totals/totals.js';
import type { ProviderRef as SnapshotRef, Snapshot } from '../../fleet/snapshot.js';
import { currentSnapshot } from '../../search/candidateSearch.js';
import { addUpTotals, COST_OF_PASS, totalsOf, totalsOfTree } from '../../search/totals/currentTotals.js';
import { boundsOf, connectionOf, orderOfKeys, pageOf } from '../paging/paging.js';
import { builder, meanings, objectType, query } from '../builder.js';
import type { Context } from '../context.js';
import { alternatives, optional, optionalList } from '../inputFields.js';
import { entriesOf, orderInput } from '../orderInput.js';
import { ListedProvider, SnapshotProvider } from '../candidates/snapshotProvider.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { Aggregate, AggregateRef, CLASS_BY_NAME, ProviderRef, ResourceProvider, Trait } from '../refs.js';
import { UTILIZATION } from '../sharedFields.js';
import { costOfEntries, readInPages } from '../cost/operationCost.js';

const FleetGrouping = builder.enumType('FleetGrouping', {
  description: 'How fleet totals are grouped, besides by resource class.',
  values: meanings({
    TREE: 'One group per tree.',
    AGGREGATE:
      'One group per aggregate. A provider counts in each of its aggregates and of those of its root.',
    TRAIT: 'One group per trait. A provider counts in each of its traits and of those of its root.',
  }),
});

const FleetTotalsFilter = builder.inputType('FleetTotalsFilter', {
  description: 'Conditions on providers. All must hold. Traits and aggregates of a root count for its tree.',
  fields: () => ({
    resourceClass: optional('String', 'Only this resource class.'),
    inTree: optional(ProviderRef, 'Only providers in the tree of this provider.'),
    memberOf: alternatives(AggregateRef, 'Providers in an aggregate of each inner list.'),
    requiredTraits: alternatives('String', 'Providers with a trait of each inner list.'),
  }),
});

/** The arguments of the totals and of their changes. */
export const TOTALS_ARGUMENTS = {
  filter: optional(FleetTotalsFilter, 'Defaults to all providers.'),
  groupBy: optional(FleetGrouping, 'Defaults to the fleet as one group.'),
};

const FleetTotalOrderInput = orderInput<TotalOrderField>('FleetTotalOrderInput', {
  description: 'A sort key of a list of totals.',
  keys: {
    group: "By the name of the tree or trait, or by the aggregate's uuid.",
    resourceClass: 'By the name of the resource class.',
    capacity: 'By capacity.',
    used: 'By usage.',
    available: 'By the free amount.',
    utilization: 'By used / capacity.',
    providerCount: 'By the number of providers.',
  },
  classKeys: {},
});

interface FleetTotalRow extends Total {
  readonly grouping: TotalsGrouping | null;
}

interface CountedRow extends FleetTotalRow {
  readonly place: SortPlace;
}

const FleetGroup = builder.unionType('FleetGroup', {
  types: [ResourceProvider, Aggregate, Trait],
  description: 'The root of a tree, an aggregate or a trait.',
  resolveType: (group) =>
    group instanceof SnapshotProvider ? ResourceProvider : 'uuid' in group ? Aggregate : Trait,
});

export const FleetTotal = objectType<FleetTotalRow>('FleetTotal', {
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
    providerCount: t.exposeInt('providers', {
      description: 'The number of providers with an inventory of the class.',
    }),
    capacity: t.expose('capacity', { type: 'SafeInt', description: 'The sum of the capacities.' }),
    used: t.expose('used', { type: 'SafeInt', description: 'The sum of the allocations.' }),
    available: t.expose('available', {
      type: 'SafeInt',
      description:
        'The sum of the free amounts. Counters limit that of each partition. Inventories over capacity count as 0.',
    }),
    allowedUsage: t.expose('allowedUsage', {
      type: 'SafeInt',
      description: 'The sum of `Inventory.allowedUsage`.',
    }),
    utilization: t.field(UTILIZATION),
  }),
});

const FleetTotalConnection = connectionType(FleetTotal, {
  one: 'A total',
  many: 'totals',
  order: 'group, then resource class, by default',
});

query('fleetTotals', {
  type: FleetTotalConnection,
  complexity: ({ filter, ...page }) => ({
    ...costOfPage(page),
    field: COST_OF_PASS + costOfEntries(filter),
  }),
  description:
    'The capacity and usage of the fleet by resource class, or by group and class. Includes every ' +
    'earlier commit.',
  args: {
    ...TOTALS_ARGUMENTS,
    orderBy: optionalList(
      FleetTotalOrderInput,
      'The most significant first; ties are sorted by group and class.',
    ),
    ...PAGE_ARGUMENTS,
  },
  resolve: async (_root, { filter, groupBy, orderBy, ...args }, { snapshots, operation }) => {
    const entries = entriesOf(orderBy);
    validateOrder(entries, () => false);
    const order = orderOfKeys<CountedRow>(entries, entries.length + 2); // the group and the class identify a row
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
    const found = placedRows.map(({ item, place }): CountedRow => ({ ...item, grouping, place }));
    return connectionOf(order, page, found, () => Promise.resolve(count));
  },
});

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
    ...readInPages(3, 'fleetTotals(filter: { inTree })'),
    description: 'The totals of the tree, by class name.',
    args: { resourceClass: optional('String', 'Only this resource class.') },
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
