import { groupBy } from '../../domain/collections.js';
import { capacityOf } from '../../domain/capacity.js';
import type { InventoryAmounts, ProviderFields } from '../../domain/provider.js';
import { type Block, rootRow, type Names } from '../../engine/model/snapshot.js';

export interface ProviderRecords {
  readonly providers: readonly ProviderRecord[];
  readonly inventories: readonly InventoryRecord[];
  readonly providerTraits: readonly LinkRecord[];
  readonly providerAggregates: readonly LinkRecord[];
}

/** Dates are seconds since 1970 or NOT_RECORDED. */
export interface ProviderRecord extends ProviderFields {
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NamedRecord {
  readonly id: number;
  readonly name: string;
}

/** The ratio is the stored single-precision number or its decimal. */
export interface InventoryRecord extends InventoryAmounts {
  readonly providerId: number;
  readonly classId: number;
  readonly used: number;
}

export interface LinkRecord {
  readonly providerId: number;
  readonly id: number;
}

export interface ProviderData extends ProviderRecord {
  readonly inventories: readonly InventoryData[];
  readonly traits: readonly number[];
  readonly aggregates: readonly number[];
}

export interface InventoryData extends Omit<
  InventoryRecord,
  'providerId' | 'total' | 'reserved' | 'allocationRatio'
> {
  readonly capacity: number;
}

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

export function providersFrom(records: ProviderRecords): ProviderData[] {
  const providerIdOf = ({ providerId }: { readonly providerId: number }): number => providerId;
  const inventories = groupBy(records.inventories, providerIdOf);
  const traits = groupBy(records.providerTraits, providerIdOf);
  const aggregates = groupBy(records.providerAggregates, providerIdOf);
  return records.providers.map((provider) => ({
    ...provider,
    inventories: inventories.get(provider.id)?.map(inventoryFrom) ?? [],
    traits: traits.get(provider.id)?.map(({ id }) => id) ?? [],
    aggregates: aggregates.get(provider.id)?.map(({ id }) => id) ?? [],
  }));
}

function inventoryFrom(row: InventoryRecord): InventoryData {
  const { classId, used, minUnit, maxUnit, stepSize } = row;
  const capacity = capacityOf(row.total, row.reserved, row.allocationRatio);
  return { classId, capacity, used, minUnit, maxUnit, stepSize };
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

export class NameTable implements Names {
  private readonly ids = new Map<string, number>();
  private readonly names = new Map<number, string>();
  /** Deleted ids. A provider that was read before its names may still refer to them. */
  private readonly deleted: ReadonlyMap<number, string>;

  constructor(records: readonly NamedRecord[], previous?: NameTable) {
    for (const { id, name } of records) {
      this.ids.set(name, id);
      this.names.set(id, name);
    }
    const known = previous === undefined ? [] : [...previous.deleted, ...previous.names];
    this.deleted = new Map(known.filter(([id]) => !this.names.has(id)));
  }

  idOf(name: string): number | undefined {
    return this.ids.get(name);
  }

  has(id: number): boolean {
    return this.names.has(id);
  }

  entries(): Iterable<readonly [id: number, name: string]> {
    return this.names;
  }

  nameOf(id: number): string {
    const name = this.names.get(id) ?? this.deleted.get(id);
    if (name === undefined) throw new Error(`no name is known for id ${id}`);
    return name;
  }
}
