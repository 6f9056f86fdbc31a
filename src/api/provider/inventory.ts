import { allowedUsageOf, freeOf, LARGEST_INTEGER } from '../../model/input.js';
import { builder, objectType } from '../builder.js';
import { optional, optionalList, required, withDefault } from '../inputFields.js';
import type { Context } from '../context.js';
import { CLASS_BY_NAME, Inventory, ProviderLookUp, ResourceProvider } from '../refs.js';
import type { ConsumptionDetail } from './details.js';
import { costOfList } from '../cost/operationCost.js';
import { UTILIZATION } from '../sharedFields.js';

async function findInventory(key: string, { loaders }: Context): Promise<typeof Inventory.$inferType | null> {
  const [uuid, resourceClass] = key.split(':');
  const provider = await loaders.providers.byUuid(uuid);
  if (provider === null) return null;
  const row = (await loaders.inventories.of(provider)).find((each) => each.resourceClass === resourceClass);
  return row === undefined ? null : { ...row, provider };
}

const Consumption = objectType<ConsumptionDetail>('Consumption', {
  description: 'A counter that an inventory consumes.',
  fields: (t) => ({
    resourceProvider: t.field({
      type: ResourceProvider,
      nullable: true,
      description: 'The provider of the counter. Null if another program has deleted it.',
      resolve: ({ counterProvider }, _args, { loaders }) =>
        counterProvider === null ? null : loaders.providers.byUuid(counterProvider),
    }),
    resourceClass: t.field({ ...CLASS_BY_NAME, description: 'The resource class of the counter.' }),
    amount: t.exposeInt('amount', { description: 'The amount for each allocated unit of the inventory.' }),
  }),
});

/** The greatest number of counters that an inventory is expected to consume. */
const MAX_COUNTERS = 16;

builder.node(Inventory, {
  name: 'Inventory',
  description: 'The amount of one resource class of a provider. Its id survives replacement.',
  id: { resolve: ({ provider, resourceClass }) => `${provider.uuid}:${resourceClass}` },
  loadMany: (keys, context) => Promise.all(keys.map((key) => findInventory(key, context))),
  fields: (t) => ({
    resourceProvider: t.expose('provider', { type: ResourceProvider, description: 'The provider.' }),
    resourceClass: t.field(CLASS_BY_NAME),
    total: t.exposeInt('total', { description: 'The total amount in units of the class.' }),
    reserved: t.exposeInt('reserved', { description: 'The part of the total that cannot be allocated.' }),
    allocationRatio: t.exposeFloat('allocationRatio', {
      description: 'The factor of overcommitment, in single precision.',
    }),
    minUnit: t.exposeInt('minUnit', { description: 'The minimum of one allocation.' }),
    maxUnit: t.exposeInt('maxUnit', { description: 'The maximum of one allocation.' }),
    stepSize: t.exposeInt('stepSize', {
      description: 'An amount is a multiple of this, or exactly minUnit.',
    }),
    capacity: t.expose('capacity', {
      type: 'SafeInt',
      description: '(total - reserved) * allocationRatio, rounded down.',
    }),
    used: t.expose('used', { type: 'SafeInt', description: 'The sum of all allocations.' }),
    available: t.field({
      type: 'SafeInt',
      description: 'capacity - used. May be negative. The counters of a partition do not limit it.',
      resolve: freeOf,
    }),
    allowedUsage: t.field({
      type: 'SafeInt',
      description:
        'The largest usage that is not over capacity: `total` if all is reserved, else the capacity.',
      resolve: ({ total, reserved, allocationRatio }) => allowedUsageOf(total, reserved, allocationRatio),
    }),
    utilization: t.field(UTILIZATION),
    consumes: t.field({
      type: [Consumption],
      complexity: costOfList(MAX_COUNTERS),
      description:
        'The counters that each allocated unit consumes, by the id of the provider and of the class.',
      resolve: async ({ provider, resourceClass }, _args, { loaders }) =>
        (await loaders.consumptions.of(provider)).filter(
          (row) => !row.isCounter && row.inventoryClass === resourceClass,
        ),
    }),
    isCounter: t.boolean({
      description:
        'Whether an inventory consumes it. Its allocations follow from those of what consumes it, and cannot be requested.',
      resolve: async ({ provider, resourceClass }, _args, { loaders }) =>
        (await loaders.consumptions.of(provider)).some(
          (row) => row.isCounter && row.resourceClass === resourceClass,
        ),
    }),
  }),
});

/** The descriptions of the fields of an inventory in an input. */
const FIELDS = {
  resourceClass: 'The name of a resource class.',
  total: 'The total amount, at least 1.',
  reserved: 'The reserved amount, 0 to the total.',
  minUnit: 'The minimum of one allocation, at least 1.',
  maxUnit: 'The maximum of one allocation, at least 1.',
  stepSize: 'An amount is a multiple of this, or exactly minUnit. At least 1.',
  allocationRatio: 'The capacity is (total - reserved) * allocationRatio. More than 0.',
};

const ConsumptionInput = builder.inputType('ConsumptionInput', {
  description: 'A counter: an inventory with minUnit 1 and stepSize 1 that consumes nothing itself.',
  fields: () => ({
    resourceProvider: required(
      ProviderLookUp,
      'The provider of the inventory that consumes, or an ancestor of it. In trees, a name of the input comes first.',
    ),
    resourceClass: required('String', 'The name of the resource class of the counter.'),
    amount: withDefault('Int', 1, 'The amount for each allocated unit, at least 1.'),
  }),
});

export const InventoryInput = builder.inputType('InventoryInput', {
  description: 'A whole inventory. Omitted fields get their defaults.',
  fields: () => ({
    resourceClass: required('String', FIELDS.resourceClass),
    total: required('Int', FIELDS.total),
    reserved: withDefault('Int', 0, FIELDS.reserved),
    minUnit: withDefault('Int', 1, FIELDS.minUnit),
    maxUnit: withDefault('Int', LARGEST_INTEGER, FIELDS.maxUnit),
    stepSize: withDefault('Int', 1, FIELDS.stepSize),
    allocationRatio: withDefault('Float', 1, FIELDS.allocationRatio),
    consumes: optionalList(ConsumptionInput, 'The counters that each allocated unit consumes, each once.'),
  }),
});

const InventoryPatch = builder.inputType('InventoryPatch', {
  description: 'A change of an inventory. Omitted or null fields remain.',
  fields: () => ({
    resourceClass: required('String', FIELDS.resourceClass),
    total: optional('Int', FIELDS.total),
    reserved: optional('Int', FIELDS.reserved),
    minUnit: optional('Int', FIELDS.minUnit),
    maxUnit: optional('Int', FIELDS.maxUnit),
    stepSize: optional('Int', FIELDS.stepSize),
    allocationRatio: optional('Float', FIELDS.allocationRatio),
    consumes: optional([ConsumptionInput], 'The whole new list of counters, each once.'),
  }),
});

export const InventoriesEdit = builder.inputType('InventoriesEdit', {
  description: 'An edit of inventories. A class occurs once in add, patch and remove.',
  fields: () => ({
    set: optional([InventoryInput], 'All inventories. Others are deleted. Excludes the other fields.'),
    add: optional([InventoryInput], 'Inventories to create or to replace.'),
    patch: optional([InventoryPatch], 'Changes of stored inventories. A missing one is NOT_FOUND.'),
    remove: optional(
      ['String'],
      'Classes to delete. A missing one is NOT_FOUND, one with allocations INVENTORY_IN_USE.',
    ),
  }),
});
