import { InvalidInput } from '../../domain/invalidInput.js';
import {
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  NotFound,
  ProviderGenerationConflict,
  ReshapeRefused,
} from '../../ledger/errors.js';
import { reshape } from '../../ledger/reshape/reshape.js';
import { ConsumerAllocationsInput, withAllocations } from './allocationsInput.js';
import { SERVICES } from '../access/rules.js';
import { builder } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { GENERATION } from '../inputFields.js';
import { InventoryInput } from '../provider/inventory.js';
import { mutation, resetLoaders } from '../mutation.js';
import { Consumer, ProviderRef, ResourceProvider } from '../refs.js';
import './reshapeErrors.js';

const ProviderInventoriesInput = builder.inputType('ProviderInventoriesInput', {
  description: 'The desired inventories of a provider.',
  fields: (t) => ({
    resourceProvider: t.field({ type: ProviderRef, required: true, description: 'The provider.' }),
    generation: t.int({ required: true, description: GENERATION }),
    inventories: t.field({
      type: [InventoryInput],
      required: true,
      description: 'The whole set of inventories, each class once.',
    }),
  }),
});

const ReshapeInput = builder.inputType('ReshapeInput', {
  description: 'The final state, as far as it changes.',
  fields: (t) => ({
    inventories: t.field({
      type: [ProviderInventoriesInput],
      required: true,
      description: 'The providers whose inventories change, at least one, each once.',
    }),
    allocations: t.field({
      type: [ConsumerAllocationsInput],
      required: true,
      description: 'The consumers whose allocations change, each once.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether to validate only.',
    }),
  }),
});

const ReshapePayload = builder.objectRef<typeof ReshapeInput.$inferInput>('ReshapePayload').implement({
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
    InvalidInput,
    NotFound,
    ProviderGenerationConflict,
    ConsumerGenerationConflict,
    ReshapeRefused,
    ConcurrentUpdate,
  ],
  resolve: async (input, context) => {
    const allocations = await withAllocations(input.allocations, 'allocations', context);
    await reshape(context.ledger, { ...input, allocations });
    resetLoaders(context);
    return input;
  },
});
