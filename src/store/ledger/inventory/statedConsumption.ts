import { InvalidInput } from '../../../model/input.js';
import type { ConsumptionInput, ProviderFields } from '../../../model/provider.js';
import { idOf } from '../../sql/catalog.js';
import { inventoryKey } from '../allocation/allocationRows.js';
import { counterOf, type ConsumptionRow } from '../allocation/counters.js';

/** An inventory that an input states, with its path. */
export interface StatedInventory {
  readonly providerId: number;
  readonly resourceClass: string;
  /** Null leaves the consumption of a stored inventory unchanged; a new one has none. */
  readonly consumes: readonly ConsumptionInput[] | null;
  readonly path: readonly string[];
}

/** What the stated inventories consume, in ids. */
export interface StatedConsumption extends StatedInventory {
  readonly classId: number;
  /** In the order of the input. */
  readonly rows: readonly ConsumptionRow[];
}

/** A provider of a tree in its final state. New providers have negative ids. */
export type TreeMember = Pick<ProviderFields, 'id' | 'uuid' | 'name' | 'parentId'>;

/**
 * Finds the counters of stated inventories among the inventories of their providers and the ancestors of these. Rejects
 * other counters (INVALID_INPUT).
 *
 * @param members all providers of the trees in their final state
 */
export function resolveConsumption(
  stated: readonly StatedInventory[],
  members: readonly TreeMember[],
  classes: ReadonlyMap<string, number>,
): StatedConsumption[] {
  const byId = new Map(members.map((row) => [row.id, row]));
  return stated.map((inventory) => {
    const { providerId, resourceClass, consumes, path } = inventory;
    const classId = idOf(classes, resourceClass);
    const rows = (consumes ?? []).map(
      ({ resourceProvider, resourceClass: counter, amount }, at): ConsumptionRow => {
        const here = [...path, 'consumes', String(at)];
        const owner = ancestorNamed(resourceProvider, providerId, byId);
        if (owner === null) {
          const name = resourceProvider.uuid ?? JSON.stringify(resourceProvider.name);
          const message = `resource provider ${name} is neither the provider of the inventory of ${resourceClass} nor an ancestor of it`;
          throw new InvalidInput([...here, 'resourceProvider'], message);
        }
        const counterClassId = idOf(classes, counter);
        return { providerId, classId, counterProviderId: owner.id, counterClassId, amount };
      },
    );
    const seen = new Set<string>();
    for (const [at, row] of rows.entries()) {
      const key = inventoryKey(counterOf(row));
      const here = [...path, 'consumes', String(at)];
      if (seen.has(key))
        throw new InvalidInput(here, `the inventory of ${resourceClass} consumes a counter twice`);
      if (key === inventoryKey(row))
        throw new InvalidInput(here, `the inventory of ${resourceClass} consumes itself`);
      seen.add(key);
    }
    return { ...inventory, classId, rows };
  });
}

function ancestorNamed(
  { uuid, name }: ConsumptionInput['resourceProvider'],
  providerId: number,
  byId: ReadonlyMap<number, TreeMember>,
): TreeMember | null {
  const seen = new Set<number>();
  for (
    let row = byId.get(providerId);
    row !== undefined && !seen.has(row.id);
    row = byId.get(row.parentId ?? 0)
  ) {
    if (uuid == null ? row.name === name : row.uuid === uuid) return row;
    seen.add(row.id);
  }
  return null;
}
