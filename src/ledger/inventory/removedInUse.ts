import {
  columns,
  joinedColumns,
  matching,
  read,
  execute,
  select,
  tables,
  type RowOf,
} from '../../database/statements.js';
import { batches, COMPARED_AT_ONCE } from '../rows.js';
import { InventoryInUse, ProviderInUse, type ReshapeViolation } from '../errors.js';
import type { Labels } from '../allocation/violations.js';
import type { ProviderRow } from '../provider/providerRows.js';
import type { InventoryKey } from './inventoryUsage.js';
import type { Transaction } from '../transaction.js';

/** The providers that a write removes, and the inventories that it removes from other providers. */
export interface Removed {
  readonly providers: readonly Pick<ProviderRow, 'id'>[];
  readonly inventories: readonly InventoryKey[];
}

/** The maximum number of listed violations of one kind, in the order of PLACE. */
const MOST_LISTED = 1000;

/**
 * Returns one violation for each removed provider or inventory and each unnamed consumer with allocations of it (rule
 * 185).
 */
export async function removalViolations(
  tx: Transaction,
  removed: Removed,
  named: readonly string[],
  labels: Labels,
): Promise<ReshapeViolation[]> {
  const gone = new Set(removed.providers.map(({ id }) => id));
  const onProviders = new Map<string, ReshapeViolation>();
  const onInventories: ReshapeViolation[] = [];
  for (const row of await allocationsOn(tx, removed, named, `LIMIT ${MOST_LISTED}`)) {
    const { consumer, providerId, classId, className } = row;
    if (gone.has(providerId)) {
      const rejection = new ProviderInUse(labels.provider(providerId));
      onProviders.set(`${providerId}:${consumer}`, { rejection, consumer });
    } else {
      const rejection = new InventoryInUse(labels.provider(providerId), [className ?? String(classId)]);
      onInventories.push({ rejection, consumer });
    }
  }
  return [...onProviders.values(), ...onInventories];
}

/**
 * Returns the consumers with an allocation of a removed provider or inventory, in the order of
 * their first such allocation. Returns at most `max` consumers, and one more if there are more.
 */
export async function consumersUsing(tx: Transaction, removed: Removed, max: number): Promise<string[]> {
  const { providers, inventories } = removed;
  const first = new Map<string, number>();
  const read = async (allocations: typeof FIRST_ALLOCATIONS): Promise<void> => {
    for (const { consumer, id } of await execute(tx, allocations.limit(max + 1)))
      first.set(consumer, Math.min(id, first.get(consumer) ?? Infinity));
  };
  const ids = providers.map(({ id }) => id);
  if (ids.length > 0) await read(FIRST_ALLOCATIONS.where('resource_provider_id', 'in', ids));
  for (const keys of batches(inventories, COMPARED_AT_ONCE))
    await read(
      FIRST_ALLOCATIONS.where((eb) =>
        eb.or(
          keys.map(({ providerId, classId }) =>
            eb.and([eb('resource_provider_id', '=', providerId), eb('resource_class_id', '=', classId)]),
          ),
        ),
      ),
    );
  const sorted = [...first].sort(([, one], [, other]) => one - other);
  return sorted.slice(0, max + 1).map(([consumer]) => consumer);
}

/** Selects each consumer with the id of its first allocation, ordered by this id. */
const FIRST_ALLOCATIONS = tables
  .selectFrom('allocations')
  .groupBy('consumer_id')
  .select(({ fn }) => ['consumer_id as consumer', fn.min<number>('id').as('id')])
  .orderBy(({ fn }) => fn.min('id'));

const a = columns('allocations', 'a');
const k = joinedColumns('resource_classes', 'k');
const KEY = [a.resource_provider_id, a.resource_class_id];
const ALLOCATION = {
  id: a.id,
  consumer: a.consumer_id,
  providerId: a.resource_provider_id,
  classId: a.resource_class_id,
  className: k.name,
};
/** Orders by the first allocation of each inventory, then the second of each, and so on. */
const PLACE = `ROW_NUMBER() OVER (PARTITION BY ${KEY.join(', ')} ORDER BY ${a.id})`;

async function allocationsOn(
  tx: Transaction,
  { providers, inventories }: Removed,
  named: readonly string[],
  limit: string,
): Promise<RowOf<typeof ALLOCATION>[]> {
  const others = named.length > 0 ? named : [''];
  const find = (condition: string, values: readonly unknown[]): Promise<RowOf<typeof ALLOCATION>[]> => {
    const text = `FROM allocations a LEFT JOIN resource_classes k ON ${k.id} = ${a.resource_class_id}
      WHERE (${condition}) AND ${a.consumer_id} NOT IN (?) ORDER BY ${PLACE}, ${KEY.join(', ')}, ${a.id} ${limit}`;
    return read(tx, select(ALLOCATION, text), [...values, others]);
  };
  const rows =
    providers.length > 0
      ? await find(`${a.resource_provider_id} IN (?)`, [providers.map(({ id }) => id)])
      : [];
  for (const keys of batches(inventories, COMPARED_AT_ONCE)) {
    const pairs = keys.map(({ providerId, classId }) => [providerId, classId]);
    const { text, values } = matching(KEY, pairs);
    for (const row of await find(text, values)) rows.push(row);
  }
  return rows.sort(
    (one, other) => one.providerId - other.providerId || one.classId - other.classId || one.id - other.id,
  );
}
