import {
  type Column,
  columns,
  deletionFrom,
  insertion,
  read,
  select,
  write,
} from '../../database/statements.js';
import { firstDuplicate, InvalidInput } from '../../domain/invalidInput.js';
import { batches } from '../rows.js';
import { DuplicateName, NotFound } from '../errors.js';
import { checkAggregateName } from '../names.js';
import { type Ledger, type Transaction, inTransaction } from '../transaction.js';
import { type LinkChange, writeLinks } from './links.js';

/** Rejects the first repeated aggregate (decision D7). */
export function checkAggregates(uuids: readonly string[], path: readonly string[]): void {
  const repeated = firstDuplicate(uuids);
  if (repeated < 0) return;
  throw new InvalidInput([...path, String(repeated)], `aggregate ${uuids[repeated]} is given twice`);
}

/** Returns the ids of aggregates by uuid. Aggregates that do not exist yet have negative ids. */
export async function aggregateIds(tx: Transaction, uuids: readonly string[]): Promise<Map<string, number>> {
  const ids = await findAggregates(tx, uuids);
  let missing = 0;
  for (const uuid of uuids) if (!ids.has(uuid)) ids.set(uuid, --missing);
  return ids;
}

const INSERT = insertion('placement_aggregates', ['uuid', 'created_at']);

/** Creates the added aggregates that do not exist (rule 78), then writes the change of links. */
export async function writeAggregates(
  tx: Transaction,
  { removed, added }: LinkChange,
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const linked = new Set(added.map(({ targetId }) => targetId));
  const missing = [...ids].flatMap(([uuid, id]) => (id < 0 && linked.has(id) ? [uuid] : [])).sort();
  for (const uuids of batches(missing)) {
    // if a concurrent writer creates one of them first, the duplicate key is a conflict
    await tx.query(...INSERT(uuids.map((uuid) => [uuid, tx.now])));
  }
  const created = await findAggregates(tx, missing);
  const realIds = new Map(missing.map((uuid) => [ids.get(uuid), created.get(uuid)]));
  const real = added.map((link) => ({ ...link, targetId: realIds.get(link.targetId) ?? link.targetId }));
  await writeLinks(tx, 'resource_provider_aggregates', { removed, added: real });
}

const a = columns('placement_aggregates');
const AGGREGATES = select(
  { id: a.id, uuid: a.uuid as Column<string> },
  `FROM placement_aggregates WHERE ${a.uuid} IN (?)`,
);

async function findAggregates(tx: Transaction, uuids: readonly string[]): Promise<Map<string, number>> {
  if (uuids.length === 0) return new Map();
  return new Map((await read(tx, AGGREGATES, [uuids])).map(({ id, uuid }) => [uuid, id]));
}

const n = columns('placement_aggregate_names');
const HOLDER = select(
  { uuid: n.aggregate_uuid, name: n.name },
  `FROM placement_aggregate_names WHERE ${n.name} = ?`,
);
const DELETE = { text: `${deletionFrom('placement_aggregate_names')} WHERE ${n.aggregate_uuid} = ?` };
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
    if ((await findAggregates(tx, [uuid])).size === 0) throw new NotFound('AGGREGATE', uuid);
    const [holder] = name === null ? [] : await read(tx, HOLDER, [name]);
    if (holder?.uuid === uuid) return;
    if (holder !== undefined) throw new DuplicateName(name!, holder, 'aggregate');
    await write(tx, DELETE, [uuid]);
    // if a concurrent writer takes the name first, the duplicate key is a conflict
    if (name !== null) await tx.query(...INSERT_NAME([[uuid, name, tx.now]]));
  });
  return { uuid };
}
