import { reshape } from '../../store/ledger/reshape/reshape.js';
import {
  ConsumerAllocationsInput,
  DELETED_CONSUMER_IDS,
  releasedBy,
  withAllocations,
} from './allocationsInput.js';
import { SERVICES } from '../access/rules.js';
import { builder, objectType } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/operationCost.js';
import { GENERATION, required, withDefault } from '../inputFields.js';
import { InventoryInput } from '../provider/inventory.js';
import { idsOf, mutation } from '../mutation.js';
import { consumerIds } from './allocationWrites.js';
import { Consumer, ProviderRef, ResourceProvider } from '../refs.js';

const ProviderInventoriesInput = builder.inputType('ProviderInventoriesInput', {
  description: 'The desired inventories of a provider.',
  fields: () => ({
    resourceProvider: required(ProviderRef, 'The provider.'),
    generation: required('Int', GENERATION),
    inventories: required([InventoryInput], 'The whole set of inventories, each class once.'),
  }),
});

const ReshapeInput = builder.inputType('ReshapeInput', {
  description: 'The final state, as far as it changes.',
  fields: () => ({
    inventories: required(
      [ProviderInventoriesInput],
      'The providers whose inventories change, at least one, each once.',
    ),
    allocations: required([ConsumerAllocationsInput], 'The consumers whose allocations change, each once.'),
    dryRun: withDefault('Boolean', false, 'Whether to validate only.'),
  }),
});

interface ReshapeResult extends Pick<typeof ReshapeInput.$inferInput, 'inventories' | 'allocations'> {
  readonly released: readonly string[];
}

const ReshapePayload = objectType<ReshapeResult>('ReshapePayload', {
  description: 'The result of reshape.',
  fields: (t) => ({
    resourceProviders: t.field({
      type: [ResourceProvider],
      complexity: COUNTED_ABOVE,
      description: 'The stored providers of the input, in its order.',
      resolve: async ({ inventories }, _args, { loaders }) => {
        const found = await Promise.all(
          inventories.map(({ resourceProvider }) => loaders.providers.byUuid(resourceProvider)),
        );
        return found.filter((provider) => provider !== null);
      },
    }),
    consumers: t.field({
      type: [Consumer],
      complexity: COUNTED_ABOVE,
      description: 'The stored consumers of the input, in its order.',
      resolve: ({ allocations }, _args, { loaders }) =>
        loaders.consumers.existing(allocations.map(({ consumer }) => consumer)),
    }),
    deletedConsumerIds: t.field(DELETED_CONSUMER_IDS),
  }),
});

mutation('reshape', {
  authScopes: SERVICES,
  payload: ReshapePayload,
  description:
    'Moves inventories between providers with their allocations. Fails with RESHAPE_REFUSED if the final state ' +
    'violates rules of inventories or allocations.',
  input: [ReshapeInput, 'The final state.'],
  errors: [
    'OLDER_SERVER',
    'INVALID_INPUT',
    'NOT_FOUND',
    'PROVIDER_GENERATION_CONFLICT',
    'CONSUMER_GENERATION_CONFLICT',
    'CONSUMPTION_IN_USE',
    'RESHAPE_REFUSED',
  ],
  resolve: async (input, context) => {
    const allocations = await withAllocations(input.allocations, 'allocations', context);
    await reshape(context.ledger, { ...input, allocations });
    return { ...input, released: input.dryRun ? [] : releasedBy(allocations) };
  },
  written: (_payload, { inventories, allocations, dryRun }) =>
    dryRun
      ? []
      : [
          ...idsOf(
            ResourceProvider,
            inventories.map(({ resourceProvider }) => resourceProvider),
          ),
          ...consumerIds(allocations),
        ],
});
