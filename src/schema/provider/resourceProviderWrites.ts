import { InvalidInput } from '../../domain/invalidInput.js';
import {
  ConcurrentUpdate,
  DuplicateName,
  DuplicateUuid,
  IllegalReparent,
  InventoryInUse,
  NotFound,
  ProviderGenerationConflict,
  ProviderHasChildren,
  ProviderInUse,
} from '../../ledger/errors.js';
import { createProvider, deleteProvider } from '../../ledger/provider/providers.js';
import { updateProvider } from '../../ledger/provider/updateProvider.js';
import { builder } from '../builder.js';
import { GENERATION, optionalList } from '../inputFields.js';
import { deletedPayload, mutation, providerMutation } from '../mutation.js';
import { AggregateRef, ParentRef, ProviderRef, ResourceProvider } from '../refs.js';
import { InventoriesEdit, InventoryInput } from './inventory.js';

const NAME = '1 to 200 characters, unique, case-sensitive.';
const PROVIDER = { type: ProviderRef, required: true, description: 'The provider.' } as const;

const CreateResourceProviderInput = builder.inputType('CreateResourceProviderInput', {
  description: 'A resource provider to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: `The name: ${NAME}` }),
    uuid: t.field({ type: 'UUID', description: 'Generated if omitted.' }),
    parent: t.field({ type: ProviderRef, description: 'The parent. Omit it to create a root.' }),
    aggregates: optionalList(t, AggregateRef, 'The aggregates, each once. Unknown uuids are created.'),
    traits: optionalList(t, 'String', 'The names of the traits, each once.'),
    inventories: optionalList(t, InventoryInput, 'The inventories, each class once.'),
  }),
});

const TraitsEdit = setEdit('TraitsEdit', 'traits', 'String', '');
const AggregatesEdit = setEdit('AggregatesEdit', 'aggregates', AggregateRef, ' Unknown uuids are created.');

function setEdit<T extends 'String' | typeof AggregateRef>(
  name: string,
  what: string,
  type: T,
  note: string,
) {
  const list = (t: Fields, description: string) => t.field({ type: [type], description });
  return builder.inputType(name, {
    description: `An edit of ${what}, each once. An empty edit is INVALID_INPUT.`,
    fields: (t) => ({
      set: list(t, `The whole new set. Excludes add and remove.${note}`),
      add: list(t, `To add; present ones change nothing.${note}`),
      remove: list(t, 'To remove; absent ones change nothing.'),
    }),
  });
}
type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const UpdateResourceProviderInput = builder.inputType('UpdateResourceProviderInput', {
  description: 'The edits of a provider, at least one. Omitted or null parts remain.',
  fields: (t) => ({
    resourceProvider: t.field(PROVIDER),
    generation: t.int({ description: `${GENERATION} Omit it to edit the current state.` }),
    name: t.string({ description: `The new name: ${NAME}` }),
    parent: t.field({
      type: ParentRef,
      description: 'The new parent, in any tree. Descendants move too.',
    }),
    aggregates: t.field({ type: AggregatesEdit, description: 'The edit of the aggregates.' }),
    traits: t.field({ type: TraitsEdit, description: 'The edit of the traits.' }),
    inventories: t.field({ type: InventoriesEdit, description: 'The edit of the inventories.' }),
  }),
});

const DeleteResourceProviderInput = builder.inputType('DeleteResourceProviderInput', {
  description: 'The provider to delete.',
  fields: (t) => ({ resourceProvider: t.field(PROVIDER) }),
});

providerMutation('createResourceProvider', {
  payload: 'The created provider.',
  description: 'Creates a provider with its aggregates, traits and inventories. Its generation is 0.',
  input: [CreateResourceProviderInput, 'The provider.'],
  errors: [InvalidInput, NotFound, DuplicateName, DuplicateUuid, ConcurrentUpdate],
  write: createProvider,
});

providerMutation('updateResourceProvider', {
  payload: 'The updated provider.',
  description:
    'Changes the name, parent, aggregates, traits and inventories of a provider. The generation ' +
    'increments once if anything changes. A capacity may shrink below its usage.',
  input: [UpdateResourceProviderInput, 'The edits.'],
  errors: [
    InvalidInput,
    NotFound,
    DuplicateName,
    IllegalReparent,
    ProviderGenerationConflict,
    InventoryInUse,
    ConcurrentUpdate,
  ],
  write: updateProvider,
});

mutation('deleteResourceProvider', {
  payload: deletedPayload(ResourceProvider, 'uuid', {
    name: 'DeleteResourceProviderPayload',
    description: 'The provider was deleted.',
  }),
  description: 'Deletes a provider without children and allocations, with its inventories.',
  input: [DeleteResourceProviderInput, 'The provider.'],
  errors: [NotFound, ProviderHasChildren, ProviderInUse, ConcurrentUpdate],
  resolve: (input, { ledger }) => deleteProvider(ledger, input),
});
