import { ReshapeNeeded, ReshapeRefused, type ReshapeViolation } from '../../ledger/errors.js';
import { builder } from '../builder.js';
import { COUNTED_ABOVE, costOfList } from '../cost/fieldCost.js';
import { common, ErrorCodeEnum } from '../errors.js';
import { readInPages } from '../cost/listLimit.js';
import { Consumer } from '../refs.js';

const Violation = builder.objectRef<ReshapeViolation>('ReshapeViolation').implement({
  description: 'One thing that is wrong with the final state of a reshape.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'What is wrong: the code that a write of this alone would be rejected with.',
      resolve: ({ rejection }) => rejection.code,
    }),
    message: t.string({
      description: 'The same in one sentence with the figures, for people.',
      resolve: ({ rejection }) => rejection.message,
    }),
    resourceProviderUuid: t.field({
      type: 'UUID',
      nullable: true,
      description: 'The provider concerned.',
      resolve: ({ rejection }) => rejection.resourceProviderUuid,
    }),
    resourceClassName: t.string({
      nullable: true,
      description: 'The resource class concerned; null where the provider as a whole is.',
      resolve: ({ rejection }) => ('resourceClassName' in rejection ? rejection.resourceClassName : null),
    }),
    consumerUuid: t.expose('consumer', {
      type: 'UUID',
      nullable: true,
      description: 'The consumer whose allocation shows it.',
    }),
  }),
});

builder.objectType(ReshapeRefused, {
  ...common('RESHAPE_REFUSED'),
  fields: (t) => ({
    violations: t.expose('violations', {
      type: [Violation],
      complexity: COUNTED_ABOVE,
      description: 'All that is wrong, in the order of the codes.',
    }),
  }),
});

builder.objectType(ReshapeNeeded, {
  ...common('RESHAPE_NEEDED'),
  fields: (t) => ({
    consumers: t.field({
      type: [Consumer],
      complexity: costOfList(100),
      extensions: readInPages('treeConsumers of the root of the tree'),
      description:
        'The consumers with allocations that would lose their inventory or provider, as they are stored: give each its ' +
        'whole new set in `allocations`.',
      resolve: ({ consumers }, _args, { loaders }) => loaders.consumers.existing(consumers),
    }),
  }),
});
