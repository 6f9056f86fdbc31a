import { freeOf } from '../../domain/capacity.js';
import type { Total, TotalKey, TotalsGrouping } from '../../engine/totals/totals.js';
import { addUpTotals } from '../../placement/totals.js';
import { connectionOf, pageOf, type ListOrder } from '../../reads/paging/paging.js';
import { builder } from '../builder.js';
import { alternatives } from '../inputFields.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { utilization } from '../provider/usage.js';
import { Aggregate, ResourceClass, ResourceProvider, Trait } from '../refs.js';
import { READERS } from '../access/rules.js';

const FleetGrouping = builder.enumType('FleetGrouping', {
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

const FleetTotalsFilter = builder.inputType('FleetTotalsFilter', {
  description:
    'Which providers to add up. All given conditions must hold. A provider counts with its own traits and aggregates and ' +
    'with those of the root of its tree, so that what a host has counts for its NUMA nodes.',
  fields: (t) => ({
    inTree: t.field({
      type: 'UUID',
      description:
        'Only the tree that this provider, any of its members, is in. An unknown uuid has no totals.',
    }),
    memberOf: alternatives(
      t,
      'UUID',
      'Providers that are, for each of the inner lists, in at least one of its aggregates. Unknown aggregates have no ' +
        'members.',
    ),
    requiredTraits: alternatives(
      t,
      'String',
      'Providers that have, for each of the inner lists, at least one of its traits.',
    ),
    resourceClass: t.string({ description: 'Only this resource class.' }),
  }),
});

type Row = Total & { readonly grouping: TotalsGrouping | null };

const FleetTotal = builder.objectRef<Row>('FleetTotal').implement({
  description: 'What the providers of a group offer, and have in use, of one resource class.',
  fields: (t) => ({
    group: t.string({
      nullable: true,
      description:
        'What the row is of: the name of a root, the uuid of an aggregate, the name of a trait; null for the whole.',
      resolve: ({ group, grouping }) => (grouping === null ? null : group),
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
      resolve: utilization,
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
  order: 'group, then resource class',
});

/** A pass over the whole fleet, in memory. */
const COST_OF_PASS = 10_000;

builder.queryField('fleetTotals', (t) =>
  t.field({
    authScopes: READERS,
    type: FleetTotalConnection,
    nullable: true,
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
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { filter, groupBy, ...args }, { snapshots, operation }) => {
      const page = pageOf(ORDER, args);
      const grouping = groupBy ?? null;
      const { rows, count } = await addUpTotals(
        snapshots,
        { filter: filter ?? {}, grouping },
        { after: page.after, limit: page.size + 1 },
        operation,
      );
      const found = rows.map((total): Row => ({ ...total, grouping }));
      return connectionOf(ORDER, page, found, () => Promise.resolve(count));
    },
  }),
);

/** A resource class has no space in its name; a provider may. */
const ORDER: ListOrder<Total, TotalKey> = {
  pattern: /^total:([^ ]*) (.*)$/s,
  place: (resourceClass, group) => ({ group, resourceClass }),
  cursor: ({ group, resourceClass }) => `total:${resourceClass} ${group}`,
};
