import { LARGEST_INTEGER } from '../../domain/capacity.js';
import { firstDuplicate } from '../../domain/duplicates.js';
import type { InventoryFields } from '../../domain/inventoryFields.js';
import { InvalidInput, unknownName } from '../../domain/invalidInput.js';

/** One inventory as the API takes it, its defaults filled in (rules 16, 17). */
export type InventoryInput = InventoryFields;

/** The largest ratio that the single-precision column holds, as the reference states it (rule 13). */
const LARGEST_RATIO = 3.40282e38;

/** The least value of each amount (rule 18), in the order of the input. */
const LEAST = { total: 1, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1 } as const;

/**
 * Rejects, first in input order, an unknown resource class (decision D12), an amount out of its range (rules 12,
 * 18), reserved above total (22) and a ratio that is not above 0 (decision D4) or too large (13), also once it is
 * stored as a single-precision number. min_unit, max_unit, step_size and total need not agree with one another (23).
 */
export function checkInventory(
  input: InventoryInput,
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): void {
  const of = `of the inventory of ${input.resourceClass}`;
  if (!known.has(input.resourceClass)) {
    throw unknownName('resource class', input.resourceClass, [...path, 'resourceClass']);
  }
  for (const [field, least] of Object.entries(LEAST) as [keyof typeof LEAST, number][]) {
    const value = input[field];
    if (!Number.isInteger(value) || value < least || value > LARGEST_INTEGER) {
      throw new InvalidInput(
        [...path, field],
        `${field} ${of} is ${value}: it must be a whole number from ${least} to ${LARGEST_INTEGER}`,
      );
    }
    if (field === 'reserved' && value > input.total) {
      throw new InvalidInput(
        [...path, field],
        `reserved ${of} is ${value}, more than its total of ${input.total}`,
      );
    }
  }
  const ratio = input.allocationRatio;
  if (!(Math.fround(ratio) > 0 && ratio <= LARGEST_RATIO)) {
    throw new InvalidInput(
      [...path, 'allocationRatio'],
      `allocationRatio ${of} is ${ratio}: it must be above 0, also in single precision, and at most ${LARGEST_RATIO}`,
    );
  }
}

/** Checks each inventory of a provider's set, and that no resource class is in it twice (decision D7). */
export function checkInventories(
  inputs: readonly InventoryInput[],
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): void {
  const repeated = firstDuplicate(inputs.map(({ resourceClass }) => resourceClass));
  inputs.forEach((input, index) => {
    const at = [...path, String(index)];
    if (index === repeated) {
      throw new InvalidInput(
        [...at, 'resourceClass'],
        `resource class ${input.resourceClass} is given twice`,
      );
    }
    checkInventory(input, at, known);
  });
}
