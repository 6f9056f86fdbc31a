import { type Database } from '../database/database.js';
import { InvalidInput } from '../engine/invalid.js';
import { confirmUnchanged, judgeGeneration, markChanged } from './generations.js';
import { requireProvider } from './providerRows.js';
import { inTransaction, readClock, type Transaction } from './transaction.js';

interface SetAggregatesInput {
  readonly resourceProvider: string;
  readonly generation: number;
  readonly aggregates: readonly string[];
}

/**
 * Replaces the set of aggregates that the provider itself is in (rule 79). An aggregate is only a UUID: it comes
 * into being when it is first named here, and stays (78).
 *
 * Refusals: INVALID_INPUT (one given twice), NOT_FOUND, PROVIDER_GENERATION_CONFLICT. Bumps the generation if the
 * set changes.
 */
export async function setAggregates(
  database: Database,
  input: SetAggregatesInput,
): Promise<{ uuid: string }> {
  const wanted = distinct(input.aggregates);
  await inTransaction(database, async (tx) => {
    const now = readClock();
    const provider = await requireProvider(tx, input.resourceProvider);
    judgeGeneration(provider, input.generation);
    const stored = await tx.query<Aggregate[]>(
      `SELECT a.id, a.uuid FROM resource_provider_aggregates l JOIN placement_aggregates a ON a.id = l.aggregate_id
       WHERE l.resource_provider_id = ?`,
      [provider.id],
    );
    const removed = stored.filter(({ uuid }) => !wanted.has(uuid));
    const kept = new Set(stored.map(({ uuid }) => uuid));
    const added = [...wanted].filter((uuid) => !kept.has(uuid));
    if (removed.length + added.length === 0) return confirmUnchanged(tx, provider);

    await markChanged(tx, [provider], now);
    if (removed.length > 0) {
      await tx.query(
        'DELETE FROM resource_provider_aggregates WHERE resource_provider_id = ? AND aggregate_id IN (?)',
        [provider.id, removed.map(({ id }) => id)],
      );
    }
    if (added.length > 0) {
      const aggregates = await ensureAggregates(tx, added, now);
      await tx.query(
        `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id, created_at)
         VALUES ${aggregates.map(() => '(?)').join(', ')}`,
        aggregates.map(({ id }) => [provider.id, id, now]),
      );
    }
  });
  return { uuid: input.resourceProvider };
}

/** The set of these uuids; INVALID_INPUT for the first that was given before (decision D7). */
function distinct(uuids: readonly string[]): Set<string> {
  const set = new Set<string>();
  uuids.forEach((uuid, index) => {
    const path = ['aggregates', String(index)];
    if (set.has(uuid)) throw new InvalidInput(path, `aggregate ${uuid} is given twice`);
    set.add(uuid);
  });
  return set;
}

interface Aggregate {
  readonly id: number;
  readonly uuid: string;
}

/** The aggregates of these uuids, created where they are new. If a rival creates one of them first, the race is lost. */
async function ensureAggregates(tx: Transaction, uuids: readonly string[], now: Date): Promise<Aggregate[]> {
  const find = () =>
    tx.query<Aggregate[]>('SELECT id, uuid FROM placement_aggregates WHERE uuid IN (?)', [uuids]);
  const found = await find();
  const known = new Set(found.map(({ uuid }) => uuid));
  const missing = uuids.filter((uuid) => !known.has(uuid)).sort();
  if (missing.length === 0) return found;
  await tx.query(
    `INSERT INTO placement_aggregates (uuid, created_at) VALUES ${missing.map(() => '(?)').join(', ')}`,
    missing.map((uuid) => [uuid, now]),
  );
  return find();
}
