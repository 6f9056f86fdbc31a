/** The numbers of an inventory (rules 12-18), in the order of the API and of the database's columns. */
export const INVENTORY_AMOUNTS = [
  'total',
  'reserved',
  'minUnit',
  'maxUnit',
  'stepSize',
  'allocationRatio',
] as const;

export type InventoryAmounts = Readonly<Record<(typeof INVENTORY_AMOUNTS)[number], number>>;

/** An inventory as it is given and shown: of one resource class, by name. */
export interface InventoryFields extends InventoryAmounts {
  readonly resourceClass: string;
}
