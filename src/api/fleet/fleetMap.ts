import type { FleetMap as FleetMapColumns, FleetMapGroup as Group } from '../../search/totals/fleetMap.js';
import { aggregatesOfMap, COST_OF_PASS, fleetMapOf, traitsOfMap } from '../../search/totals/currentTotals.js';
import { objectType, query } from '../builder.js';
import { optionalList, required } from '../inputFields.js';
import { costOfList, COUNTED_ABOVE, SIZES_LISTS } from '../cost/operationCost.js';
import { Aggregate, ProviderRef, Trait } from '../refs.js';

const FleetMapGroup = objectType<Group>('FleetMapGroup', {
  description: 'The trees of a map that share an aggregate or a trait.',
  fields: (t) => ({
    aggregate: t.field({
      type: Aggregate,
      nullable: true,
      description: 'The aggregate that contains a provider of each tree. Null for a trait.',
      resolve: ({ name, grouping }) => (grouping === 'AGGREGATE' ? { uuid: name } : null),
    }),
    trait: t.field({
      type: Trait,
      nullable: true,
      description: 'The trait that a provider of each tree has. Null for an aggregate.',
      resolve: ({ name, grouping }) => (grouping === 'TRAIT' ? { name } : null),
    }),
    trees: t.expose('trees', {
      type: ['Int'],
      description: 'The positions of the trees in the columns, from 0, ascending.',
    }),
  }),
});

const FleetMap = objectType<FleetMapColumns>('FleetMap', {
  description: 'Capacity and usage in columns, for short answers: each column has one entry per tree.',
  fields: (t) => ({
    names: t.expose('names', {
      type: ['String'],
      description: 'The names of the roots, sorted, or in the order of `inTrees`.',
    }),
    capacities: t.field({
      type: ['SafeInt'],
      description: 'The capacity of each tree.',
      resolve: ({ sums }) => sums.capacity,
    }),
    used: t.field({
      type: ['SafeInt'],
      description: 'The usage of each tree.',
      resolve: ({ sums }) => sums.used,
    }),
    available: t.field({
      type: ['SafeInt'],
      description: 'The free amount of each tree. Counters limit that of each partition.',
      resolve: ({ sums }) => sums.available,
    }),
    allowedUsages: t.field({
      type: ['SafeInt'],
      description: 'The allowed usage of each tree.',
      resolve: ({ sums }) => sums.allowedUsage,
    }),
    aggregates: t.field({
      type: [FleetMapGroup],
      complexity: COUNTED_ABOVE,
      description: 'One group for each aggregate of the trees, unsorted.',
      resolve: (map, _args, { operation }) => aggregatesOfMap(map, operation),
    }),
    traits: t.field({
      type: [FleetMapGroup],
      complexity: ({ names }) => costOfList(names.length),
      description: 'One group for each of these traits.',
      args: {
        names: required(['String'], 'The names of the traits, each once.'),
      },
      resolve: (map, { names }, { operation }) => traitsOfMap(map, names, operation),
    }),
  }),
});

query('fleetMap', {
  type: FleetMap,
  extensions: SIZES_LISTS,
  complexity: { field: COST_OF_PASS, multiplier: 100 },
  description:
    'The capacity and usage of one resource class by tree, in columns. Includes every earlier commit.',
  args: {
    resourceClass: required('String', 'The name of the resource class.'),
    inTrees: optionalList(ProviderRef, 'The trees of these providers, at most 1024. Defaults to all trees.'),
  },
  resolve: (_root, { resourceClass, inTrees }, { snapshots, operation }) =>
    fleetMapOf(snapshots, { resourceClass, inTrees }, operation),
});
