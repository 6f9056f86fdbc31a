export interface ProviderFields {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** Null for a root. */
  readonly parentId: number | null;
  /** Its own id for a root. */
  readonly rootId: number;
}

/** The numbers of an inventory (rules 12-18), in the order of the API and of the columns. */
export const INVENTORY_AMOUNTS = [
  'total',
  'reserved',
  'minUnit',
  'maxUnit',
  'stepSize',
  'allocationRatio',
] as const;

export type InventoryAmounts = Readonly<Record<(typeof INVENTORY_AMOUNTS)[number], number>>;

/** A counter and the amount of it that each allocated unit of an inventory consumes (ADR 52). */
export interface ConsumptionInput {
  /** The provider of the inventory itself, or an ancestor of it, by its uuid or its name. */
  readonly resourceProvider: { readonly uuid?: string | null; readonly name?: string | null };
  readonly resourceClass: string;
  readonly amount: number;
}

export interface InventoryFields extends InventoryAmounts {
  readonly resourceClass: string;
  /** Absent or null: unchanged; a new inventory consumes nothing. */
  readonly consumes?: readonly ConsumptionInput[] | null;
}

/** The trait that makes a provider share its resources through its aggregates (rule 73). */
export const SHARING_TRAIT = 'MISC_SHARES_VIA_AGGREGATE';

/** The trait of a root whose tree is in maintenance and takes no new consumers. */
export const DISABLED_TRAIT = 'COMPUTE_STATUS_DISABLED';
