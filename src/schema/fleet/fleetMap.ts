import {
  aggregatesOf,
  traitsOf,
  type FleetMap as FleetMapColumns,
  type FleetMapGroup as Group,
  type TotalsGrouping,
} from '../../engine/totals/totals.js';
import { COST_OF_PASS, fleetMapOf } from '../../placement/totals.js';
import { READERS } from '../access/rules.js';
import { builder } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { SIZES_LISTS } from '../cost/operationCost.js';
import { Aggregate, ProviderRef, Trait } from '../refs.js';

const FleetMapGroup = builder
  .objectRef<Group & { readonly grouping: TotalsGrouping }>('FleetMapGroup')
  .implement({
    description: 'Trees of a map that have an aggregate or a trait in common.',
    fields: (t) => ({
      aggregate: t.field({
        type: Aggregate,
        nullable: true,
        description: 'The aggregate that a provider of each tree is in; null in a group by trait.',
        resolve: ({ name, grouping }) => (grouping === 'AGGREGATE' ? { uuid: name } : null),
      }),
      trait: t.field({
        type: Trait,
        nullable: true,
        description: 'The trait that a provider of each tree has; null in a group by aggregate.',
        resolve: ({ name, grouping }) => (grouping === 'TRAIT' ? { name } : null),
      }),
      trees: t.expose('trees', {
        type: ['Int'],
        description: 'The positions of the trees in the columns of the map, from 0, ascending.',
      }),
    }),
  });

const FleetMap = builder.objectRef<FleetMapColumns>('FleetMap').implement({
  description: 'Trees in columns: what is at a position of one list belongs to what is there in the others.',
  fields: (t) => ({
    names: t.field({
      type: ['String'],
      description: 'The names of the roots: all trees by name, chosen ones in the order of the choice.',
      resolve: ({ trees }) => trees.map(({ group }) => group),
    }),
    capacities: t.field({
      type: ['SafeInt'],
      description: 'How much may be in use in each tree.',
      resolve: ({ trees }) => trees.map(({ capacity }) => capacity),
    }),
    used: t.field({
      type: ['SafeInt'],
      description: 'How much is in use in each tree.',
      resolve: ({ trees }) => trees.map(({ used }) => used),
    }),
    aggregates: t.field({
      type: [FleetMapGroup],
      complexity: COUNTED_ABOVE,
      description: 'A group for each aggregate that any provider of the trees is in, in no particular order.',
      resolve: (map) => aggregatesOf(map).map((group) => ({ ...group, grouping: 'AGGREGATE' as const })),
    }),
    traits: t.field({
      type: [FleetMapGroup],
      complexity: COUNTED_ABOVE,
      description:
        'A group for each of these traits, with the trees in which any provider has it. An unknown trait, and one that is there ' +
        'twice, are INVALID_INPUT.',
      args: {
        names: t.arg.stringList({ required: true, description: 'Which traits.' }),
      },
      resolve: (map, { names }) =>
        traitsOf(map, names).map((group) => ({ ...group, grouping: 'TRAIT' as const })),
    }),
  }),
});

builder.queryField('fleetMap', (t) =>
  t.field({
    authScopes: READERS,
    type: FleetMap,
    extensions: SIZES_LISTS,
    complexity: { field: COST_OF_PASS, multiplier: 100 },
    description:
      'How much every tree offers, and has in use, of one resource class: those that have an inventory of it, all of them at once and ' +
      'in columns, so that ten thousand hosts are one short answer. What fleetTotals by tree tells page by page. Every transaction ' +
      'committed before the query began counts. Answered from memory. An unknown resource class, and more than 1024 providers in ' +
      'inTrees, are INVALID_INPUT.',
    args: {
      resourceClass: t.arg.string({ required: true, description: 'The name of the class.' }),
      inTrees: t.arg({
        type: [ProviderRef],
        required: true,
        defaultValue: [],
        description: 'Only the trees of these providers; unknown uuids are ignored. Defaults to all trees.',
      }),
    },
    resolve: (_root, { resourceClass, inTrees }, { snapshots, operation }) =>
      fleetMapOf(snapshots, { resourceClass, inTrees }, operation),
  }),
);
