import { builder } from '../builder.js';
import { ResourceClass } from '../refs.js';

/** How much is used of one class: of a provider, or of whatever the field that gives it says. */
export const Usage = builder
  .objectRef<{ readonly resourceClass: string; readonly used: number }>('Usage')
  .implement({
    description: 'How much of one resource class is used.',
    fields: (t) => ({
      resourceClass: t.field({
        type: ResourceClass,
        description: 'What is used.',
        resolve: ({ resourceClass }) => ({ name: resourceClass }),
      }),
      used: t.expose('used', { type: 'SafeInt', description: 'How much of it, in units of the class.' }),
    }),
  });
