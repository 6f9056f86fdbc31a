import { builder } from '../builder.js';
import { CLASS_BY_NAME } from '../refs.js';

export const Usage = builder
  .objectRef<{ readonly resourceClass: string; readonly used: number }>('Usage')
  .implement({
    description: 'The usage of one resource class.',
    fields: (t) => ({
      resourceClass: t.field(CLASS_BY_NAME),
      used: t.expose('used', {
        type: 'SafeInt',
        description: 'The sum of the allocations in units of the class.',
      }),
    }),
  });
