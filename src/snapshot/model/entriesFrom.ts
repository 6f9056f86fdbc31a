import { capacityOf } from '../../domain/capacity.js';
import type { ProviderEntry } from './entries.js';
import type { InventoryRecord, ProviderRecords } from '../records.js';

/** Puts each provider together with what belongs to it. */
export function entriesFrom(records: ProviderRecords): ProviderEntry[] {
  const stock = grouped(records.inventories, stockFrom);
  const traits = grouped(records.providerTraits, ({ id }) => id);
  const aggregates = grouped(records.providerAggregates, ({ id }) => id);
  return records.providers.map((provider) => ({
    ...provider,
    stock: stock.get(provider.id) ?? [],
    traits: traits.get(provider.id) ?? [],
    aggregates: aggregates.get(provider.id) ?? [],
  }));
}

function stockFrom(row: InventoryRecord): ProviderEntry['stock'][number] {
  const { classId, used, minUnit, maxUnit, stepSize } = row;
  const capacity = capacityOf(row.total, row.reserved, row.allocationRatio);
  return { classId, capacity, used, minUnit, maxUnit, stepSize };
}

function grouped<Row extends { readonly providerId: number }, Value>(
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
