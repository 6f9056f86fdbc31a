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

const STAYS = 'Omit or pass null to leave them unchanged.';

const DesiredProviderInput = builder.inputRef<DesiredProvider>('DesiredProviderInput').implement({
  description:
    'A provider as it shall be, with everything below it. It is the provider with this uuid, else the one with this ' +
    'name in the tree, else a new one.',
  fields: (t) => ({
    uuid: t.field({
      type: 'UUID',
      description:
        'Its uuid. A provider of another tree is moved into this one; a new provider gets it, or one made up.',
    }),
    name: t.string({
      required: true,
      description:
        'The name that it shall have: 1 to 200 characters; no provider of another tree may have it.',
    }),
    generation: t.int({
      description:
        'The generation on which the change is based; any other one stored is PROVIDER_GENERATION_CONFLICT where ' +
        'something differs. Not checked when nothing is said.',
    }),
    inventories: t.field({
      type: [InventoryInput],
      description: `Every inventory that it shall have, each class once. ${STAYS}`,
    }),
    traits: t.stringList({ description: `The names of all traits that it shall have, each once. ${STAYS}` }),
    aggregates: t.field({
      type: [AggregateRef],
      description: `All aggregates of the provider, each once. ${STAYS}`,
    }),
    children: t.field({
      type: [DesiredProviderInput],
      description:
        'Every provider that shall be directly below it; others that are there now are deleted, or moved to where else ' +
        `they are named. ${STAYS}`,
    }),
  }),
});

const ApplyProviderTreeInput = builder.inputType('ApplyProviderTreeInput', {
  description: 'A whole tree as it shall be.',
  fields: (t) => ({
    root: t.field({
      type: DesiredProviderInput,
      required: true,
      description: 'The root with everything below it. Its uuid, if it names a provider, must name a root.',
    }),
    allocations: t.field({
      type: [ConsumerAllocationsInput],
      description:
        'The consumers whose allocations change along with the tree, each once with its whole final set; a generation ' +
        'is compared only where something differs. Null, or nothing said: where inventories or providers in use would ' +
        'be removed the answer is RESHAPE_NEEDED.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'True: everything is checked and nothing changed.',
    }),
  }),
});

const ProviderTreeChangeKind = builder.enumType('ProviderTreeChangeKind', {
  description: 'What becomes of a provider.',
  values: {
    CREATE: { description: 'It comes into being.' },
    UPDATE: { description: 'Its name, place, inventories, traits or aggregates change.' },
    DELETE: { description: 'It ceases to exist.' },
  } as const,
});

const ProviderTreeChange = builder
  .objectRef<AppliedProviderTree['changes'][number]>('ProviderTreeChange')
  .implement({
    description: 'A provider that differs from what was there before.',
    fields: (t) => ({
      kind: t.expose('kind', {
        type: ProviderTreeChangeKind,
        description: 'What becomes of it.',
      }),
      uuid: t.expose('uuid', {
        type: 'UUID',
        nullable: true,
        description: 'Its uuid; null for one that a dry run would create with a uuid made up.',
      }),
      name: t.exposeString('name', {
        description: 'Its name: the new one, where it is renamed; the last one, where it is deleted.',
      }),
    }),
  });

const ApplyProviderTreePayload = builder
  .objectRef<AppliedProviderTree>('ApplyProviderTreePayload')
  .implement({
    description: 'The tree is as asked for, or, in a dry run, could be.',
    fields: (t) => ({
      root: t.field({
        type: ResourceProvider,
        nullable: true,
        description: 'The root as it is stored now; null in a dry run of a new tree.',
        resolve: ({ rootUuid }, _args, { loaders }) =>
          rootUuid === null ? null : loaders.providers.byUuid(rootUuid),
      }),
      changes: t.expose('changes', {
        type: [ProviderTreeChange],
        complexity: COUNTED_ABOVE,
        description: 'The providers that differ; empty when the tree was as asked for already.',
      }),
      reshaped: t.exposeBoolean('reshaped', {
        description: 'Whether allocations changed along with the tree.',
      }),
    }),
  });

mutation('applyProviderTree', {
  authScopes: writersButServicesWith('input.allocations'),
  payload: ApplyProviderTreePayload,
  description:
    'Makes a tree what it shall be: creates, renames, moves, changes and deletes what differs, and reshapes ' +
    'allocations where they are given, all in one step. Applied twice, the second time changes nothing and succeeds.',
  input: [ApplyProviderTreeInput, 'The tree as it shall be.'],
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
