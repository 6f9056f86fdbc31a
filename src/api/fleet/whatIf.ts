import type { TreesInput as Trees } from '../../search/trees.js';
import { MAX_CHANGED_TREES, MAX_FACTOR, modifiedSource } from '../../moves/whatIf.js';
import { builder } from '../builder.js';
import { costOfEntries } from '../cost/fieldCost.js';
import type { Context } from '../context.js';
import { optional, optionalList, required, withDefault } from '../inputFields.js';
import { AggregateRef, ProviderRef } from '../refs.js';

export const TreesInput = builder.inputType('TreesInput', {
  description: 'Some trees. Unknown uuids fail with INVALID_INPUT.',
  isOneOf: true,
  fields: () => ({
    providers: optional([ProviderRef], 'One provider of each tree, at least one.'),
    aggregate: optional(AggregateRef, 'All trees with a provider directly in the aggregate.'),
  }),
});

export function treesOf({ providers, aggregate }: typeof TreesInput.$inferInput): Trees {
  return providers ? { providers } : { aggregate };
}

const AddedTreesInput = builder.inputType('AddedTreesInput', {
  description: 'Copies of a tree, without allocations.',
  fields: () => ({
    copyOf: required(ProviderRef, 'Any provider of the tree.'),
    count: withDefault('Int', 1, `The number of copies, from 1 to ${MAX_CHANGED_TREES}. Defaults to 1.`),
  }),
});

const ScaledClassInput = builder.inputType('ScaledClassInput', {
  description: 'A factor for the capacity of a resource class. Units and allocations stay as they are.',
  fields: () => ({
    resourceClass: required('String', 'The name of the class, each once.'),
    factor: required('Float', `The factor, from 0 to ${MAX_FACTOR}. Capacities are rounded down.`),
  }),
});

const WhatIfInput = builder.inputType('WhatIfInput', {
  description:
    'A modified fleet to search in: copies are added, then trees removed, then capacities scaled. ' +
    `More than ${MAX_CHANGED_TREES} trees fail with INVALID_INPUT.`,
  fields: () => ({
    remove: optional(TreesInput, 'Trees to remove, with the allocations on them.'),
    add: optionalList(AddedTreesInput, 'Trees to copy.'),
    scale: optionalList(ScaledClassInput, 'Capacities to scale, of all providers.'),
  }),
});

/** The argument `whatIf` of a search. */
export const WHAT_IF = optional(WhatIfInput, 'The fleet to search in. Defaults to the current one.');

type Input = typeof WhatIfInput.$inferInput | null | undefined;

/** The cost of a modified fleet. */
const COST_OF_WHAT_IF = 1000;

export function costOfWhatIf(whatIf: Input): number {
  return whatIf == null ? 0 : COST_OF_WHAT_IF + costOfEntries(whatIf);
}

/** Returns a context whose searches see the modified fleet. */
export function contextWith(context: Context, whatIf: Input): Context {
  if (whatIf == null) return context;
  const remove = whatIf.remove ? treesOf(whatIf.remove) : null;
  const { snapshots, operation } = context;
  return { ...context, snapshots: modifiedSource(snapshots, { ...whatIf, remove }, operation) };
}
