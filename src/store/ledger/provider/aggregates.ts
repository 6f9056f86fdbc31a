import type { UpsertResult } from 'mariadb';
import { findAggregates } from '../../sql/aggregates.js';
import { columns, deletionFrom, insertion, read, select } from '../../sql/statements.js';
import { addToGroup } from '../../../model/collections.js';
import { firstDuplicate, InvalidInput, checkAggregateName, checkNewUuid } from '../../../model/input.js';
import {
  batches,
  lockRows,
  type Ledger,
  type Transaction,
  inTransaction,
  WriteConflict,
} from '../transaction.js';
import { DuplicateName, NotFound } from '../../../model/rejections.js';
import { type LinkChange, type TargetIds, writeLinks } from './links.js';

/** Rejects the first aggregate that is repeated (decision D7) or is no UUID. */
export function checkAggregates(uuids: readonly string[], path: readonly string[]): void {
  const repeated = firstDuplicate(uuids);
  uuids.forEach((uuid, index) => {
    const at = [...path, String(index)];
    checkNewUuid(uuid, at);
    if (index === repeated) throw new InvalidInput(at, `aggregate ${uuid} is given twice`);
  });
}

/**
 * Returns the ids of aggregates by uuid, the oldest row first. Rows that spell the uuid otherwise are the same
 * aggregate (decision D24). Aggregates that do not exist yet have negative ids.
 */
export async function aggregateIds(tx: Transaction, uuids: readonly string[]): Promise<TargetIds> {
  const ids = await storedAggregateIds(tx, uuids);
  let missing = 0;
  for (const uuid of uuids) if (!ids.has(uuid)) ids.set(uuid, [--missing]);
  return ids;
}

const INSERT = insertion('placement_aggregates', ['uuid', 'created_at']);

/** Creates the added aggregates that do not exist (rule 78), then writes the change of links. */
export async function writeAggregates(
  tx: Transaction,
  { removed, added }: LinkChange,
  ids: TargetIds,
): Promise<void> {
  const linked = new Set(added.map(({ targetId }) => targetId));
  const missing = [...ids].flatMap(([uuid, [id]]) => (id < 0 && linked.has(id) ? [uuid] : [])).sort();
  for (const uuids of batches(missing)) {
    // if a concurrent writer creates one of them first, the duplicate key is a conflict
    await tx.query(...INSERT(uuids.map((uuid) => [uuid, tx.now])));
  }
  const created = await storedAggregateIds(tx, missing);
  const realIds = new Map(missing.map((uuid) => [ids.get(uuid)![0], created.get(uuid)?.[0]]));
  const real = added.map((link) => ({ ...link, targetId: realIds.get(link.targetId) ?? link.targetId }));
  await lockAggregates(
    tx,
    [...linked].filter((id) => id > 0),
  );
  await writeLinks(tx, 'resource_provider_aggregates', { removed, added: real });
}

/** Returns the ids of the rows of each aggregate in every spelling, the oldest first. Omits unknown aggregates. */
export async function storedAggregateIds(
  tx: Transaction,
  uuids: readonly string[],
): Promise<Map<string, number[]>> {
  const ids = new Map<string, number[]>();
  for (const { id, uuid } of await findAggregates(tx, tx.spellings.aggregates, uuids))
    addToGroup(ids, uuid, id);
  return ids;
}

/**
 * Prevents the deletion of aggregates until the end of a transaction that adds providers or a name. No foreign key does
 * so; therefore the transaction and the deletion write the row of the aggregate.
 */
async function lockAggregates(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0 && (await lockRows(tx, 'placement_aggregates', ids)) !== ids.length)
    throw new WriteConflict('an aggregate was deleted concurrently');
}

const a = columns('placement_aggregates');
const DELETE_AGGREGATES = `${deletionFrom('placement_aggregates')} WHERE ${a.id} IN (?) ORDER BY ${a.id}`;

/** Deletes rows of aggregates and the names of these aggregates, and returns how many rows existed. */
export async function deleteAggregateRows(
  tx: Transaction,
  ids: readonly number[],
  uuids: readonly string[],
): Promise<number> {
  let count = 0;
  for (const batch of batches(ids))
    count += (await tx.query<UpsertResult>(DELETE_AGGREGATES, [batch])).affectedRows;
  await tx.query(DELETE_NAMES, [uuids]);
  return count;
}

const n = columns('placement_aggregate_names');
const HOLDER = select(
  { uuid: n.aggregate_uuid, name: n.name },
  `FROM placement_aggregate_names WHERE ${n.name} = ?`,
);
const DELETE_NAMES = `${deletionFrom('placement_aggregate_names')} WHERE ${n.aggregate_uuid} IN (?)`;
const INSERT_NAME = insertion('placement_aggregate_names', ['aggregate_uuid', 'name', 'created_at']);

/**
 * Sets, changes or removes the name of an aggregate. Does not change any provider.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND, DUPLICATE_NAME.
 */
export async function nameAggregate(
  ledger: Ledger,
  { aggregate: uuid, name = null }: { readonly aggregate: string; readonly name?: string | null },
): Promise<{ uuid: string }> {
  if (name !== null) checkAggregateName(name);
  await inTransaction(ledger, async (tx) => {
    const ids = (await storedAggregateIds(tx, [uuid])).get(uuid);
    if (ids === undefined) throw new NotFound('AGGREGATE', uuid);
    const [holder] = name === null ? [] : await read(tx, HOLDER, [name]);
    if (holder?.uuid === uuid) return;
    if (holder !== undefined) throw new DuplicateName(name!, holder, 'aggregate');
    await tx.query(DELETE_NAMES, [[uuid]]);
    // if a concurrent writer takes the name first, the duplicate key is a conflict
    if (name === null) return;
    await lockAggregates(tx, ids);
    await tx.query(...INSERT_NAME([[uuid, name, tx.now]]));
  });
  return { uuid };
}
