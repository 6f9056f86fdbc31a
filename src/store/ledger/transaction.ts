import { type UpsertResult, type Connection, SqlError } from 'mariadb';
import { columns, updateOf, type Column, textOf, type Queryable, timestampOf } from '../sql/statements.js';
import { type Database, closeWithoutKill } from '../database/database.js';
import { isRetryable, isUnavailable } from '../database/failures.js';
import { endOnAbort, takeConnection, ConnectionSilent, unlessSilent } from '../database/onConnection.js';
import { RecordedChanges } from '../../model/recordedChanges.js';
import { LeaseLost, type FeedSequence, type FeedWriter } from '../feed/writer.js';
import type { QuotaDefinitions } from '../quotas/definitions.js';
import type { Clock } from '../../model/operation/turns.js';
import type { Activity, Observer, Span } from '../../model/observation.js';
import type { Operation } from '../../model/operation/operation.js';
import { DatabaseUnavailable, untilAborted, within } from '../../model/operation/waiting.js';
import { ConcurrentUpdate } from '../../model/rejections.js';

/** The number of rows that a query with a LIMIT would return without it. */
export const COUNT_OF_ALL: Column<number> = 'COUNT(*) OVER ()';

/** The maximum number of rows in a statement, far below the limits of a server. */
const BATCH = 2000;

/** The maximum number of rows in a statement whose condition has a term for each row. */
export const COMPARED_AT_ONCE = 500;

/** Splits rows into batches for one statement each. */
export function* batches<T>(rows: readonly T[], size = BATCH): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

/**
 * Locks rows until the end of the transaction and returns how many of them exist. Transactions that must not run
 * concurrently lock a common row.
 *
 * The lock is an update in id order, because a read lock (FOR UPDATE) does not exclude writers on other nodes of a
 * cluster. An update that changes nothing is not replicated, so updated_at becomes `tx.now`, or a second later if it is
 * `tx.now` already.
 */
export async function lockRows(
  tx: Transaction,
  table: 'resource_providers' | 'resource_classes' | 'placement_aggregates',
  ids: Iterable<number>,
): Promise<number> {
  const { id, updated_at: at } = columns(table);
  let count = 0;
  for (const batch of batches([...ids].sort((a, b) => a - b))) {
    const { affectedRows } = await tx.query<UpsertResult>(
      `${updateOf(table)} SET ${at} = IF(${at} <=> ?, ? + INTERVAL 1 SECOND, ?) WHERE ${id} IN (?) ORDER BY ${id}`,
      [tx.now, tx.now, tx.now, batch],
    );
    count += affectedRows;
  }
  return count;
}

/** The rows to delete and the rows to write. */
export interface RowChange<Stored, Wanted = Stored> {
  readonly removed: readonly Stored[];
  readonly added: readonly Wanted[];
}

/**
 * Compares stored rows with the wanted ones that replace them. A row stays if exactly one stored row has its key and
 * equals it. Returns the other stored rows and the other wanted ones.
 */
export function changeOf<Stored, Wanted>(
  stored: readonly Stored[],
  wanted: readonly Wanted[],
  keyOf: (row: Stored | Wanted) => string,
  isEqual: (one: Stored, other: Wanted) => boolean = () => true,
): RowChange<Stored, Wanted> {
  const byKey = new Map<string, Stored | null>();
  for (const row of stored) byKey.set(keyOf(row), byKey.has(keyOf(row)) ? null : row);
  const staying = new Set<string>();
  for (const row of wanted) {
    const old = byKey.get(keyOf(row)) ?? null;
    if (old !== null && isEqual(old, row)) staying.add(keyOf(row));
  }
  return {
    removed: stored.filter((row) => !staying.has(keyOf(row))),
    added: wanted.filter((row) => !staying.has(keyOf(row))),
  };
}

/** The parts of a process that a write needs. */
export interface Ledger {
  readonly database: Database;
  readonly feed: FeedWriter;
  readonly clock: Clock;
  /** The operation of the write. If it aborts, the transaction rolls back unless COMMIT was already sent. */
  readonly operation?: Pick<Operation, 'signal' | 'pause' | 'activity'>;
  /** Activity counters if several operations share the transaction. */
  readonly activity?: Activity;
  readonly observer?: Pick<Observer, 'transactionRetried' | 'claimsTried' | 'claimEnded'>;
}

/** A connection inside a transaction. It cannot commit or roll back. */
export interface Transaction extends Queryable {
  /** The start of the transaction for created_at and updated_at, as text in UTC. */
  readonly now: string;
  /**
   * Sends a write without waiting for its result, so that several writes cost one round trip. The result is checked
   * before any later statement returns and before the commit. A failure, or an error of `check`, fails the transaction.
   */
  send(sql: string, values: unknown, check?: (result: UpsertResult) => void): void;
  /** Yields to other operations before work on many rows or inputs. */
  pause(rows: readonly unknown[]): Promise<void>;
  /** The changes of the transaction for the change feed (ADR 5): to providers, the catalog and consumers. */
  readonly recorded: RecordedChanges;
  readonly spellings: Database['spellings'];
  /** The limits of projects and groups. Null: there is none. */
  readonly quotas: QuotaDefinitions | null;
}

/** The time for which a write is retried after conflicts (ms, decision D14). */
const RETRY_MS = 10_000;

/** The time in which a write is retried. A claim passes its own to the queue and to the transaction. */
export interface RetryBudget {
  /** In ms. */
  readonly length: number;
  /** When it ends, on the elapsed time of the ledger's clock (ms). */
  readonly end: number;
}

export function retryBudget({ clock }: Pick<Ledger, 'clock'>, length = RETRY_MS): RetryBudget {
  return { length, end: clock.elapsed() + length };
}

/** The pause before a retry is random below a limit that doubles from the first to the last value (ms). */
const FIRST_PAUSE = 4;
const MAX_PAUSE = 250;

/** A step of the work on at most this many rows takes a few milliseconds. */
const QUICK_ROWS = 500;

/** The timeout of a COMMIT, and then of reading its outcome from the change feed (ms). */
const COMMIT_TIMEOUT = 5_000;
const OUTCOME_TIMEOUT = 5_000;
const UNKNOWN = 'The outcome of a COMMIT is not known.';

/** Error number of a deadlock, which on a Galera cluster is a conflict found at COMMIT. */
const DEADLOCK = 1213;

/** Thrown if a concurrent writer has changed data that a transaction read. Leads to a retry. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** Thrown if the quotas have changed since the transaction began. Leads to a retry with the present ones. */
export class QuotasChanged extends WriteConflict {}

/** The COMMIT failed or its answer was lost, and the change feed proves that nothing was committed. */
class CommitLost extends Error {
  override readonly name = 'CommitLost';
}

/**
 * The write may have been committed, so it must not be retried: the connection was lost during COMMIT, and the outcome
 * could not be read.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(cause: unknown) {
    super('the connection was lost while committing: the write may have taken place', { cause });
  }
}

/**
 * Error numbers: duplicate key, row referenced by a foreign key, referenced row missing. Every
 * transaction checks for these cases before it writes. Such an error therefore means that a
 * concurrent writer has committed in between.
 */
const CONFLICTS = new Set([1062, 1451, 1452]);

function isConflict(error: unknown): boolean {
  return (
    error instanceof WriteConflict ||
    error instanceof CommitLost ||
    error instanceof LeaseLost ||
    (error instanceof SqlError && CONFLICTS.has(error.errno))
  );
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. An error of `work` rolls the transaction back.
 *
 * After a conflict with a concurrent writer (deadlock, failed certification or compare-and-set, a new duplicate) all of
 * `work` runs again in a new transaction, after a random pause, until `budget` ends. Then the call
 * rejects with {@link ConcurrentUpdate}, or with DatabaseUnavailable if the database was the reason. So `work` must
 * change nothing but its transaction, and must never catch an error of a statement: after a deadlock the server has
 * ended the transaction, and later writes on the connection would be committed on their own.
 *
 * Rejects with the reason of the operation's signal if the signal aborts before COMMIT is sent.
 */
export async function inTransaction<T>(
  ledger: Ledger,
  work: (tx: Transaction) => Promise<T>,
  budget = retryBudget(ledger),
): Promise<T> {
  const activity = ledger.activity ?? ledger.operation?.activity;
  const run = (span: Span | null): Promise<T> => attempts({ ...ledger, activity }, work, budget, span);
  return activity === undefined ? run(null) : activity.inDatabase('transaction', run);
}

async function attempts<T>(
  ledger: Ledger,
  work: (tx: Transaction) => Promise<T>,
  budget: RetryBudget,
  span: Span | null,
): Promise<T> {
  for (let ceiling = FIRST_PAUSE; ; ceiling = Math.min(2 * ceiling, MAX_PAUSE)) {
    try {
      return await attempt(ledger, work, span);
    } catch (error) {
      const signal = ledger.operation?.signal;
      if (signal?.aborted && error === signal.reason) throw error;
      if (error instanceof OutcomeUnknown || !(isConflict(error) || isRetryable(error))) throw error;
      if (error instanceof QuotasChanged) ledger.feed.refresh();
      const pause = Math.random() * ceiling;
      if (ledger.clock.elapsed() + pause > budget.end) throw gaveUp(budget, error);
      if (ledger.activity) ledger.activity.retries++;
      ledger.observer?.transactionRetried(isUnavailable(error) ? 'unavailable' : 'conflict');
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function gaveUp({ length }: RetryBudget, cause: unknown): Error {
  if (!isUnavailable(cause)) return new ConcurrentUpdate(length, cause);
  return new DatabaseUnavailable('The database is not available: nothing was changed.', { cause });
}

/** Runs `work` once in a transaction of its own and commits it. Any failure rolls back. */
async function attempt<T>(
  ledger: Ledger,
  work: (tx: Transaction) => Promise<T>,
  span: Span | null,
): Promise<T> {
  const { database, feed, operation, activity } = ledger;
  const signal = operation?.signal;
  const quotas = await untilAborted(signal, feed.ready());
  const connection = await takeConnection(database, database.transactions, signal);
  const ending = endOnAbort(database, connection, signal);
  const tx = new OpenTransaction(ledger, connection, span, quotas.isEmpty ? null : quotas);
  let sequence = null as FeedSequence | null;
  const prepare = async (): Promise<T> => {
    const result = await work(tx);
    if (tx.recorded.size > 0)
      sequence = await feed.write(tx, tx.recorded, tx.recorded.quotas ?? quotas.version);
    await Promise.all(tx.sent);
    signal?.throwIfAborted();
    ending.stopListening();
    return result;
  };
  const rollBack = async (): Promise<void> => {
    await ending.giveBack();
    if (sequence !== null) feed.complete(sequence);
  };
  const prepared = prepare();
  let result: T;
  try {
    result = await untilAborted(signal, prepared);
  } catch (error) {
    const rolledBack = prepared.then(rollBack, rollBack);
    if (signal?.aborted) throw signal.reason;
    // releasing an unresponsive connection may take long, and it will not commit
    if (!(error instanceof ConnectionSilent)) await rolledBack;
    throw error;
  }
  const commit = (): Promise<void> => connection.commit();
  const committing = activity === undefined ? commit() : activity.statement('COMMIT', commit, span);
  try {
    await within(COMMIT_TIMEOUT, 'The database does not answer a COMMIT.', committing);
  } catch (error) {
    if (connection.isValid() && isRolledBack(error)) {
      await rollBack();
      throw error;
    }
    const close = (): void => closeWithoutKill(connection);
    committing.then(close, close);
    if (!tx.hasWritten) return result; // the outcome changes nothing
    const found = sequence && feed.outcome(sequence, connection);
    const outcome = found && (await within(OUTCOME_TIMEOUT, UNKNOWN, found).catch(() => null));
    if (outcome === 'lost')
      throw new CommitLost('the connection was lost while committing', { cause: error });
    if (outcome === null) throw new OutcomeUnknown(error);
    return result;
  }
  if (sequence !== null) feed.complete(sequence);
  await ending.giveBack();
  return result;
}

/**
 * Returns true if a failed COMMIT itself proves that nothing was committed. Other errors do not: a
 * Galera node that loses its cluster during COMMIT rejects it although the other nodes may have
 * committed. MySQL Group Replication reports this case and a conflict with the same number (3101).
 */
function isRolledBack(error: unknown): boolean {
  return error instanceof SqlError && error.errno === DEADLOCK;
}

class OpenTransaction implements Transaction {
  readonly now: string;
  readonly recorded = new RecordedChanges();
  readonly spellings: Database['spellings'];
  /** The checks of the results of {@link send}. */
  readonly sent: Promise<void>[] = [];
  /** True if a statement may have changed rows. */
  hasWritten = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: Connection,
    private readonly span: Span | null,
    readonly quotas: QuotaDefinitions | null,
  ) {
    this.now = timestampOf(ledger.clock.now());
    this.spellings = ledger.database.spellings;
  }

  async pause({ length }: readonly unknown[]): Promise<void> {
    if (length > QUICK_ROWS) await this.ledger.operation?.pause();
  }

  async query<T>(...statement: Parameters<Connection['query']>): Promise<T> {
    const answer = this.answerTo<T>(...statement);
    await Promise.all([...this.sent, answer]);
    if (!Array.isArray(await answer)) this.hasWritten = true;
    return answer;
  }

  send(sql: string, values: unknown, check: (result: UpsertResult) => void = () => undefined): void {
    this.hasWritten = true;
    const checked = this.answerTo<UpsertResult>(sql, values).then(check);
    checked.catch(() => undefined); // a failure rejects the statements that wait for `sent`
    this.sent.push(checked);
  }

  private answerTo<T>(...statement: Parameters<Connection['query']>): Promise<T> {
    const { connection, span } = this;
    const { database, activity } = this.ledger;
    const send = (): Promise<T> => unlessSilent(database, connection, connection.query<T>(...statement));
    return activity === undefined ? send() : activity.statement(textOf(statement[0]), send, span);
  }
}
