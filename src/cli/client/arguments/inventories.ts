import type { InventoryInput } from '../../../generated/client/operations.js';
import { Failure } from '../connection/failure.js';

/** The fields of an inventory that can be set, as OpenStack's command line has them, and as the API has them. */
const FIELDS: Readonly<Record<string, InventoryField>> = {
  total: 'total',
  reserved: 'reserved',
  min_unit: 'minUnit',
  max_unit: 'maxUnit',
  step_size: 'stepSize',
  allocation_ratio: 'allocationRatio',
};

type InventoryField = Exclude<keyof InventoryInput, 'resourceClass'>;

/** What is said of one inventory. */
export type InventoryChange = Partial<InventoryInput> & { readonly resourceClass: string };

/**
 * `VCPU=16` and `VCPU:reserved=2`: fields of inventories, one of each resource class.
 *
 * @returns the inventories in the order in which they are named first
 */
export function readInventories(texts: readonly string[]): InventoryChange[] {
  const changes = new Map<string, InventoryChange>();
  for (const text of texts) {
    const [, resourceClass, name = 'total', value] = /^(\w+)(?::(\w+))?=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    const field = FIELDS[name] ?? Object.values(FIELDS).find((each) => each === name);
    if (resourceClass === undefined || field === undefined)
      throw Failure.usage(
        `"${text}" must be such as VCPU=16 or VCPU:reserved=2; the fields are ${Object.keys(FIELDS).join(', ')}`,
      );
    changes.set(resourceClass, { ...changes.get(resourceClass), resourceClass, [field]: Number(value) });
  }
  return [...changes.values()];
}

/** An inventory that is given whole: it has a total. */
export function whole(change: InventoryChange): InventoryInput {
  const { total } = change;
  if (total === undefined)
    throw Failure.usage(`${change.resourceClass} has no total: say ${change.resourceClass}=<total> as well`);
  return { ...change, total };
}
