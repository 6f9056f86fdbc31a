import type { TreesInput as Trees } from '../../placement/trees.js';
import { builder } from '../builder.js';
import { AggregateRef, ProviderRef } from '../refs.js';

export const TreesInput = builder.inputType('TreesInput', {
  description: 'Some trees. Unknown uuids fail with INVALID_INPUT.',
  isOneOf: true,
  fields: (t) => ({
    providers: t.field({ type: [ProviderRef], description: 'One provider of each tree, at least one.' }),
    aggregate: t.field({
      type: AggregateRef,
      description: 'All trees with a provider directly in the aggregate.',
    }),
  }),
});

export function treesOf({ providers, aggregate }: typeof TreesInput.$inferInput): Trees {
  return providers ? { providers } : { aggregate };
}
