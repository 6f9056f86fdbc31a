import type { InventoryAmounts } from '../domain/inventoryFields.js';

/** Providers and what belongs to them, as the tables have it. */
export interface ProviderRecords {
  readonly providers: readonly ProviderRecord[];
  readonly inventories: readonly InventoryRecord[];
  readonly providerTraits: readonly LinkRecord[];
  readonly providerAggregates: readonly LinkRecord[];
}

export interface NamedRecord {
  readonly id: number;
  readonly name: string;
}

export interface ProviderRecord {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parentId: number | null;
  readonly rootId: number;
}

/** Its ratio is the stored single-precision number, or the decimal that it came from. */
export interface InventoryRecord extends InventoryAmounts {
  readonly providerId: number;
  readonly classId: number;
  /** Sum of all allocations of this provider and class. */
  readonly used: number;
}

/** A provider's trait or aggregate. */
export interface LinkRecord {
  readonly providerId: number;
  readonly id: number;
}
