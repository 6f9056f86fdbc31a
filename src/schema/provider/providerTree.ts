import { InvalidInput } from '../../domain/invalidInput.js';
import {
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  DuplicateName,
  NotFound,
  ProviderGenerationConflict,
  ReshapeNeeded,
  ReshapeRefused,
} from '../../ledger/errors.js';
import { applyProviderTree, type AppliedProviderTree } from '../../ledger/tree/providerTree.js';
import type { DesiredProvider } from '../../ledger/tree/treeInput.js';
import { ConsumerAllocationsInput, withAllocations } from '../allocation/allocationsInput.js';
import { writersButServicesWith } from '../access/rules.js';
import { builder } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { InventoryInput } from './inventory.js';
import { mutation, resetLoaders } from '../mutation.js';
import { AggregateRef, ResourceProvider } from '../refs.js';
import '../allocation/reshapeErrors.js';

const STAYS = 'Omit or pass null to keep them.';

const DesiredProviderInput = builder.inputRef<DesiredProvider>('DesiredProviderInput').implement({
  description: 'The desired state of a provider, found by uuid, or by name in the tree, or created.',
  fields: (t) => ({
    uuid: t.field({
      type: 'UUID',
      description: 'A provider of another tree moves here. Generated for a new provider if omitted.',
    }),
    name: t.string({
      required: true,
      description: 'The name: 1 to 200 characters, unique.',
    }),
    generation: t.int({
      description:
        'The generation read before. If stale and something differs: PROVIDER_GENERATION_CONFLICT.',
    }),
    inventories: t.field({
      type: [InventoryInput],
      description: `All inventories, each class once. ${STAYS}`,
    }),
    traits: t.stringList({ description: `The names of all traits, each once. ${STAYS}` }),
    aggregates: t.field({
      type: [AggregateRef],
      description: `All aggregates, each once. ${STAYS}`,
    }),
    children: t.field({
      type: [DesiredProviderInput],
      description: `All children. Other children are deleted, unless the input contains them elsewhere. ${STAYS}`,
    }),
  }),
});

const ApplyProviderTreeInput = builder.inputType('ApplyProviderTreeInput', {
  description: 'The desired state of a whole tree.',
  fields: (t) => ({
    root: t.field({
      type: DesiredProviderInput,
      required: true,
      description: 'The root and its descendants. A provider with a parent is INVALID_INPUT.',
    }),
    allocations: t.field({
      type: [ConsumerAllocationsInput],
      description:
        'The consumers to reallocate, each once. If omitted, removing resources in use fails with RESHAPE_NEEDED.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether to validate only.',
    }),
  }),
});

const ProviderTreeChangeKind = builder.enumType('ProviderTreeChangeKind', {
  description: 'What applyProviderTree does with a provider.',
  values: {
    CREATE: { description: 'Creates it.' },
    UPDATE: { description: 'Changes its name, parent or properties.' },
    DELETE: { description: 'Deletes it.' },
  } as const,
});

const ProviderTreeChange = builder
  .objectRef<AppliedProviderTree['changes'][number]>('ProviderTreeChange')
  .implement({
    description: 'A provider that differs from the stored one.',
    fields: (t) => ({
      kind: t.expose('kind', {
        type: ProviderTreeChangeKind,
        description: 'The kind of the change.',
      }),
      uuid: t.expose('uuid', {
        type: 'UUID',
        nullable: true,
        description: 'Null if a dry run would generate it.',
      }),
      name: t.exposeString('name', {
        description: 'The new or the last name.',
      }),
    }),
  });

const ApplyProviderTreePayload = builder
  .objectRef<AppliedProviderTree>('ApplyProviderTreePayload')
  .implement({
    description: 'The applied tree, or the result of a dry run.',
    fields: (t) => ({
      root: t.field({
        type: ResourceProvider,
        nullable: true,
        description: 'Null in a dry run of a new tree.',
        resolve: ({ rootUuid }, _args, { loaders }) =>
          rootUuid === null ? null : loaders.providers.byUuid(rootUuid),
      }),
      changes: t.expose('changes', {
        type: [ProviderTreeChange],
        complexity: COUNTED_ABOVE,
        description: 'The providers that differ. Empty if nothing differs.',
      }),
      reshaped: t.exposeBoolean('reshaped', {
        description: 'Whether allocations change.',
      }),
    }),
  });

mutation('applyProviderTree', {
  authScopes: writersButServicesWith('input.allocations'),
  payload: ApplyProviderTreePayload,
  description:
    'Creates, updates, moves and deletes providers, and reallocates consumers, until a tree is as ' +
    'desired. A repeated call changes nothing.',
  input: [ApplyProviderTreeInput, 'The desired tree.'],
  errors: [
    InvalidInput,
    NotFound,
    DuplicateName,
    ProviderGenerationConflict,
    ConsumerGenerationConflict,
    ReshapeRefused,
    ReshapeNeeded,
    ConcurrentUpdate,
  ],
  resolve: async (input, context) => {
    resetLoaders(context);
    const allocations =
      input.allocations && (await withAllocations(input.allocations, 'allocations', context));
    return applyProviderTree(context.ledger, { ...input, allocations });
  },
});
