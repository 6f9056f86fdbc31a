import type { ConsumerAllocationsInput } from '../../../model/input.js';
import { readHeldConsumers } from '../../sql/consumers.js';
import { columns, read, select } from '../../sql/statements.js';
import type { Transaction } from '../transaction.js';
import type { ConsumptionPlan } from '../inventory/consumption.js';
import { consumersUsing } from '../inventory/removedInUse.js';

const c = columns('placement_consumptions', 'c');
const p = columns('resource_providers', 'p');
const k = columns('resource_classes', 'k');
const COUNTERS = select(
  { provider: p.uuid, resourceClass: k.name },
  `FROM placement_consumptions c JOIN resource_providers p ON ${p.id} = ${c.counter_provider_id}
     JOIN resource_classes k ON ${k.id} = ${c.counter_class_id}
   WHERE ${c.counter_provider_id} IN (SELECT ${c.counter_provider_id} FROM placement_consumptions c
                                       WHERE ${c.provider_id} IN (?) OR ${c.counter_provider_id} IN (?))
   GROUP BY ${p.uuid}, ${k.name}`,
);

/**
 * Returns the consumers of inventories whose consumption changes, without those that an input names: with all their
 * allocations except counters. Writing them replaces the counters.
 */
export async function affectedConsumers(
  tx: Transaction,
  { affected }: ConsumptionPlan,
  named: readonly ConsumerAllocationsInput[],
): Promise<ConsumerAllocationsInput[]> {
  if (affected.length === 0) return [];
  const users = await consumersUsing(tx, { providers: [], inventories: affected }, MAX_CONSUMERS);
  const given = new Set(named.map(({ consumer }) => consumer));
  const others = users.filter((uuid) => !given.has(uuid));
  if (others.length === 0) return [];
  const held = await readHeldConsumers({ pool: tx, spellings: tx.spellings }, others);
  const providers = [...new Set(affected.map(({ providerId }) => providerId))];
  const rows = await read(tx, COUNTERS, [providers, providers]);
  const counters = new Set(rows.map((row) => `${row.provider} ${row.resourceClass}`));
  return Array.from(held.values(), ({ uuid, generation, projectId, userId, allocations }) => ({
    consumer: uuid,
    generation,
    projectId,
    userId,
    allocations: allocations.flatMap(({ resourceProvider, resources }) => {
      const own = resources.filter(
        ({ resourceClass }) => !counters.has(`${resourceProvider} ${resourceClass}`),
      );
      return own.length === 0 ? [] : { resourceProvider, resources: own };
    }),
  }));
}

/** Far above the number of consumers of the inventories of one write. */
const MAX_CONSUMERS = 1_000_000;
