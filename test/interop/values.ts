import type { InventoryAmounts } from '../../src/model/provider.js';
import type { InventoryRecord } from '../support/forest.js';

export function differ(one: unknown, other: unknown): boolean {
  return canonical(one) !== canonical(other);
}

/** Equal for equal values, whatever the order of an object's fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Returns the columns of an inventory by the names of the API. */
export function amountsOf(record: InventoryRecord): InventoryAmounts {
  return renamed(record, (column) => column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
}

/** Returns the fields of an inventory by the names of the columns. */
export function recordOf(amounts: InventoryAmounts): InventoryRecord {
  return renamed(amounts, (field) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function renamed<Renamed>(record: object, rename: (name: string) => string): Renamed {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [rename(name), value as unknown]),
  ) as Renamed;
}
