import { type Connection, SqlError, type UpsertResult } from 'mariadb';
import type { Database } from '../database/database.js';
import { isRetryable, isUnavailable } from '../database/failures.js';
import { endOnAbort, takeConnection } from '../database/onConnection.js';
import { closeWithoutKill } from '../database/serverThreads.js';
import { ConnectionSilent, unlessSilent } from '../database/silence.js';
import { textOf, type Reader } from '../database/statements.js';
import { RecordedChanges } from '../feed/recordedChanges.js';
import type { FeedSequence, FeedWriter } from '../feed/writer.js';
import type { Activity } from '../runtime/observation/activity.js';
import type { Clock } from '../runtime/clock.js';
import type { Observer } from '../runtime/observation/observer.js';
import type { Operation } from '../runtime/operation.js';
import { DatabaseUnavailable } from '../runtime/refusals.js';
import type { Span } from '../runtime/observation/tracing.js';
import { untilAborted, within } from '../runtime/waiting.js';
import { ConcurrentUpdate } from './errors.js';

/** What every write needs of its process. */
export interface Ledger {
  readonly database: Database;
  readonly feed: FeedWriter;
  readonly clock: Clock;
  /** For which it writes: when its signal aborts, a transaction is rolled back that has not begun to commit, and none is tried again. */
  readonly operation?: Pick<Operation, 'signal' | 'pause' | 'activity'>;
  /** Of whoever it writes for, where that is not one operation. */
  readonly activity?: Activity;
  readonly observer?: Pick<Observer, 'transactionRetried' | 'claimsTried' | 'claimEnded'>;
}

/** A connection inside a transaction: whoever holds it can neither commit nor roll back. */
export interface Transaction extends Reader {
  /** For created_at and updated_at: when the transaction began, to the second as the columns hold it. */
  readonly now: Date;
  /**
   * Sends a write without waiting for it: several together cost one round trip. Its result is checked, by `check` too, before
   * the answer of any later statement is given, and before the commit; what fails there fails the transaction.
   */
  send(sql: string, values: unknown, check?: (result: UpsertResult) => void): void;
  /** Lets other operations go first, before work on rows or inputs that are so many that it takes long. */
  pause(rows: readonly unknown[]): Promise<void>;
  /**
   * What the transaction changes that others see, for the change feed (ADR 5): of providers what they offer, who uses them, their place
   * in a tree, that they exist; the catalog; consumers.
   */
  readonly recorded: RecordedChanges;
}

/** For how long a write is tried again after conflicts, in milliseconds (decision D14). */
const RETRY_BUDGET = 10_000;

/** The pause before the first retry is random below the one, and its limit doubles up to the other (ms). */
const FIRST_PAUSE = 4;
const LONGEST_PAUSE = 250;

/** Rows on which a step of the work takes a few milliseconds at most. */
const QUICK = 500;

/** How long the answer to a COMMIT is waited for, and then its outcome is looked up (ms). */
const LONGEST_COMMIT = 5_000;
const LONGEST_LOOK_UP = 5_000;

/**
 * Thrown inside a transaction that finds what it has read changed by a concurrent writer: it is rolled back and the whole of
 * it is tried again, so that it validates the new state.
 */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** The connection was lost during COMMIT, or the COMMIT failed, and it turned out that nothing was committed. */
class CommitLost extends Error {
  override readonly name = 'CommitLost';
}

/**
 * The write may have taken place or not, so it must not be repeated: the connection was lost during COMMIT, and the outcome could not be
 * found out; or it has taken place, and what it made could not be read.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(
    cause: unknown,
    message = 'the connection was lost while committing: the write may have taken place',
  ) {
    super(message, { cause });
  }
}

/**
 * Duplicate key, row referenced by a foreign key, row missing for one. Every transaction looks for these before it
 * writes, so such an error means that a concurrent writer has committed in between.
 */
const CONFLICTS = new Set([1062, 1451, 1452]);

/** A deadlock, which on a Galera cluster is a conflict found at COMMIT. */
const DEADLOCK = 1213;

function isConflict(error: unknown): boolean {
  return (
    error instanceof WriteConflict ||
    error instanceof CommitLost ||
    (error instanceof SqlError && CONFLICTS.has(error.errno))
  );
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. Whatever `work` throws rolls it back.
 *
 * Where a concurrent writer was the reason (a deadlock, a failed certification or compare-and-set, a duplicate that was not
 * there when it was looked for) the whole of `work` runs again on a new transaction, after a random pause, for up to
 * `retryBudget` milliseconds: then {@link ConcurrentUpdate}, or DatabaseUnavailable where not a writer but the database was the
 * reason. So `work` must have no effect but on its transaction, and must never catch an error of a statement: after a deadlock the
 * server has ended the transaction, and what would be written next on the connection would be committed by itself.
 *
 * Rejects with the reason of the operation's signal as soon as it aborts, until the COMMIT is sent: that is waited for.
 */
export async function inTransaction<T>(
  ledger: Ledger,
  work: (tx: Transaction) => Promise<T>,
  retryBudget = RETRY_BUDGET,
): Promise<T> {
  const activity = ledger.activity ?? ledger.operation?.activity;
  if (activity === undefined) return attempts(ledger, work, retryBudget);
  return activity.inDatabase('transaction', (span) =>
    attempts({ ...ledger, activity }, work, retryBudget, span),
  );
}

async function attempts<T>(
  ledger: Ledger,
  work: (tx: Transaction) => Promise<T>,
  retryBudget: number,
  span: Span | null = null,
): Promise<T> {
  const deadline = ledger.clock.elapsed() + retryBudget;
  for (let ceiling = FIRST_PAUSE; ; ceiling = Math.min(2 * ceiling, LONGEST_PAUSE)) {
    try {
      return await attempt(ledger, work, span);
    } catch (error) {
      const signal = ledger.operation?.signal;
      if (signal?.aborted && error === signal.reason) throw error;
      if (error instanceof OutcomeUnknown || !(isConflict(error) || isRetryable(error))) throw error;
      const pause = Math.random() * ceiling;
      if (ledger.clock.elapsed() + pause > deadline) throw gaveUp(retryBudget, error);
      if (ledger.activity) ledger.activity.retries++;
      ledger.observer?.transactionRetried(isUnavailable(error) ? 'unavailable' : 'conflict');
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function gaveUp(retryBudget: number, cause: unknown): Error {
  if (!isUnavailable(cause)) return new ConcurrentUpdate(retryBudget, cause);
  return new DatabaseUnavailable('The database is not available: nothing was changed.', { cause });
}

async function attempt<T>(
  { database, feed, clock, operation, activity }: Ledger,
  work: (tx: Transaction) => Promise<T>,
  span: Span | null,
): Promise<T> {
  const signal = operation?.signal;
  await untilAborted(signal, feed.ready());
  const connection = await takeConnection(database, database.transactions, signal);
  const ending = endOnAbort(database, connection, signal);
  const recorded = new RecordedChanges();
  const sent: Promise<void>[] = [];
  const now = new Date(Math.floor(clock.now() / 1000) * 1000);
  const tx = transactionOn({ database, connection, now, recorded, sent, operation, activity, span });
  let sequence = null as FeedSequence | null;
  const prepare = async (): Promise<T> => {
    const result = await work(tx);
    if (recorded.size > 0) sequence = await feed.write(tx, recorded);
    await Promise.all(sent);
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
    // to give back a connection that is silent may take as long as for a server that is gone; nothing of it will be committed
    if (!(error instanceof ConnectionSilent)) await rolledBack;
    throw error;
  }
  const commit = (): Promise<void> => connection.commit();
  const committing = activity === undefined ? commit() : activity.statement('COMMIT', commit, span);
  try {
    await within(LONGEST_COMMIT, 'The database does not answer a COMMIT.', committing);
  } catch (error) {
    if (connection.isValid() && isRolledBack(error)) {
      await rollBack();
      throw error;
    }
    const destroy = (): void => closeWithoutKill(connection);
    committing.then(destroy, destroy);
    const outcome = sequence && (await outcomeOf(feed, sequence, connection));
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
 * Whether a COMMIT that has failed says itself that nothing was committed. Any other failure leaves that open: a node of a cluster that
 * loses the others while it commits refuses it, though they may have it; and one of MySQL's Group Replication gives a conflict the same
 * number (3101).
 */
function isRolledBack(error: unknown): boolean {
  return error instanceof SqlError && error.errno === DEADLOCK;
}

/** Null: it could not be found out in time. */
function outcomeOf(
  feed: FeedWriter,
  sequence: FeedSequence,
  connection: Connection,
): ReturnType<FeedWriter['outcome']> {
  const found = feed.outcome(sequence, connection);
  return within(LONGEST_LOOK_UP, 'The outcome of a COMMIT is not known.', found).catch(() => null);
}

interface Writing {
  readonly database: Database;
  readonly connection: Connection;
  readonly now: Date;
  readonly recorded: RecordedChanges;
  readonly sent: Promise<void>[];
  readonly operation: Ledger['operation'];
  readonly activity: Ledger['activity'];
  readonly span: Span | null;
}

function transactionOn({ now, recorded, sent, operation, ...writing }: Writing): Transaction {
  const { database, connection, activity, span } = writing;
  const answerTo = <T>(...statement: Parameters<Connection['query']>): Promise<T> => {
    const send = (): Promise<T> => unlessSilent(database, connection, connection.query<T>(...statement));
    return activity === undefined ? send() : activity.statement(textOf(statement[0]), send, span);
  };
  return {
    now,
    recorded,
    async pause({ length }) {
      if (length > QUICK) await operation?.pause();
    },
    async query<T>(...args: Parameters<Connection['query']>) {
      const answer = answerTo<T>(...args);
      await Promise.all([...sent, answer]);
      return answer;
    },
    send(sql, values, check = () => undefined) {
      const checked = answerTo<UpsertResult>(sql, values).then(check);
      checked.catch(() => undefined); // a failure rejects what waits for `sent`
      sent.push(checked);
    },
  };
}
