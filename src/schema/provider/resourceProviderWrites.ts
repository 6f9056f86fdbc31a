import { InvalidInput } from '../../domain/invalidInput.js';
import { addToAggregates, removeFromAggregates, setAggregates } from '../../ledger/provider/aggregates.js';
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
import { addTraits, removeTraits, setTraits } from '../../ledger/provider/traits.js';
import { builder } from '../builder.js';
import { expectedProvider, GENERATION, looselyExpectedProvider } from '../inputFields.js';
import { deletedPayload, mutation, providerMutation } from '../mutation.js';
import { AggregateRef, ProviderRef, ResourceProvider } from '../refs.js';

const NAME = '1 to 200 characters; no other provider may have it, and case counts.';
const PROVIDER = { type: ProviderRef, required: true, description: 'The provider.' } as const;

const CreateResourceProviderInput = builder.inputType('CreateResourceProviderInput', {
  description: 'The resource provider to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: NAME }),
    uuid: t.field({ type: 'UUID', description: 'Its uuid; made up when nothing is said.' }),
    parent: t.field({ type: ProviderRef, description: 'The parent. Omit it to create a root.' }),
  }),
});

const UpdateResourceProviderInput = builder.inputType('UpdateResourceProviderInput', {
  description: 'What to change about a provider. What is null or left out stays as it is.',
  fields: (t) => ({
    resourceProvider: t.field(PROVIDER),
    generation: t.int({ description: `${GENERATION} Not checked when nothing is said.` }),
    name: t.string({ description: `The new name: ${NAME}` }),
    parent: t.field({
      type: ProviderRef,
      description: 'The new parent, in any tree. All descendants move with the provider.',
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
  fields: (t) => ({ resourceProvider: t.field(PROVIDER) }),
});

const SetTraitsInput = builder.inputType('SetTraitsInput', {
  description: 'The whole new set of traits of a provider.',
  fields: (t) => ({
    ...looselyExpectedProvider(t, 'Required unless the traits are [], which then go whatever it is.'),
    traits: t.stringList({
      required: true,
      description: 'The names of all traits that the provider shall have, each once; [] removes them all.',
    }),
  }),
});

const SetAggregatesInput = builder.inputType('SetAggregatesInput', {
  description: 'The whole new set of aggregates that a provider is directly in.',
  fields: (t) => ({
    ...expectedProvider(t),
    aggregates: t.field({
      type: [AggregateRef],
      required: true,
      description: 'All aggregates of the provider, each once. Unknown uuids are created.',
    }),
  }),
});

const AddTraitsInput = someTraits('AddTraitsInput', 'Traits for a provider.', 'that it shall have as well');
const RemoveTraitsInput = someTraits(
  'RemoveTraitsInput',
  'Traits to take from a provider.',
  'that it shall not have',
);
const AddToAggregatesInput = someAggregates(
  'AddToAggregatesInput',
  'Aggregates to put a provider into.',
  'that it shall be in as well; new ones come into being',
);
const RemoveFromAggregatesInput = someAggregates(
  'RemoveFromAggregatesInput',
  'Aggregates to take a provider out of.',
  'that it shall not be in',
);

function someTraits(name: string, description: string, which: string) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      resourceProvider: t.field(PROVIDER),
      traits: t.stringList({
        required: true,
        description: `The names of the traits ${which}, each once.`,
      }),
    }),
  });
}

function someAggregates(name: string, description: string, which: string) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      resourceProvider: t.field(PROVIDER),
      aggregates: t.field({
        type: [AggregateRef],
        required: true,
        description: `The aggregates ${which}, each once.`,
      }),
    }),
  });
}

const DeleteResourceProviderPayload = deletedPayload(ResourceProvider, 'uuid', {
  name: 'DeleteResourceProviderPayload',
  description: 'The provider is gone.',
});

providerMutation('createResourceProvider', {
  payload: 'The provider was created.',
  description: 'Creates a provider with nothing in it: a root, or a child of another provider.',
  input: [CreateResourceProviderInput, 'What to create.'],
  errors: [InvalidInput, NotFound, DuplicateName, DuplicateUuid, ConcurrentUpdate],
  write: createProvider,
});

providerMutation('updateResourceProvider', {
  payload: 'The provider is as asked for.',
  description:
    'Renames a provider, or moves it with everything below it to another place in any tree, or both. Allocations, ' +
    'inventories, traits and aggregates stay with it.',
  input: [UpdateResourceProviderInput, 'What to change.'],
  errors: [
    InvalidInput,
    NotFound,
    DuplicateName,
    IllegalReparent,
    ProviderGenerationConflict,
    ConcurrentUpdate,
  ],
  write: updateProvider,
});

mutation('deleteResourceProvider', {
  payload: DeleteResourceProviderPayload,
  description:
    'Deletes a provider without children and allocations, together with its inventories and with its traits and ' +
    'places in aggregates.',
  input: [DeleteResourceProviderInput, 'What to delete.'],
  errors: [NotFound, ProviderHasChildren, ProviderInUse, ConcurrentUpdate],
  resolve: (input, { ledger }) => deleteProvider(ledger, input),
});

providerMutation('setTraits', {
  payload: 'The provider has these traits.',
  description: 'Replaces all traits of a provider. An unknown trait is INVALID_INPUT.',
  input: [SetTraitsInput, 'The new set.'],
  errors: [InvalidInput, NotFound, ProviderGenerationConflict, ConcurrentUpdate],
  write: setTraits,
});

providerMutation('setAggregates', {
  payload: 'The provider is in these aggregates.',
  description: 'Replaces all aggregates that a provider is directly in.',
  input: [SetAggregatesInput, 'The new set.'],
  errors: [InvalidInput, NotFound, ProviderGenerationConflict, ConcurrentUpdate],
  write: setAggregates,
});

/** What a change of some traits or aggregates, which needs no generation, may be rejected by. */
const SET_ERRORS = [InvalidInput, NotFound, ConcurrentUpdate];
const ALREADY =
  'needs no generation: the server resolves write conflicts by itself. The generation grows by 1 if anything changes';

providerMutation('addTraits', {
  payload: 'The provider has these traits.',
  description: `Gives a provider traits besides those that it has, and ${ALREADY}; traits that it has already change nothing. An unknown trait is INVALID_INPUT.`,
  input: [AddTraitsInput, 'What to add.'],
  errors: SET_ERRORS,
  write: addTraits,
});

providerMutation('removeTraits', {
  payload: 'The provider has none of these traits.',
  description: `Takes traits from a provider, and ${ALREADY}; traits that it has not got change nothing. An unknown trait is INVALID_INPUT.`,
  input: [RemoveTraitsInput, 'What to remove.'],
  errors: SET_ERRORS,
  write: removeTraits,
});

providerMutation('addToAggregates', {
  payload: 'The provider is in these aggregates.',
  description: `Puts a provider into aggregates besides those that it is in, and ${ALREADY}; those that it is in already change nothing.`,
  input: [AddToAggregatesInput, 'Where to put it.'],
  errors: SET_ERRORS,
  write: addToAggregates,
});

providerMutation('removeFromAggregates', {
  payload: 'The provider is in none of these aggregates.',
  description: `Takes a provider out of aggregates, and ${ALREADY}; those that it is not in, or that do not exist, change nothing.`,
  input: [RemoveFromAggregatesInput, 'Where to take it out.'],
  errors: SET_ERRORS,
  write: removeFromAggregates,
});
