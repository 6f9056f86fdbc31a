import { kindSet } from '../../../model/recordedChanges.js';
import { InvalidInput } from '../../../model/input.js';
import { findProviders, markChanged } from '../provider/providerRows.js';
import { changeOf, type Transaction } from '../transaction.js';
import {
  inventoryKey,
  writeAllocations,
  type AllocationChange,
  type AllocationRow,
  type StoredAllocation,
} from './allocationRows.js';
import { providersHeld } from './consumerPlan.js';
import { bumpConsumers, readConsumerRecords } from './consumerRows.js';
import { readCounters, type Consumption } from './counters.js';

/**
 * Returns the rows to write to remove the selected allocations of a consumer, and to set the amounts of its counters to
 * what the others consume. INVALID_INPUT if only counters are selected.
 */
export function withoutSelected(
  named: readonly StoredAllocation[],
  consumption: Consumption,
  isSelected: (row: StoredAllocation) => boolean,
): AllocationChange {
  const selected = named.filter(isSelected);
  if (consumption.isEmpty) return { removed: selected, added: [] };
  const own = selected.filter((row) => !consumption.isCounter(row));
  if (own.length === 0 && selected.length > 0)
    throw new InvalidInput(
      [],
      'only counters are named, whose amounts follow from what consumes them: name the allocations that consume them',
    );
  const left = named.filter((row) => !own.includes(row));
  const counters = named.filter((row) => consumption.isCounter(row));
  const wanted = consumption.complete(left).filter((row) => consumption.isCounter(row));
  const change = changeOf<StoredAllocation, AllocationRow>(
    counters,
    wanted,
    inventoryKey,
    (one, other) => one.used === other.used,
  );
  return { removed: [...own, ...change.removed], added: change.added };
}

/**
 * Sets the amounts of the counters of a consumer to what its other allocations consume, whatever their capacity. Bumps the
 * consumer and the providers of the counters that change. Usage that quotas count is not adapted.
 */
export async function rewriteCounters(tx: Transaction, consumer: string): Promise<void> {
  const records = await readConsumerRecords(tx, [{ consumer, projectId: '', userId: '', allocations: [] }]);
  const { stored, named } = records;
  const row = stored.get(consumer);
  if (row === undefined) return;
  const held = await findProviders(tx, [], providersHeld(named));
  const { consumption, providers } = await readCounters(tx, providersHeld(named));
  const change = withoutSelected(named, consumption, () => false);
  const taken = new Set([...change.removed, ...change.added].map(({ providerId }) => providerId));
  if (taken.size === 0) return;
  const known = new Map([...providers, ...held.values()].map((each) => [each.id, each]));
  const changed = [...known.values()].filter(({ id }) => taken.has(id));
  markChanged(tx, changed, kindSet('USAGE'));
  bumpConsumers(tx, [row]);
  writeAllocations(tx, change, () => row.text);
}
