import { MAX_CHANGED_TREES, MAX_FACTOR, modifiedSource } from '../../placement/whatIf.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { optionalList } from '../inputFields.js';
import { ProviderRef } from '../refs.js';
import { TreesInput, treesOf } from './treesInput.js';

const AddedTreesInput = builder.inputType('AddedTreesInput', {
  description: 'Copies of a tree, without allocations.',
  fields: (t) => ({
    copyOf: t.field({ type: ProviderRef, required: true, description: 'Any provider of the tree.' }),
    count: t.int({
      required: true,
      defaultValue: 1,
      description: `The number of copies, from 1 to ${MAX_CHANGED_TREES}. Defaults to 1.`,
    }),
  }),
});

const ScaledClassInput = builder.inputType('ScaledClassInput', {
  description: 'A factor for the capacity of a resource class. Units and allocations stay as they are.',
  fields: (t) => ({
    resourceClass: t.string({ required: true, description: 'The name of the class, each once.' }),
    factor: t.float({
      required: true,
      description: `The factor, from 0 to ${MAX_FACTOR}. Capacities are rounded down.`,
    }),
  }),
});

const WhatIfInput = builder.inputType('WhatIfInput', {
  description:
    'A modified fleet to search in: copies are added, then trees removed, then capacities scaled. ' +
    `More than ${MAX_CHANGED_TREES} trees fail with INVALID_INPUT.`,
  fields: (t) => ({
    remove: t.field({ type: TreesInput, description: 'Trees to remove, with the allocations on them.' }),
    add: optionalList(t, AddedTreesInput, 'Trees to copy.'),
    scale: optionalList(t, ScaledClassInput, 'Capacities to scale, of all providers.'),
  }),
});

/** The description of the argument `whatIf` of a search. */
export const WHAT_IF = {
  type: WhatIfInput,
  description: 'The fleet to search in. Defaults to the current one.',
} as const;

type Input = typeof WhatIfInput.$inferInput | null | undefined;

/** The cost of a modified fleet. */
const COST_OF_WHAT_IF = 1000;

export function costOfWhatIf(whatIf: Input): number {
  return whatIf == null ? 0 : COST_OF_WHAT_IF;
}

/** Returns a context whose searches see the modified fleet. */
export function contextWith(context: Context, whatIf: Input): Context {
  if (whatIf == null) return context;
  const remove = whatIf.remove ? treesOf(whatIf.remove) : null;
  const { snapshots, operation } = context;
  return { ...context, snapshots: modifiedSource(snapshots, { ...whatIf, remove }, operation) };
}
