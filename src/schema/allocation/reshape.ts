import { InvalidInput } from '../../domain/invalidInput.js';
import {
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  NotFound,
  ProviderGenerationConflict,
  ReshapeRefused,
} from '../../ledger/errors.js';
import { reshape, type ReshapeInput as Reshape } from '../../ledger/reshape/reshape.js';
import { ConsumerAllocationsInput } from './allocationWrites.js';
import { SERVICES } from '../access/rules.js';
import { builder } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { expectedProvider } from '../inputFields.js';
import { InventoryInput } from '../provider/inventory.js';
import { mutation, resetLoaders } from '../mutation.js';
import { Consumer, ResourceProvider } from '../refs.js';
import './reshapeErrors.js';

const ProviderInventoriesInput = builder.inputType('ProviderInventoriesInput', {
  description: 'A provider with the inventories that it shall have.',
  fields: (t) => ({
    ...expectedProvider(t),
    inventories: t.field({
      type: [InventoryInput],
      required: true,
      description: 'Every inventory that the provider shall have, each class once; [] leaves it none.',
    }),
  }),
});

const ReshapeInput = builder.inputType('ReshapeInput', {
  description: 'The state after a reshape, as far as it differs from the one before.',
  fields: (t) => ({
    inventories: t.field({
      type: [ProviderInventoriesInput],
      required: true,
      description:
        'The providers whose inventories change, at least one, each once with its whole final set.',
    }),
    allocations: t.field({
      type: [ConsumerAllocationsInput],
      required: true,
      description:
        'The consumers whose allocations change, each once with its whole final set: also with what it keeps on ' +
        'providers that do not change, such as shared storage.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'True: everything is checked and nothing changed. The payload then shows what is stored.',
    }),
  }),
});

const ReshapePayload = builder.objectRef<Reshape>('ReshapePayload').implement({
  description: 'The reshape has taken place, or, in a dry run, could do so.',
  fields: (t) => ({
    resourceProviders: t.field({
      type: [ResourceProvider],
      complexity: COUNTED_ABOVE,
      description:
        'The providers whose inventories were given, as they are stored now, in the order of the input.',
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
      description:
        'Those of the consumers given that exist now, as they are stored now, in the order of the input.',
      resolve: ({ allocations }, _args, { loaders }) =>
        loaders.consumers.existing(allocations.map(({ consumer }) => consumer)),
    }),
  }),
});

mutation('reshape', {
  authScopes: SERVICES,
  payload: ReshapePayload,
  description:
    'Moves inventories between providers together with what is allocated of them, in one step of which nobody ever ' +
    'sees a part. Only the final state is checked: the allocations of the consumers given must fit the final ' +
    'inventories, and an inventory that goes must not be used by any other consumer. A final inventory may be smaller ' +
    'than what consumers that are not given use of it, as in updateResourceProvider. Providers are neither created nor ' +
    'deleted nor moved, and keep their traits and aggregates. The generation of each provider and consumer that ' +
    'changes grows by 1.',
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
    await reshape(context.ledger, input);
    resetLoaders(context);
    return input;
  },
});
