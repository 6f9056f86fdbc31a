import type { ProviderFields } from '../../../model/provider.js';
import {
  columns,
  joinedColumns,
  matching,
  read,
  select,
  type Column,
  type RowOf,
} from '../../sql/statements.js';
import { batches, COMPARED_AT_ONCE, COUNT_OF_ALL, type Transaction } from '../transaction.js';
import {
  InventoryInUse,
  ProviderInUse,
  type ReshapeViolation,
  type Users,
} from '../../../model/rejections.js';
import { inventoryKey, type AllocationRow, type InventoryKey } from '../allocation/allocationRows.js';
import type { Labels } from '../allocation/usage.js';

/** The providers that a write removes, and the inventories that it removes from other providers. */
export interface Removed {
  readonly providers: readonly Pick<ProviderFields, 'id'>[];
  readonly inventories: readonly InventoryKey[];
}

/** The maximum number of listed violations of one kind. */
const MOST_LISTED = 1000;

/** The first violations of each kind, and the number of all violations. */
export interface RemovalViolations {
  readonly first: readonly ReshapeViolation[];
  readonly count: number;
}

/**
 * Returns one violation for each removed provider or inventory and each unnamed consumer with allocations of it (rule
 * 185).
 */
export async function removalViolations(
  tx: Transaction,
  removed: Removed,
  named: readonly string[],
  labels: Labels,
): Promise<RemovalViolations> {
  const { uses, count } = await usesOf(tx, removed, named);
  const gone = new Set(removed.providers.map(({ id }) => id));
  const first = uses.map(({ consumer, providerId, classId, className }) => {
    const provider = labels.provider(providerId);
    const rejection = gone.has(providerId)
      ? new ProviderInUse(provider)
      : new InventoryInUse(provider, [className ?? String(classId)]);
    return { rejection, consumer };
  });
  return { first: providersFirst(first), count };
}

/** Returns the violations of {@link removalViolations} by the allocations that a write leaves to consumers. */
export function violationsOfLeft(
  rows: readonly AllocationRow[],
  { providers, inventories }: Removed,
  labels: Labels,
): RemovalViolations {
  const gone = new Set(providers.map(({ id }) => id));
  const removed = new Set(inventories.map(inventoryKey));
  const found = new Map<string, ReshapeViolation>();
  for (const row of rows) {
    const { consumer, providerId, classId } = row;
    const provider = labels.provider(providerId);
    if (gone.has(providerId))
      found.set(`${consumer} ${providerId}`, { consumer, rejection: new ProviderInUse(provider) });
    else if (removed.has(inventoryKey(row))) {
      const rejection = new InventoryInUse(provider, [labels.class(classId)]);
      found.set(`${consumer} ${inventoryKey(row)}`, { consumer, rejection });
    }
  }
  return { first: providersFirst([...found.values()]), count: found.size };
}

function providersFirst(violations: readonly ReshapeViolation[]): ReshapeViolation[] {
  const isOnProvider = ({ rejection }: ReshapeViolation): boolean => rejection instanceof ProviderInUse;
  return [...violations.filter(isOnProvider), ...violations.filter((each) => !isOnProvider(each))];
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
const FIRST_ID = `MIN(${a.id})` as Column<number>;
const USE = {
  id: FIRST_ID,
  consumer: a.consumer_id,
  providerId: a.resource_provider_id,
  classId: `MIN(${a.resource_class_id})` as Column<number>,
  className: `MIN(${k.name})` as Column<string | null>,
  count: COUNT_OF_ALL,
};

/** A condition for allocations, and the columns that identify what is removed. */
interface Condition extends ReturnType<typeof matching> {
  readonly key: readonly Column[];
}

/** Returns conditions for the allocations of removed providers and inventories, for one statement each. */
function conditionsOf({ providers, inventories }: Removed): Condition[] {
  const ids = providers.map(({ id }) => id);
  const pairs = inventories.map(({ providerId, classId }) => [providerId, classId]);
  const provider = a.resource_provider_id;
  return [
    ...(ids.length > 0 ? [{ text: `${provider} IN (?)`, values: [ids], key: [provider] }] : []),
    ...Array.from(batches(pairs, COMPARED_AT_ONCE), (some) => ({ ...matching(KEY, some), key: KEY })),
  ];
}

type Use = Omit<RowOf<typeof USE>, 'count'>;

/**
 * Reads the other consumers than the named ones that use removed providers and inventories: the first one of each,
 * then the second one of each, and so on. Returns at most MOST_LISTED for each condition, and counts all.
 */
async function usesOf(
  tx: Transaction,
  removed: Removed,
  named: readonly string[],
): Promise<{ readonly uses: readonly Use[]; readonly count: number }> {
  const { consumers: spellings } = tx.spellings;
  const uses = new Map<string, Use>();
  let count = 0;
  for (const { text, values, key } of conditionsOf(removed)) {
    const order = `ROW_NUMBER() OVER (PARTITION BY ${key.join(', ')} ORDER BY ${FIRST_ID})`;
    const rest = `FROM allocations a LEFT JOIN resource_classes k ON ${k.id} = ${a.resource_class_id}
      WHERE (${text}) AND ${a.consumer_id} NOT IN (?)
      GROUP BY ${key.join(', ')}, ${a.consumer_id}
      ORDER BY ${order}, ${key.join(', ')}, ${FIRST_ID} LIMIT ${MOST_LISTED}`;
    const others = named.length > 0 ? spellings.textsOf(named) : [''];
    const rows = await read(tx, select(USE, rest), [...values, others]);
    const before = uses.size;
    for (const row of rows) {
      const consumer = spellings.uuidOf(row.consumer);
      const classId = key === KEY ? row.classId : '';
      uses.set(`${row.providerId} ${classId} ${consumer}`, { ...row, consumer });
    }
    const spelledAgain = rows.length - (uses.size - before);
    count += (rows[0]?.count ?? 0) - spelledAgain;
  }
  const sorted = [...uses.values()].sort(
    (one, other) => one.providerId - other.providerId || one.classId - other.classId || one.id - other.id,
  );
  return { uses: sorted, count };
}
