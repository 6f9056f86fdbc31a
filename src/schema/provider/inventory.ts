import { freeOf, LARGEST_INTEGER, utilizationOf } from '../../domain/capacity.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { Inventory, CLASS_BY_NAME, ResourceProvider } from '../refs.js';

async function findInventory(key: string, { loaders }: Context): Promise<typeof Inventory.$inferType | null> {
  const [uuid, resourceClass] = key.split(':');
  const provider = await loaders.providers.byUuid(uuid);
  if (provider === null) return null;
  const row = (await loaders.inventories.of(provider)).find((each) => each.resourceClass === resourceClass);
  return row === undefined ? null : { ...row, provider };
}

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
      description: 'capacity - used. May be negative.',
      resolve: freeOf,
    }),
    utilization: t.float({
      nullable: true,
      description: 'used / capacity. Null if the capacity is 0.',
      resolve: utilizationOf,
    }),
  }),
});

/** The amounts of an inventory as input fields, in the order of the schema. */
const AMOUNTS = {
  total: 'The total amount, at least 1.',
  reserved: 'The reserved amount, 0 to the total.',
  minUnit: 'The minimum of one allocation, at least 1.',
  maxUnit: 'The maximum of one allocation, at least 1.',
  stepSize: 'An amount is a multiple of this, or exactly minUnit. At least 1.',
} as const;
const DEFAULTS = { reserved: 0, minUnit: 1, maxUnit: LARGEST_INTEGER, stepSize: 1 };
const RATIO = 'The capacity is (total - reserved) * allocationRatio. More than 0.';
const CLASS = 'The name of a resource class.';

export const InventoryInput = builder.inputType('InventoryInput', {
  description: 'A whole inventory. Omitted fields get their defaults.',
  fields: (t) => {
    const amount = (field: keyof typeof DEFAULTS) =>
      t.field({ type: 'Int', required: true, defaultValue: DEFAULTS[field], description: AMOUNTS[field] });
    return {
      resourceClass: t.string({ required: true, description: CLASS }),
      total: t.int({ required: true, description: AMOUNTS.total }),
      reserved: amount('reserved'),
      minUnit: amount('minUnit'),
      maxUnit: amount('maxUnit'),
      stepSize: amount('stepSize'),
      allocationRatio: t.float({ required: true, defaultValue: 1, description: RATIO }),
    };
  },
});

const InventoryPatch = builder.inputType('InventoryPatch', {
  description: 'A change of an inventory. Omitted or null fields remain.',
  fields: (t) => {
    const amount = (field: keyof typeof AMOUNTS) => t.int({ description: AMOUNTS[field] });
    return {
      resourceClass: t.string({ required: true, description: CLASS }),
      total: amount('total'),
      reserved: amount('reserved'),
      minUnit: amount('minUnit'),
      maxUnit: amount('maxUnit'),
      stepSize: amount('stepSize'),
      allocationRatio: t.float({ description: RATIO }),
    };
  },
});

export const InventoriesEdit = builder.inputType('InventoriesEdit', {
  description: 'An edit of inventories. A class occurs once in add, patch and remove.',
  fields: (t) => ({
    set: t.field({
      type: [InventoryInput],
      description: 'All inventories. Others are deleted. Excludes the other fields.',
    }),
    add: t.field({ type: [InventoryInput], description: 'Inventories to create or to replace.' }),
    patch: t.field({
      type: [InventoryPatch],
      description: 'Changes of stored inventories. A missing one is NOT_FOUND.',
    }),
    remove: t.stringList({
      description: 'Classes to delete. A missing one is NOT_FOUND, one with allocations INVENTORY_IN_USE.',
    }),
  }),
});
