import { createProvider, deleteProvider } from '../../store/ledger/provider/providers.js';
import { updateProvider } from '../../store/ledger/provider/updateProvider.js';
import { builder } from '../builder.js';
import { GENERATION, optional, optionalList, required } from '../inputFields.js';
import { deletedPayload, idsOf, mutation, providerMutation } from '../mutation.js';
import { AggregateRef, ParentRef, ProviderRef, ResourceProvider } from '../refs.js';
import { InventoriesEdit, InventoryInput } from './inventory.js';

const NAME = '1 to 200 characters, unique, case-sensitive.';
const PROVIDER = required(ProviderRef, 'The provider.');

const CreateResourceProviderInput = builder.inputType('CreateResourceProviderInput', {
  description: 'A resource provider to create.',
  fields: () => ({
    name: required('String', `The name: ${NAME}`),
    uuid: optional('UUID', 'Generated if omitted.'),
    parent: optional(ProviderRef, 'The parent. Omit it to create a root.'),
    aggregates: optionalList(AggregateRef, 'The aggregates, each once. Unknown uuids are created.'),
    traits: optionalList('String', 'The names of the traits, each once.'),
    inventories: optionalList(InventoryInput, 'The inventories, each class once.'),
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
  return builder.inputType(name, {
    description: `An edit of ${what}, each once. An empty edit is INVALID_INPUT.`,
    fields: () => ({
      set: optional([type], `The whole new set. Excludes add and remove.${note}`),
      add: optional([type], `To add; present ones change nothing.${note}`),
      remove: optional([type], 'To remove; absent ones change nothing.'),
    }),
  });
}

const UpdateResourceProviderInput = builder.inputType('UpdateResourceProviderInput', {
  description: 'The edits of a provider, at least one. Omitted or null parts remain.',
  fields: () => ({
    resourceProvider: PROVIDER,
    generation: optional('Int', `${GENERATION} Omit it to edit the current state.`),
    name: optional('String', `The new name: ${NAME}`),
    parent: optional(ParentRef, 'The new parent, in any tree. Descendants move too.'),
    aggregates: optional(AggregatesEdit, 'The edit of the aggregates.'),
    traits: optional(TraitsEdit, 'The edit of the traits.'),
    inventories: optional(InventoriesEdit, 'The edit of the inventories.'),
  }),
});

const DeleteResourceProviderInput = builder.inputType('DeleteResourceProviderInput', {
  description: 'The provider to delete.',
  fields: () => ({ resourceProvider: PROVIDER }),
});

providerMutation('createResourceProvider', {
  payload: 'The created provider.',
  description: 'Creates a provider with its aggregates, traits and inventories. Its generation is 0.',
  input: [CreateResourceProviderInput, 'The provider.'],
  errors: [
    'OLDER_SERVER',
    'INVALID_INPUT',
    'NOT_FOUND',
    'DUPLICATE_NAME',
    'DUPLICATE_UUID',
    'CONSUMPTION_IN_USE',
  ],
  write: createProvider,
});

providerMutation('updateResourceProvider', {
  payload: 'The updated provider.',
  description:
    'Changes the name, parent, aggregates, traits and inventories of a provider. The generation ' +
    'increments once if anything changes. A capacity may shrink below its usage.',
  input: [UpdateResourceProviderInput, 'The edits.'],
  errors: [
    'OLDER_SERVER',
    'INVALID_INPUT',
    'NOT_FOUND',
    'DUPLICATE_NAME',
    'ILLEGAL_REPARENT',
    'PROVIDER_GENERATION_CONFLICT',
    'INVENTORY_IN_USE',
    'CONSUMPTION_IN_USE',
  ],
  write: updateProvider,
});

mutation('deleteResourceProvider', {
  payload: deletedPayload(ResourceProvider, 'uuid', 'The provider was deleted.'),
  description: 'Deletes a provider without children and allocations, with its inventories.',
  input: [DeleteResourceProviderInput, 'The provider.'],
  errors: ['NOT_FOUND', 'PROVIDER_HAS_CHILDREN', 'PROVIDER_IN_USE'],
  resolve: (input, { ledger }) => deleteProvider(ledger, input),
  written: ({ uuid }) => idsOf(ResourceProvider, [uuid]),
});
