import type { InventoryAmounts } from '../domain/inventoryFields.js';
import type { ProviderFields } from '../domain/provider.js';

/** Providers and what belongs to them, as the tables have it. */
export interface ProviderRecords {
  readonly providers: readonly ProviderRecord[];
  readonly inventories: readonly InventoryRecord[];
  readonly providerTraits: readonly LinkRecord[];
  readonly providerAggregates: readonly LinkRecord[];
}

/** Dates are seconds since 1970; NOT_RECORDED where there are none. */
export interface ProviderRecord extends ProviderFields {
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NamedRecord {
  readonly id: number;
  readonly name: string;
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
