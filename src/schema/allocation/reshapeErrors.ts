import { ReshapeNeeded, ReshapeRefused, type ReshapeViolation } from '../../ledger/errors.js';
import { builder } from '../builder.js';
import { COUNTED_ABOVE, costOfList } from '../cost/fieldCost.js';
import { common, ErrorCodeEnum } from '../errors.js';
import { readInPages } from '../cost/listLimit.js';
import { Consumer } from '../refs.js';

const Violation = builder.objectRef<ReshapeViolation>('ReshapeViolation').implement({
  description: 'A rule that the final state violates.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'The code of the same rejection of a single write.',
      resolve: ({ rejection }) => rejection.code,
    }),
    message: t.string({
      description: 'The violation as a sentence.',
      resolve: ({ rejection }) => rejection.message,
    }),
    resourceProviderUuid: t.field({
      type: 'UUID',
      nullable: true,
      description: 'The provider.',
      resolve: ({ rejection }) => rejection.resourceProviderUuid,
    }),
    resourceClassName: t.string({
      nullable: true,
      description: 'The resource class. Null for the whole provider.',
      resolve: ({ rejection }) => ('resourceClassName' in rejection ? rejection.resourceClassName : null),
    }),
    consumerUuid: t.expose('consumer', {
      type: 'UUID',
      nullable: true,
      description: 'The consumer of the allocation.',
    }),
  }),
});

builder.objectType(ReshapeRefused, {
  ...common('RESHAPE_REFUSED'),
  fields: (t) => ({
    violations: t.expose('violations', {
      type: [Violation],
      complexity: COUNTED_ABOVE,
      description: 'All violations, in the order of the codes.',
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
        'The consumers that would lose an inventory or provider in use. State them in `allocations`.',
      resolve: ({ consumers }, _args, { loaders }) => loaders.consumers.existing(consumers),
    }),
  }),
});
