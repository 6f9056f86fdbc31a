interface Sliceable {
  readonly resourceClass: { readonly name: string };
  readonly capacity: number;
}

/** Inventories of a provider whose classes differ only in a final number, each with a capacity of 1. */
export interface SliceRow<Inventory> {
  /** The common part of the names and the numbers: `CUSTOM_MIG_MEMORY_0–7`. */
  readonly label: string;
  /** At least two, by number. */
  readonly slices: readonly Slice<Inventory>[];
}

interface Slice<Inventory> {
  readonly number: number;
  readonly inventory: Inventory;
}

/** Divides inventories into rows of slices and the others. */
export function slicesIn<Inventory extends Sliceable>(inventories: readonly Inventory[]) {
  const byPrefix = new Map<string, Slice<Inventory>[]>();
  for (const inventory of inventories) {
    const [, prefix, digits] = /^(.*?\D)(\d{1,9})$/.exec(inventory.resourceClass.name) ?? [];
    if (prefix === undefined || inventory.capacity !== 1) continue;
    const slice = { number: Number(digits), inventory };
    const others = byPrefix.get(prefix);
    if (others) others.push(slice);
    else byPrefix.set(prefix, [slice]);
  }
  const rows: SliceRow<Inventory>[] = [];
  for (const [prefix, slices] of byPrefix) {
    if (slices.length < 2) continue;
    slices.sort((one, other) => one.number - other.number);
    rows.push({ label: `${prefix}${rangeOf(slices[0].number, slices.at(-1)!.number)}`, slices });
  }
  const inRows = new Set(rows.flatMap(({ slices }) => slices.map(({ inventory }) => inventory)));
  return { rows, others: inventories.filter((inventory) => !inRows.has(inventory)) };
}

/** Formats numbers as "3" or "0–7". */
export const rangeOf = (first: number, last: number): string =>
  first === last ? String(first) : `${first}–${last}`;
