import { freeOf, utilizationOf } from '../../domain/capacity.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import {
  ConcurrentUpdate,
  InventoryInUse,
  NotFound,
  ProviderGenerationConflict,
} from '../../ledger/errors.js';
import {
  deleteInventory,
  patchInventory,
  setInventories,
  setInventory,
} from '../../ledger/inventory/inventories.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { expectedProvider, looselyExpectedProvider } from '../inputFields.js';
import { providerMutation } from '../mutation.js';
import { Inventory, ResourceClass, ResourceProvider } from '../refs.js';

const LARGEST = '2147483647';

async function findInventory(key: string, { loaders }: Context): Promise<typeof Inventory.$inferType | null> {
  const [uuid, resourceClass] = key.split(':');
  const provider = await loaders.providers.byUuid(uuid);
  if (provider === null) return null;
  const row = (await loaders.inventories.of(provider)).find((each) => each.resourceClass === resourceClass);
  return row === undefined ? null : { ...row, provider };
}

builder.node(Inventory, {
  name: 'Inventory',
  description:
    'What a resource provider offers of one resource class, and how much of it is used. It stays the same when it is replaced.',
  id: { resolve: ({ provider, resourceClass }) => `${provider.uuid}:${resourceClass}` },
  loadMany: (keys, context) => Promise.all(keys.map((key) => findInventory(key, context))),
  fields: (t) => ({
    resourceProvider: t.expose('provider', {
      type: ResourceProvider,
      description: 'The provider that offers it.',
    }),
    resourceClass: t.field({
      type: ResourceClass,
      description: 'What is offered.',
      resolve: ({ resourceClass }) => ({ name: resourceClass }),
    }),
    total: t.exposeInt('total', {
      description: `How much there is, 1 to ${LARGEST}, in units of the class.`,
    }),
    reserved: t.exposeInt('reserved', {
      description: 'How much of the total is kept back; at most the total.',
    }),
    minUnit: t.exposeInt('minUnit', { description: 'The least that one allocation may take.' }),
    maxUnit: t.exposeInt('maxUnit', { description: 'The most that one allocation may take.' }),
    stepSize: t.exposeInt('stepSize', {
      description: 'An allocation takes a multiple of this, or exactly minUnit.',
    }),
    allocationRatio: t.exposeFloat('allocationRatio', {
      description:
        'How often what is not reserved may be given out; above 1 over-commits. Kept in single precision.',
    }),
    capacity: t.expose('capacity', {
      type: 'SafeInt',
      description: 'How much may be in use: (total - reserved) x allocationRatio, rounded down.',
    }),
    used: t.expose('used', { type: 'SafeInt', description: 'How much all consumers together use.' }),
    available: t.field({
      type: 'SafeInt',
      description: 'capacity - used. Negative where the inventory was shrunk below what is used.',
      resolve: freeOf,
    }),
    utilization: t.float({
      nullable: true,
      description:
        'used / capacity: 0 is idle, 1 is full, more is over capacity. Null when the capacity is 0.',
      resolve: utilizationOf,
    }),
  }),
});

export const InventoryInput = builder.inputType('InventoryInput', {
  description:
    'One inventory, whole: what is left out gets its default, whatever was stored before. The capacity must not be ' +
    'negative; shrinking it below what is used is allowed.',
  fields: (t) => ({
    resourceClass: t.string({ required: true, description: 'The name of a known resource class.' }),
    total: t.field({
      type: 'Int',
      required: true,
      description: 'The total amount, at least 1.',
    }),
    reserved: t.field({
      type: 'Int',
      required: true,
      defaultValue: 0,
      description: 'How much is kept back, 0 to the total.',
    }),
    minUnit: t.field({
      type: 'Int',
      required: true,
      defaultValue: 1,
      description: 'The least that one allocation may take, from 1.',
    }),
    maxUnit: t.field({
      type: 'Int',
      required: true,
      defaultValue: 2147483647,
      description: 'The most that one allocation may take, from 1.',
    }),
    stepSize: t.field({
      type: 'Int',
      required: true,
      defaultValue: 1,
      description: 'From 1: an allocation takes a multiple of this, or exactly minUnit.',
    }),
    allocationRatio: t.float({
      required: true,
      defaultValue: 1,
      description: 'More than 0: how often what is not reserved may be given out.',
    }),
  }),
});

const SetInventoriesInput = builder.inputType('SetInventoriesInput', {
  description: 'The whole new set of inventories of a provider.',
  fields: (t) => ({
    ...looselyExpectedProvider(t, 'Required unless the inventories are [], which then go whatever it is.'),
    inventories: t.field({
      type: [InventoryInput],
      required: true,
      description:
        'Every inventory that the provider shall have, each class once. Those not listed are deleted.',
    }),
  }),
});

const SetInventoryInput = builder.inputType('SetInventoryInput', {
  description: 'One inventory of a provider, new or in place of the one of its class.',
  fields: (t) => ({
    ...expectedProvider(t),
    inventory: t.field({
      type: InventoryInput,
      required: true,
      description: 'The inventory as it shall be.',
    }),
  }),
});

const PatchInventoryInput = builder.inputType('PatchInventoryInput', {
  description: 'What to change of an inventory. What is null or left out stays as it is.',
  fields: (t) => ({
    ...looselyExpectedProvider(t, 'Not checked when nothing is said.'),
    resourceClass: t.string({ required: true, description: 'The name of its resource class.' }),
    total: t.field({ type: 'Int', description: `How much there is, 1 to ${LARGEST}.` }),
    reserved: t.field({ type: 'Int', description: 'How much is kept back, 0 to the total.' }),
    minUnit: t.field({ type: 'Int', description: 'The least that one allocation may take, from 1.' }),
    maxUnit: t.field({ type: 'Int', description: 'The most that one allocation may take, from 1.' }),
    stepSize: t.field({
      type: 'Int',
      description: 'From 1: an allocation takes a multiple of this, or exactly minUnit.',
    }),
    allocationRatio: t.float({
      description: 'More than 0: how often what is not reserved may be given out.',
    }),
  }),
});

const DeleteInventoryInput = builder.inputType('DeleteInventoryInput', {
  description: 'The inventory to delete.',
  fields: (t) => ({
    ...looselyExpectedProvider(t, 'Not checked when nothing is said.'),
    resourceClass: t.string({ required: true, description: 'The name of its resource class.' }),
  }),
});

const WRITE_ERRORS = [InvalidInput, NotFound, ProviderGenerationConflict, ConcurrentUpdate];

providerMutation('setInventories', {
  payload: 'The inventories are as given.',
  description:
    'Replaces all inventories of a provider. One that has allocations cannot be left out, but may shrink below ' +
    'what is used.',
  input: [SetInventoriesInput, 'The new set.'],
  errors: [...WRITE_ERRORS, InventoryInUse],
  write: setInventories,
});

providerMutation('setInventory', {
  payload: 'The inventory is as given.',
  description: 'Creates or replaces one inventory of a provider and leaves the others alone.',
  input: [SetInventoryInput, 'The inventory.'],
  errors: WRITE_ERRORS,
  write: setInventory,
});

providerMutation('patchInventory', {
  payload: 'The inventory has what was given, and otherwise what it had.',
  description:
    'Changes some fields of an inventory of a provider and leaves the others as they are. None of the class is NOT_FOUND. ' +
    'Without a generation the server resolves write conflicts by itself.',
  input: [PatchInventoryInput, 'What to change.'],
  errors: WRITE_ERRORS,
  write: patchInventory,
});

providerMutation('deleteInventory', {
  payload: 'The inventory is gone.',
  description: 'Deletes one inventory of a provider; none of its class is NOT_FOUND.',
  input: [DeleteInventoryInput, 'What to delete.'],
  errors: [...WRITE_ERRORS, InventoryInUse],
  write: deleteInventory,
});
