import { capacityOf } from '../../domain/capacity.js';
import type { InventoryAmounts } from '../../domain/inventoryFields.js';
import type { ProviderFields } from '../../domain/provider.js';
import { type Block, rootRow } from '../../engine/model/snapshot.js';

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

/** One provider with all that a snapshot holds of it. */
export interface ProviderData extends ProviderRecord {
  readonly inventories: readonly InventoryData[];
  readonly traits: readonly number[];
  readonly aggregates: readonly number[];
}

/** An inventory as the search reads it: the capacity instead of what it is computed from. */
export interface InventoryData extends Omit<
  InventoryRecord,
  'providerId' | 'total' | 'reserved' | 'allocationRatio'
> {
  readonly capacity: number;
}

/** The providers of one tree of a block. */
export function providersIn(block: Block, tree: number): ProviderData[] {
  const providers: ProviderData[] = [];
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
    const parent = block.parents[row];
    providers.push({
      id: block.ids[row],
      uuid: block.uuids[row],
      name: block.names[row],
      generation: block.generations[row],
      parentId: parent < 0 ? null : block.ids[parent],
      rootId: block.ids[rootRow(block, row)],
      createdAt: block.createdAt[row],
      updatedAt: block.updatedAt[row],
      inventories: inventoriesOf(block, row),
      traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])],
      aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])],
    });
  }
  return providers;
}

function inventoriesOf(block: Block, row: number): InventoryData[] {
  const inventories: InventoryData[] = [];
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
    inventories.push({
      classId: block.classes[at],
      capacity: block.capacities[at],
      used: block.used[at],
      minUnit: block.minUnits[at],
      maxUnit: block.maxUnits[at],
      stepSize: block.stepSizes[at],
    });
  }
  return inventories;
}

/** Puts each provider together with what belongs to it. */
export function providersFrom(records: ProviderRecords): ProviderData[] {
  const inventories = grouped(records.inventories, inventoryFrom);
  const traits = grouped(records.providerTraits, ({ id }) => id);
  const aggregates = grouped(records.providerAggregates, ({ id }) => id);
  return records.providers.map((provider) => ({
    ...provider,
    inventories: inventories.get(provider.id) ?? [],
    traits: traits.get(provider.id) ?? [],
    aggregates: aggregates.get(provider.id) ?? [],
  }));
}

function inventoryFrom(row: InventoryRecord): InventoryData {
  const { classId, used, minUnit, maxUnit, stepSize } = row;
  const capacity = capacityOf(row.total, row.reserved, row.allocationRatio);
  return { classId, capacity, used, minUnit, maxUnit, stepSize };
}

/** What is picked of rows, in their order, by the provider that they belong to. */
export function grouped<Row extends { readonly providerId: number }, Value>(
  rows: readonly Row[],
  pick: (row: Row) => Value,
): Map<number, Value[]> {
  const groups = new Map<number, Value[]>();
  for (const row of rows) {
    const group = groups.get(row.providerId);
    if (group === undefined) groups.set(row.providerId, [pick(row)]);
    else group.push(pick(row));
  }
  return groups;
}

export function isSame(one: ProviderData, other: ProviderData): boolean {
  return contentOf(one) === contentOf(other);
}

function contentOf({ inventories, traits, aggregates, ...provider }: ProviderData): string {
  const { uuid, name, generation, parentId, rootId } = provider;
  const amounts = inventories
    .map(({ classId, capacity, used, minUnit, maxUnit, stepSize }) =>
      [classId, capacity, used, minUnit, maxUnit, stepSize].join(':'),
    )
    .sort();
  return JSON.stringify([
    [uuid, name, generation, parentId, rootId],
    amounts,
    [...traits].sort(),
    [...aggregates].sort(),
  ]);
}
