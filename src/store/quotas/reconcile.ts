import type { Database } from '../database/database.js';
import { onConnection } from '../database/onConnection.js';
import { holdServerLock } from '../migrations/migrationLock.js';
import { columns, read, type Queryable } from '../sql/statements.js';
import type { Clock } from '../../model/operation/turns.js';
import { inTransaction, type Ledger } from '../ledger/transaction.js';
import { quotaKey, readDefinitions, type QuotaDefinitions, type QuotaKey } from './definitions.js';
import { countUsages, readUsages, recount, withMembers, type CountedUsage, type Owners } from './recount.js';

/** The number of projects whose usage one step compares. The other projects of their groups are added. */
const PROJECTS_AT_ONCE = 200;

/** The pause between two steps (ms). */
const STEP_MS = 500;

/** The pause while there are no quotas (ms). It is short because a step without quotas sends no statement. */
const IDLE_MS = 1_000;

/** The pause while another process does the work (ms). */
const STANDBY_MS = 15_000;

/** The minimum pause after a step, in multiples of its time: it bounds the load on the database. */
const MIN_PAUSE = 10;

/** A counted usage that differs from the allocations. */
export interface WrongUsage extends QuotaKey {
  readonly stored: number;
  readonly counted: number;
}

/** Compares the stored usage of owners with their allocations. A concurrent write can only make a false finding. */
export async function wrongUsages(
  reader: Queryable,
  quotas: QuotaDefinitions,
  owners: Owners,
): Promise<WrongUsage[]> {
  const stored = await readUsages(reader, owners);
  const counted = await countUsages(reader, quotas, owners);
  const all = new Map<string, CountedUsage>(
    [...stored, ...counted.values()].map((each) => [quotaKey(each), each]),
  );
  const before = new Map(stored.map((each) => [quotaKey(each), each.used]));
  return Array.from(all, ([key, { ownerKind, ownerId, classId }]) => {
    const usage = { stored: before.get(key) ?? 0, counted: counted.get(key)?.used ?? 0 };
    return { ownerKind, ownerId, classId, ...usage };
  }).filter((each) => each.stored !== each.counted);
}

const p = columns('projects');
const NEXT = `SELECT ${p.id} AS id FROM projects WHERE ${p.id} > ? ORDER BY ${p.id} LIMIT ${PROJECTS_AT_ONCE}`;
const k = columns('placement_kept_consumers', 'k');
const LEFT_MARKS = `DELETE k FROM placement_kept_consumers k LEFT JOIN consumers c ON c.id = ${k.consumer_id}
  WHERE c.id IS NULL AND ${k.created_at} < UTC_TIMESTAMP() - INTERVAL 1 MINUTE`;

/**
 * Corrects the counted usage after writes of other programs, which do not count. One process per database server does
 * this, under a lock, in steps of some projects.
 */
export class QuotaReconciliation {
  readonly name = 'counting the usage of quotas';
  readonly pause = STEP_MS;
  private after = 0;

  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  async step(): Promise<number> {
    if ((await this.ledger.feed.ready()).isEmpty) return IDLE_MS;
    const begin = this.clock.elapsed();
    const isDone = await onConnection(
      this.database,
      async (connection) => {
        if (!(await holdServerLock(connection, 'quotas'))) return false;
        await this.correctNext(connection);
        return true;
      },
      { pool: this.database.background },
    );
    return isDone ? Math.max(STEP_MS, MIN_PAUSE * (this.clock.elapsed() - begin)) : STANDBY_MS;
  }

  /** Compares without locks first, because nearly all usage is right. */
  private async correctNext(reader: Queryable): Promise<void> {
    const quotas = await readDefinitions(reader);
    const ids = (await read<{ id: number }>(reader, { text: NEXT }, [this.after])).map(({ id }) => id);
    this.after = ids.length === PROJECTS_AT_ONCE ? ids[ids.length - 1] : 0;
    if (this.after === 0) await reader.query(LEFT_MARKS);
    const wrong = await wrongUsages(reader, quotas, await withMembers(reader, ids, []));
    if (wrong.length > 0) await correct(this.ledger, wrong);
  }
}

/** Counts the usage of these owners again. */
export async function correct(ledger: Ledger, wrong: readonly QuotaKey[]): Promise<CountedUsage[]> {
  return inTransaction(ledger, async (tx) => recount(tx, await ownersOf(tx, wrong)));
}

/** Returns the owners of usages with the members of all groups among them. */
export function ownersOf(reader: Queryable, keys: readonly QuotaKey[]): Promise<Owners> {
  const ids = (kind: string): number[] => keys.flatMap((key) => (key.ownerKind === kind ? key.ownerId : []));
  return withMembers(reader, ids('PROJECT'), ids('GROUP'));
}
