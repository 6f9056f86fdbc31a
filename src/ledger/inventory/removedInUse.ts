import {
  columns,
  joinedColumns,
  matching,
  read,
  select,
  type Column,
  type RowOf,
} from '../../database/statements.js';
import { batches, COMPARED_AT_ONCE, COUNT_OF_ALL } from '../rows.js';
import { InventoryInUse, ProviderInUse, type ReshapeViolation, type Users } from '../errors.js';
import type { Labels } from '../allocation/allocationRows.js';
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
  for (const row of await allocationsOn(tx, removed, named)) {
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
  const first = new Map<string, number>();
  for (const { text, values } of conditionsOf(removed)) {
    const id = `MIN(${a.id})` as Column<number>;
    const rest = `WHERE ${text} GROUP BY ${a.consumer_id} ORDER BY ${id} LIMIT ${max + 1}`;
    const query = select({ consumer: a.consumer_id, id }, `FROM allocations a ${rest}`);
    for (const row of await read(tx, query, values)) {
      const consumer = tx.spellings.consumers.uuidOf(row.consumer);
      first.set(consumer, Math.min(row.id, first.get(consumer) ?? Infinity));
    }
  }
  const sorted = [...first].sort(([, one], [, other]) => one - other);
  return sorted.slice(0, max + 1).map(([consumer]) => consumer);
}

/** Reads the consumers with allocations of a provider. @param classIds the classes, or null for all */
export async function usersOf(
  tx: Transaction,
  providerId: number,
  classIds: readonly number[] | null = null,
): Promise<Users> {
  const ofClasses = classIds === null ? '' : `AND ${a.resource_class_id} IN (?)`;
  const query = select(
    { consumer: a.consumer_id, count: COUNT_OF_ALL },
    `FROM allocations a WHERE ${a.resource_provider_id} = ? ${ofClasses}
     GROUP BY ${a.consumer_id} ORDER BY MIN(${a.id}) LIMIT ${ProviderInUse.MAX_USERS}`,
  );
  const rows = await read(tx, query, classIds === null ? [providerId] : [providerId, classIds]);
  const first = [...new Set(rows.map(({ consumer }) => tx.spellings.consumers.uuidOf(consumer)))];
  return { count: (rows[0]?.count ?? 0) - (rows.length - first.length), first };
}

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

/** Returns conditions for the allocations of removed providers and inventories, for one statement each. */
function conditionsOf({ providers, inventories }: Removed): ReturnType<typeof matching>[] {
  const ids = providers.map(({ id }) => id);
  const pairs = inventories.map(({ providerId, classId }) => [providerId, classId]);
  return [
    ...(ids.length > 0 ? [{ text: `${a.resource_provider_id} IN (?)`, values: [ids] }] : []),
    ...Array.from(batches(pairs, COMPARED_AT_ONCE), (some) => matching(KEY, some)),
  ];
}

/** Reads allocations of removed providers and inventories by other consumers than the named ones. */
async function allocationsOn(
  tx: Transaction,
  removed: Removed,
  named: readonly string[],
): Promise<RowOf<typeof ALLOCATION>[]> {
  const { consumers: spellings } = tx.spellings;
  const rows: RowOf<typeof ALLOCATION>[] = [];
  for (const { text, values } of conditionsOf(removed)) {
    const rest = `FROM allocations a LEFT JOIN resource_classes k ON ${k.id} = ${a.resource_class_id}
      WHERE (${text}) AND ${a.consumer_id} NOT IN (?)
      ORDER BY ${PLACE}, ${KEY.join(', ')}, ${a.id} LIMIT ${MOST_LISTED}`;
    const others = named.length > 0 ? spellings.textsOf(named) : [''];
    for (const row of await read(tx, select(ALLOCATION, rest), [...values, others]))
      rows.push({ ...row, consumer: spellings.uuidOf(row.consumer) });
  }
  return rows.sort(
    (one, other) => one.providerId - other.providerId || one.classId - other.classId || one.id - other.id,
  );
}
