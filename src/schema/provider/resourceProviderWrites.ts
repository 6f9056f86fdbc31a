import { encodeGlobalID } from '@pothos/plugin-relay';
import { InvalidInput } from '../../domain/invalidInput.js';
import { setAggregates } from '../../ledger/provider/aggregates.js';
import {
  ConcurrentUpdate,
  DuplicateName,
  DuplicateUuid,
  IllegalReparent,
  NotFound,
  ProviderGenerationConflict,
  ProviderHasChildren,
  ProviderInUse,
} from '../../ledger/errors.js';
import { createProvider, deleteProvider, updateProvider } from '../../ledger/provider/providers.js';
import { setTraits } from '../../ledger/provider/traits.js';
import { builder } from '../builder.js';
import { rejections } from '../errors.js';
import { providerPayload, writtenProvider } from '../payload.js';

const NAME = '1 to 200 characters; no other provider may have it, and case counts.';
const PROVIDER = 'The uuid of the provider.';
const GENERATION =
  'The generation of the provider on which the change is based; any other one stored is ' +
  'PROVIDER_GENERATION_CONFLICT.';

const CreateResourceProviderInput = builder.inputType('CreateResourceProviderInput', {
  description: 'The resource provider to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: NAME }),
    uuid: t.field({ type: 'UUID', description: 'Its uuid; made up when nothing is said.' }),
    parent: t.field({
      type: 'UUID',
      description: 'The uuid of the provider directly above; without it, a new root.',
    }),
  }),
});

const UpdateResourceProviderInput = builder.inputType('UpdateResourceProviderInput', {
  description: 'What to change about a provider. What is null or left out stays as it is.',
  fields: (t) => ({
    resourceProvider: t.field({ type: 'UUID', required: true, description: PROVIDER }),
    generation: t.int({ description: `${GENERATION} Not checked when nothing is said.` }),
    name: t.string({ description: `The new name: ${NAME}` }),
    parent: t.field({
      type: 'UUID',
      description: 'The uuid of the new parent, in any tree. Everything below the provider moves along.',
    }),
    makeRoot: t.boolean({
      required: true,
      defaultValue: false,
      description: 'True: the provider becomes the root of a tree of its own. Not together with parent.',
    }),
  }),
});

const DeleteResourceProviderInput = builder.inputType('DeleteResourceProviderInput', {
  description: 'The provider to delete.',
  fields: (t) => ({ resourceProvider: t.field({ type: 'UUID', required: true, description: PROVIDER }) }),
});

const SetTraitsInput = builder.inputType('SetTraitsInput', {
  description: 'The whole new set of traits of a provider.',
  fields: (t) => ({
    resourceProvider: t.field({ type: 'UUID', required: true, description: PROVIDER }),
    generation: t.int({ required: true, description: GENERATION }),
    traits: t.stringList({
      required: true,
      description: 'The names of all traits that the provider shall have, each once; [] removes them all.',
    }),
  }),
});

const SetAggregatesInput = builder.inputType('SetAggregatesInput', {
  description: 'The whole new set of aggregates that a provider is directly in.',
  fields: (t) => ({
    resourceProvider: t.field({ type: 'UUID', required: true, description: PROVIDER }),
    generation: t.int({ required: true, description: GENERATION }),
    aggregates: t.field({
      type: ['UUID'],
      required: true,
      description:
        'The uuids of all aggregates that the provider shall be in, each once; new ones come into being.',
    }),
  }),
});

const CreateResourceProviderPayload = providerPayload(
  'CreateResourceProviderPayload',
  'The provider was created.',
);
const UpdateResourceProviderPayload = providerPayload(
  'UpdateResourceProviderPayload',
  'The provider is as asked for.',
);
const SetTraitsPayload = providerPayload('SetTraitsPayload', 'The provider has these traits.');
const SetAggregatesPayload = providerPayload('SetAggregatesPayload', 'The provider is in these aggregates.');

const DeleteResourceProviderPayload = builder
  .objectRef<{ readonly uuid: string }>('DeleteResourceProviderPayload')
  .implement({
    description: 'The provider is gone.',
    fields: (t) => ({
      id: t.id({
        description: 'The global id that it had.',
        resolve: ({ uuid }) => encodeGlobalID('ResourceProvider', uuid),
      }),
      uuid: t.expose('uuid', { type: 'UUID', description: 'The uuid that it had.' }),
    }),
  });

builder.mutationFields((t) => ({
  createResourceProvider: t.field({
    type: CreateResourceProviderPayload,
    description: 'Creates a provider with nothing in it: a root, or a child of another provider.',
    args: {
      input: t.arg({ type: CreateResourceProviderInput, required: true, description: 'What to create.' }),
    },
    errors: rejections(
      'createResourceProvider',
      InvalidInput,
      NotFound,
      DuplicateName,
      DuplicateUuid,
      ConcurrentUpdate,
    ),
    resolve: async (_root, { input }, context) =>
      writtenProvider(await createProvider(context.ledger, input), context),
  }),
  updateResourceProvider: t.field({
    type: UpdateResourceProviderPayload,
    description:
      'Renames a provider, or moves it with everything below it to another place in any tree, or both. Allocations, ' +
      'inventories, traits and aggregates stay with it.',
    args: {
      input: t.arg({ type: UpdateResourceProviderInput, required: true, description: 'What to change.' }),
    },
    errors: rejections(
      'updateResourceProvider',
      InvalidInput,
      NotFound,
      DuplicateName,
      IllegalReparent,
      ProviderGenerationConflict,
      ConcurrentUpdate,
    ),
    resolve: async (_root, { input }, context) =>
      writtenProvider(await updateProvider(context.ledger, input), context),
  }),
  deleteResourceProvider: t.field({
    type: DeleteResourceProviderPayload,
    description:
      'Deletes a provider without children and allocations, together with its inventories and with its traits and ' +
      'places in aggregates.',
    args: {
      input: t.arg({ type: DeleteResourceProviderInput, required: true, description: 'What to delete.' }),
    },
    errors: rejections(
      'deleteResourceProvider',
      NotFound,
      ProviderHasChildren,
      ProviderInUse,
      ConcurrentUpdate,
    ),
    resolve: (_root, { input }, { ledger }) => deleteProvider(ledger, input),
  }),
  setTraits: t.field({
    type: SetTraitsPayload,
    description: 'Replaces all traits of a provider. An unknown trait is INVALID_INPUT.',
    args: { input: t.arg({ type: SetTraitsInput, required: true, description: 'The new set.' }) },
    errors: rejections('setTraits', InvalidInput, NotFound, ProviderGenerationConflict, ConcurrentUpdate),
    resolve: async (_root, { input }, context) =>
      writtenProvider(await setTraits(context.ledger, input), context),
  }),
  setAggregates: t.field({
    type: SetAggregatesPayload,
    description: 'Replaces all aggregates that a provider is directly in.',
    args: { input: t.arg({ type: SetAggregatesInput, required: true, description: 'The new set.' }) },
    errors: rejections('setAggregates', InvalidInput, NotFound, ProviderGenerationConflict, ConcurrentUpdate),
    resolve: async (_root, { input }, context) =>
      writtenProvider(await setAggregates(context.ledger, input), context),
  }),
}));
