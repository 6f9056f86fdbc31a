import { groupBy } from '../../../model/collections.js';
import { InvalidInput } from '../../../model/input.js';
import { ConsumptionInUse } from '../../../model/rejections.js';
import { columns, deletionFrom, insertion, matching, read, select, unionAll } from '../../sql/statements.js';
import { checkServersKnow } from '../../feed/olderServers.js';
import { inventoryKey, type AllocationRow, type InventoryKey } from '../allocation/allocationRows.js';
import { Consumption, counterOf, type ConsumptionRow } from '../allocation/counters.js';
import { batches, changeOf, COMPARED_AT_ONCE, type RowChange, type Transaction } from '../transaction.js';
import type { StatedConsumption, TreeMember } from './statedConsumption.js';
import { storedInventories, type InventoryChange, type InventoryRow } from './inventoryRows.js';

/** The rows of placement_consumptions to delete and to insert, and the counters' providers that change with them. */
export interface ConsumptionChange extends RowChange<ConsumptionRow> {
  /** The ids of stored providers with a counter of an inserted row. */
  readonly counterProviders: readonly number[];
}

export const NO_CONSUMPTION: ConsumptionChange = { removed: [], added: [], counterProviders: [] };

const c = columns('placement_consumptions');
const ROW = {
  providerId: c.provider_id,
  classId: c.class_id,
  counterProviderId: c.counter_provider_id,
  counterClassId: c.counter_class_id,
  amount: c.amount,
};
const OF_PROVIDERS = unionAll(
  [c.provider_id, c.counter_provider_id].map((id) =>
    select(ROW, `FROM placement_consumptions WHERE ${id} IN (?)`),
  ),
);
const PRIMARY = [c.provider_id, c.class_id, c.counter_provider_id, c.counter_class_id];
const INSERT = insertion('placement_consumptions', [
  'provider_id',
  'class_id',
  'counter_provider_id',
  'counter_class_id',
  'amount',
]);

const keyOf = (row: ConsumptionRow): string => `${inventoryKey(row)} ${inventoryKey(counterOf(row))}`;

/**
 * Reads what the inventories of these providers consume, and what consumes their counters. Also reads the whole
 * consumption of the counters that it finds.
 */
export async function readConsumption(tx: Transaction, ids: Iterable<number>): Promise<ConsumptionRow[]> {
  const rows = new Map<string, ConsumptionRow>();
  let open = [...new Set(ids)].filter((id) => id > 0);
  const known = new Set<number>();
  while (open.length > 0) {
    for (const id of open) known.add(id);
    for (const batch of batches(open))
      for (const row of await read(tx, OF_PROVIDERS, [batch, batch])) rows.set(keyOf(row), row);
    open = [...new Set(Array.from(rows.values(), (row) => row.counterProviderId))].filter(
      (id) => !known.has(id),
    );
  }
  return [...rows.values()];
}

/** The changes of a write from which its final consumption follows. */
export interface ConsumptionRequest {
  readonly stated: readonly StatedConsumption[];
  readonly inventories: InventoryChange;
  /** The ids of deleted providers, and of providers that move with their descendants. */
  readonly deleted?: readonly number[];
  readonly moved?: readonly number[];
  /** All providers of the trees in their final state. Needed if providers move. */
  readonly members?: readonly TreeMember[];
  /** More providers whose consumption is wanted. */
  readonly others?: readonly number[];
  /** Whether the write adapts the allocations of the consumers of changed inventories. */
  readonly isReshape?: boolean;
}

/** The consumption after a write. */
export interface ConsumptionPlan {
  readonly change: ConsumptionChange;
  /** All rows of the providers concerned in the final state. */
  readonly final: readonly ConsumptionRow[];
  /** The inventories in use whose consumption changes, and those that become counters. Empty unless in a reshape. */
  readonly affected: readonly InventoryKey[];
  /** The inserted rows whose counters were none before. */
  readonly newCounters: readonly ConsumptionRow[];
  /** The rejection of the change. {@link checkConsumptionUnused} throws it after the rejections that precede it. */
  readonly inUse: ConsumptionInUse | null;
}

const NOTHING_CONSUMED: ConsumptionPlan = {
  change: NO_CONSUMPTION,
  final: [],
  affected: [],
  newCounters: [],
  inUse: null,
};

/**
 * Plans the consumption that results from a write, and validates it.
 *
 * Rejections: OLDER_SERVER, INVALID_INPUT (a counter without an inventory, with other units than 1, or that consumes). The
 * plan has the rejection CONSUMPTION_IN_USE (a counter that is consumed is removed or is no longer at an ancestor; or, outside
 * of a reshape, the consumption of an inventory in use changes, or an inventory in use becomes a counter).
 */
export async function planConsumption(
  tx: Transaction,
  request: ConsumptionRequest,
): Promise<ConsumptionPlan> {
  const { stated, inventories, deleted = [], moved = [], others = [] } = request;
  const given = stated.filter(({ consumes }) => consumes !== null);
  const wanted = given.flatMap(({ rows }) => rows);
  const touched = [...inventories.removed, ...inventories.written, ...given, ...wanted.map(counterOf)];
  const ids = [...touched.map(({ providerId }) => providerId), ...deleted, ...moved, ...others];
  const stored = await readConsumption(tx, ids);
  if (stored.length + wanted.length === 0) return NOTHING_CONSUMED;

  const replaced = new Set([...given, ...inventories.removed].map(inventoryKey));
  const gone = new Set(deleted);
  const staying = stored.filter((row) => !replaced.has(inventoryKey(row)) && !gone.has(row.providerId));
  const final = [...staying, ...wanted];
  const leaving = stored.filter((row) => !staying.includes(row));
  const change = changeOf(leaving, wanted, keyOf, (one, other) => one.amount === other.amount);
  const before = new Set(stored.map((row) => inventoryKey(counterOf(row))));
  const newCounters = change.added.filter((row) => !before.has(inventoryKey(counterOf(row))));
  const plan = { ...request, given, final, staying, change, newCounters };
  if (change.added.length > 0) await checkServersKnow(tx, 'partitions');
  await checkStated(tx, plan);
  const affected = await changedInUse(tx, plan);
  const changed = request.isReshape || affected.length === 0 ? null : changeInUse(plan, affected[0]);
  const rejected = leftCounter(plan) ?? changed;
  const counterProviders = [...new Set(change.added.map((row) => row.counterProviderId))].filter(
    (id) => id > 0,
  );
  return {
    change: { ...change, counterProviders },
    final,
    affected,
    newCounters,
    inUse: rejected && (await inUse(tx, ...rejected)),
  };
}

/** @throws ConsumptionInUse */
export function checkConsumptionUnused({ inUse: rejection }: ConsumptionPlan): void {
  if (rejection !== null) throw rejection;
}

/** A row that a write must not change, and the reason. */
type RejectedRow = readonly [row: ConsumptionRow, reason: ConsumptionInUse['reason']];

interface PlannedRows extends ConsumptionRequest {
  readonly given: readonly StatedConsumption[];
  readonly final: readonly ConsumptionRow[];
  /** The stored rows that stay. */
  readonly staying: readonly ConsumptionRow[];
  readonly change: RowChange<ConsumptionRow>;
  readonly newCounters: readonly ConsumptionRow[];
}

/** Returns a row whose counter is removed, or whose provider moves away from its counter. */
function leftCounter({
  inventories,
  deleted = [],
  moved = [],
  members = [],
  staying,
}: PlannedRows): RejectedRow | null {
  const removed = new Set(inventories.removed.map(inventoryKey));
  const gone = new Set(deleted);
  const leaving = new Set(moved);
  const parents = new Map(members.map(({ id, parentId }) => [id, parentId]));
  const isBelow = (id: number, ancestor: number): boolean => {
    const seen = new Set<number>();
    for (let at: number | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      if (at === ancestor) return true;
      seen.add(at);
    }
    return false;
  };
  const broken = staying.find(
    (row) =>
      removed.has(inventoryKey(counterOf(row))) ||
      gone.has(row.counterProviderId) ||
      ((leaving.has(row.providerId) || leaving.has(row.counterProviderId)) &&
        !isBelow(row.providerId, row.counterProviderId)),
  );
  return broken === undefined ? null : [broken, 'COUNTER_NEEDED'];
}

/** Rejects counters that an input may not have. Rows that it leaves unchanged stay unchecked. */
async function checkStated(
  tx: Transaction,
  { given, stated, inventories, final }: PlannedRows,
): Promise<void> {
  const counters = new Set(final.map((row) => inventoryKey(counterOf(row))));
  const consuming = new Set(final.map(inventoryKey));
  const written = new Map(inventories.written.map((row) => [inventoryKey(row), row]));
  for (const { providerId, classId, resourceClass, path } of stated) {
    const key = inventoryKey({ providerId, classId });
    const row = written.get(key);
    if (row !== undefined && counters.has(key)) checkUnits(row, resourceClass, path);
  }
  const removed = new Set(inventories.removed.map(inventoryKey));
  const wanted = given.flatMap(({ rows }) => rows);
  const providers = [...new Set(wanted.map((row) => row.counterProviderId))].filter((id) => id > 0);
  const found = await storedInventories(
    tx,
    providers.map((id) => ({ id })),
  );
  const known = new Map<string, InventoryRow>(found.map((row) => [inventoryKey(row), row]));
  for (const key of removed) known.delete(key);
  for (const [key, row] of written) known.set(key, row);
  for (const { rows, consumes, resourceClass, path } of given)
    for (const [at, row] of rows.entries()) {
      const here = [...path, 'consumes', String(at), 'resourceClass'];
      const name = consumes![at].resourceClass;
      const key = inventoryKey(counterOf(row));
      const counter = known.get(key);
      if (counter === undefined) throw new InvalidInput(here, `the provider has no inventory of ${name}`);
      checkUnits(counter, name, here);
      const message = `a counter consumes nothing itself, but the inventory of`;
      if (consuming.has(key)) throw new InvalidInput(here, `${message} ${name} does`);
      if (counters.has(inventoryKey(row))) throw new InvalidInput(path, `${message} ${resourceClass} is one`);
    }
}

function checkUnits({ minUnit, stepSize }: InventoryRow, name: string, path: readonly string[]): void {
  if (minUnit === 1 && stepSize === 1) return;
  const units = `minUnit ${minUnit} and stepSize ${stepSize}`;
  throw new InvalidInput(path, `the inventory of ${name} has ${units}: a counter has 1 and 1`);
}

const a = columns('allocations');
const KEY = [a.resource_provider_id, a.resource_class_id];

/** Returns the inventories with allocations whose consumption changes, and those that become counters. */
async function changedInUse(
  tx: Transaction,
  { change, newCounters, inventories, deleted = [] }: PlannedRows,
): Promise<InventoryKey[]> {
  const removed = new Set(inventories.removed.map(inventoryKey));
  const gone = new Set(deleted);
  const changed = [...change.removed, ...change.added].filter(
    (row) => !removed.has(inventoryKey(row)) && !gone.has(row.providerId),
  );
  const keys = [...groupBy([...changed, ...newCounters.map(counterOf)], inventoryKey).values()]
    .map(([{ providerId, classId }]) => ({ providerId, classId }))
    .filter(({ providerId }) => providerId > 0);
  const used: InventoryKey[] = [];
  for (const batch of batches(keys, COMPARED_AT_ONCE)) {
    const { text, values } = matching(
      KEY,
      batch.map(({ providerId, classId }) => [providerId, classId]),
    );
    const query = select(
      { providerId: a.resource_provider_id, classId: a.resource_class_id },
      `FROM allocations WHERE ${text} GROUP BY ${KEY.join(', ')} ORDER BY ${KEY.join(', ')}`,
    );
    used.push(...(await read(tx, query, values)));
  }
  return used;
}

/** Returns a changed row of an inventory in use, or that makes it a counter. */
function changeInUse({ change }: PlannedRows, key: InventoryKey): RejectedRow {
  const rows = [...change.removed, ...change.added];
  const changed = rows.find((row) => inventoryKey(row) === inventoryKey(key));
  if (changed !== undefined) return [changed, 'INVENTORY_USED'];
  return [rows.find((row) => inventoryKey(counterOf(row)) === inventoryKey(key))!, 'COUNTER_USED'];
}

/** Returns the rejection of a change of a consumption, which names the inventory and the counter. */
async function inUse(
  tx: Transaction,
  row: ConsumptionRow,
  reason: ConsumptionInUse['reason'],
): Promise<ConsumptionInUse> {
  const named = async (
    table: 'resource_providers' | 'resource_classes',
    column: 'uuid' | 'name',
    ids: number[],
  ) => {
    const rows = await tx.query<{ id: number; text: string }[]>(
      `SELECT id, ${column} AS text FROM ${table} WHERE id IN (?)`,
      [ids],
    );
    const texts = new Map(rows.map(({ id, text }) => [id, text]));
    return ids.map((id) => texts.get(id) ?? String(id));
  };
  const [provider, counterProvider] = await named('resource_providers', 'uuid', [
    row.providerId,
    row.counterProviderId,
  ]);
  const [resourceClass, counter] = await named('resource_classes', 'name', [row.classId, row.counterClassId]);
  return new ConsumptionInUse(provider, resourceClass, counterProvider, counter, reason);
}

/** Writes a change of consumption. New providers have their stored ids. */
export async function writeConsumption(
  tx: Transaction,
  { removed, added }: RowChange<ConsumptionRow>,
): Promise<void> {
  const valuesOf = (row: ConsumptionRow) =>
    [row.providerId, row.classId, row.counterProviderId, row.counterClassId] as const;
  for (const batch of batches(removed, COMPARED_AT_ONCE)) {
    const { text, values } = matching(PRIMARY, batch.map(valuesOf));
    await tx.query(
      `${deletionFrom('placement_consumptions')} WHERE ${text} ORDER BY ${PRIMARY.join(', ')}`,
      values,
    );
  }
  for (const batch of batches(added))
    await tx.query(...INSERT(batch.map((row) => [...valuesOf(row), row.amount])));
}

const k = columns('resource_classes');
const NAMES = select({ id: k.id, name: k.name }, `FROM resource_classes WHERE ${k.id} IN (?)`);

/** Returns the final consumption of a plan. */
export async function finalConsumption(tx: Transaction, { final }: ConsumptionPlan): Promise<Consumption> {
  if (final.length === 0) return Consumption.NONE;
  const names = await read(tx, NAMES, [[...new Set(final.map((row) => row.counterClassId))]]);
  return new Consumption(final, [], new Map(names.map(({ id, name }) => [id, name])));
}

/**
 * Returns the rejection of a direct allocation of an inventory that becomes a counter, by a consumer that the input does not
 * name. Null if there is none.
 *
 * @param unnamed the consumers whose counters the write replaces
 */
export async function newCounterInUse(
  tx: Transaction,
  { newCounters }: ConsumptionPlan,
  unnamed: ReadonlySet<string>,
  { named, wanted }: { readonly named: readonly AllocationRow[]; readonly wanted: readonly AllocationRow[] },
): Promise<ConsumptionInUse | null> {
  const rows = new Map(newCounters.map((row) => [inventoryKey(counterOf(row)), row]));
  const sums = new Map(wanted.map((row) => [`${row.consumer} ${inventoryKey(row)}`, row.used]));
  for (const row of named) {
    const counted = rows.get(inventoryKey(row));
    if (counted === undefined || !unnamed.has(row.consumer)) continue;
    if (row.used > (sums.get(`${row.consumer} ${inventoryKey(row)}`) ?? 0))
      return inUse(tx, counted, 'COUNTER_USED');
  }
  return null;
}
