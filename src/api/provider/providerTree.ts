import type { InputObjectRef } from '@pothos/core';
import { deleteProviders, MAX_DELETED } from '../../store/ledger/provider/providers.js';
import { applyProviderTree, type AppliedProviderTree } from '../../store/ledger/tree/providerTree.js';
import type { DesiredProvider } from '../../store/ledger/tree/treeInput.js';
import {
  ConsumerAllocationsInput,
  DELETED_CONSUMER_IDS,
  releasedBy,
  withAllocations,
} from '../allocation/allocationsInput.js';
import { writersButServicesWith } from '../access/rules.js';
import { builder, meanings, objectType, type Types } from '../builder.js';
import { optional, required, withDefault } from '../inputFields.js';
import { COUNTED_ABOVE } from '../cost/operationCost.js';
import { InventoryInput } from './inventory.js';
import { deletedIds, idsOf, mutation } from '../mutation.js';
import { consumerIds } from '../allocation/allocationWrites.js';
import { AggregateRef, ProviderRef, ResourceProvider } from '../refs.js';

const STAYS = 'Omit or pass null to keep them.';

export const DesiredProviderInput: InputObjectRef<Types, DesiredProvider> = builder
  .inputRef<DesiredProvider>('DesiredProviderInput')
  .implement({
    description: 'The desired state of a provider, found by uuid, or by name in the tree, or created.',
    fields: () => ({
      uuid: optional(
        'UUID',
        'A provider of another tree moves here. Generated for a new provider if omitted.',
      ),
      name: required('String', 'The name: 1 to 200 characters, unique.'),
      generation: optional(
        'Int',
        'The generation read before. If stale and something differs: PROVIDER_GENERATION_CONFLICT.',
      ),
      inventories: optional([InventoryInput], `All inventories, each class once. ${STAYS}`),
      traits: optional(['String'], `The names of all traits, each once. ${STAYS}`),
      aggregates: optional([AggregateRef], `All aggregates, each once. ${STAYS}`),
      children: optional(
        [DesiredProviderInput],
        `All children. Other children are deleted, unless the input contains them elsewhere. ${STAYS}`,
      ),
    }),
  });

const ApplyProviderTreeInput = builder.inputType('ApplyProviderTreeInput', {
  description: 'The desired state of a whole tree.',
  fields: () => ({
    root: required(
      DesiredProviderInput,
      'The root and its descendants. A provider with a parent is INVALID_INPUT.',
    ),
    allocations: optional(
      [ConsumerAllocationsInput],
      'The consumers to reallocate, each once. If omitted, removing resources in use fails with RESHAPE_NEEDED.',
    ),
    dryRun: withDefault('Boolean', false, 'Whether to validate only.'),
  }),
});

const ProviderTreeChangeKind = builder.enumType('ProviderTreeChangeKind', {
  description: 'What applyProviderTree does with a provider.',
  values: meanings({
    CREATE: 'Creates it.',
    UPDATE: 'Changes its name, parent or properties.',
    DELETE: 'Deletes it.',
  }),
});

const ProviderTreeChange = objectType<AppliedProviderTree['changes'][number]>('ProviderTreeChange', {
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

interface ApplyProviderTreeResult extends AppliedProviderTree {
  readonly isDry: boolean;
  readonly released: readonly string[];
}

const ApplyProviderTreePayload = objectType<ApplyProviderTreeResult>('ApplyProviderTreePayload', {
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
    deletedResourceProviderIds: t.field(
      deletedIds(ResourceProvider, 'The former global ids of the deleted providers', deletedProviders),
    ),
    deletedConsumerIds: t.field(DELETED_CONSUMER_IDS),
  }),
});

function deletedProviders({ isDry, changes }: ApplyProviderTreeResult): string[] {
  return isDry ? [] : changes.filter(({ kind }) => kind === 'DELETE').map(({ uuid }) => uuid!);
}

mutation('applyProviderTree', {
  authScopes: writersButServicesWith('input.allocations'),
  payload: ApplyProviderTreePayload,
  description:
    'Creates, updates, moves and deletes providers, and reallocates consumers, until a tree is as ' +
    'desired. A repeated call changes nothing.',
  input: [ApplyProviderTreeInput, 'The desired tree.'],
  errors: [
    'OLDER_SERVER',
    'INVALID_INPUT',
    'NOT_FOUND',
    'DUPLICATE_NAME',
    'PROVIDER_GENERATION_CONFLICT',
    'CONSUMER_GENERATION_CONFLICT',
    'CONSUMPTION_IN_USE',
    'RESHAPE_REFUSED',
    'RESHAPE_NEEDED',
  ],
  resolve: async (input, context) => {
    const allocations =
      input.allocations && (await withAllocations(input.allocations, 'allocations', context));
    const applied = await applyProviderTree(context.ledger, { ...input, allocations });
    return { ...applied, isDry: input.dryRun, released: input.dryRun ? [] : releasedBy(allocations ?? []) };
  },
  written: ({ changes, reshaped }, { allocations, dryRun }) =>
    dryRun
      ? []
      : [
          ...idsOf(
            ResourceProvider,
            changes.flatMap(({ uuid }) => uuid ?? []),
          ),
          ...(reshaped ? consumerIds(allocations ?? []) : []),
        ],
});

const DeleteResourceProvidersInput = builder.inputType('DeleteResourceProvidersInput', {
  description: 'The providers to delete.',
  fields: () => ({
    resourceProviders: required([ProviderRef], `The providers, 1 to ${MAX_DELETED}, each once.`),
    recursive: withDefault('Boolean', false, 'Whether to delete their descendants, too.'),
    dryRun: withDefault('Boolean', false, 'Whether to validate only.'),
  }),
});

interface DeletedProviders {
  readonly isDry: boolean;
  readonly providers: readonly { readonly uuid: string; readonly name: string }[];
}

const idsOfDeleted = ({ isDry, providers }: DeletedProviders): string[] =>
  isDry ? [] : providers.map(({ uuid }) => uuid);

const DeleteResourceProvidersPayload = objectType<DeletedProviders>('DeleteResourceProvidersPayload', {
  description: 'The deleted providers, or the result of a dry run.',
  fields: (t) => ({
    changes: t.field({
      type: [ProviderTreeChange],
      description:
        'The providers that are deleted, in the order of the input. With `recursive`, descendants follow their parents.',
      resolve: ({ providers }) =>
        providers.map(({ uuid, name }) => ({ kind: 'DELETE' as const, uuid, name })),
    }),
    deletedResourceProviderIds: t.field(
      deletedIds(ResourceProvider, 'The former global ids of the deleted providers', idsOfDeleted),
    ),
  }),
});

mutation('deleteResourceProviders', {
  payload: DeleteResourceProvidersPayload,
  description:
    'Deletes providers without allocations, with their inventories, all or none. ' +
    'PROVIDER_IN_USE names the first one with allocations.',
  input: [DeleteResourceProvidersInput, 'The providers.'],
  errors: ['INVALID_INPUT', 'NOT_FOUND', 'PROVIDER_HAS_CHILDREN', 'PROVIDER_IN_USE'],
  resolve: async (input, { ledger }) => ({
    isDry: input.dryRun,
    providers: await deleteProviders(ledger, input),
  }),
  written: (deleted) => idsOf(ResourceProvider, idsOfDeleted(deleted)),
});
