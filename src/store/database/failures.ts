import { SqlError } from 'mariadb';
import { DatabaseUnavailable, Overloaded, TimedOut } from '../../model/operation/waiting.js';

/**
 * The consequence of a failure for its transaction or request:
 * - `retry`: the transaction may succeed if it runs again;
 * - `unavailable`: the database was unreachable, without a majority, read-only or full;
 * - `readOnly`: the server rejected a write because it is read-only, as a secondary of a cluster is;
 * - `temporary`: the failure may pass while a program waits for its first statement to succeed;
 * - `timeout`: the server ended a statement at its time limit.
 */
type Meaning = 'retry' | 'unavailable' | 'readOnly' | 'temporary' | 'timeout';

const RETRY: readonly Meaning[] = ['retry'];
const UNAVAILABLE: readonly Meaning[] = ['unavailable'];
const RETRY_UNAVAILABLE: readonly Meaning[] = ['retry', 'unavailable'];
const READ_ONLY: readonly Meaning[] = ['retry', 'unavailable', 'readOnly'];
const TEMPORARY: readonly Meaning[] = ['temporary'];
const TIMEOUT: readonly Meaning[] = ['timeout'];

/** No connection of the pool became free in time. */
const POOL_TIMEOUT = 45028;

/** By error number: MariaDB and MySQL use numbers below 45000, the connector uses 45000 and above. */
const BY_NUMBER: Readonly<Record<number, readonly Meaning[] | undefined>> = {
  1020: RETRY, // the row changed after it was read (snapshot isolation of MariaDB)
  1021: UNAVAILABLE, // disk full: the server waits for space
  1026: UNAVAILABLE, // disk full: error writing a file
  1040: TEMPORARY, // too many connections to the server
  1047: RETRY_UNAVAILABLE, // this node of a Galera cluster is not ready
  1053: RETRY_UNAVAILABLE, // the server is shutting down
  1114: UNAVAILABLE, // disk full: the table is full
  1203: TEMPORARY, // too many connections of this user
  1205: RETRY, // lock wait timeout
  1213: RETRY, // deadlock; on a cluster also a conflict found at COMMIT
  1290: READ_ONLY,
  1836: READ_ONLY,
  1927: RETRY, // connection killed
  1969: TIMEOUT, // MariaDB: max_statement_time exceeded
  2006: RETRY_UNAVAILABLE, // connection lost
  2013: RETRY_UNAVAILABLE, // connection lost while waiting for the answer
  3024: TIMEOUT, // MySQL: max_execution_time exceeded
  3032: RETRY_UNAVAILABLE, // offline mode, for example of a node that has left its group
  3100: RETRY_UNAVAILABLE, // Group Replication: the node cannot send the transaction to the group
  3101: RETRY, // Group Replication: rolled back at COMMIT, by a conflict or because the node left
  3782: RETRY_UNAVAILABLE, // Group Replication: the node left the group while the statement waited
  3783: RETRY_UNAVAILABLE, // the same
  3796: RETRY_UNAVAILABLE, // Group Replication: the node is not an online member
  3797: RETRY_UNAVAILABLE, // Group Replication: the node cannot wait for earlier commits
  3799: RETRY_UNAVAILABLE, // Group Replication: the node is leaving the group
  45004: RETRY_UNAVAILABLE, // connection lost
  45009: RETRY_UNAVAILABLE, // connection lost
  45012: UNAVAILABLE, // no connection within the connect timeout
  45013: RETRY_UNAVAILABLE, // connection lost
  45026: RETRY_UNAVAILABLE, // socket timeout: no data for longer than a statement may take
};

/** By the code of a Node.js system error. */
const BY_CODE: Readonly<Record<string, readonly Meaning[] | undefined>> = {
  ECONNRESET: RETRY_UNAVAILABLE,
  EPIPE: RETRY_UNAVAILABLE,
  ECONNREFUSED: UNAVAILABLE,
  EHOSTUNREACH: UNAVAILABLE,
  ETIMEDOUT: UNAVAILABLE,
  ENOTFOUND: UNAVAILABLE,
  EAI_AGAIN: UNAVAILABLE,
  P2034: RETRY, // Prisma: write conflict or deadlock
};

/**
 * Returns true if the whole transaction that ended with `error` should run again: after a deadlock, a lock wait
 * timeout, a conflict found at COMMIT, or a read-only or lost server, in any form that the connector and Prisma use.
 *
 * If the connection was lost during COMMIT, the outcome is unknown: the caller must find it out before it retries.
 */
export function isRetryable(error: unknown): boolean {
  return layers(error).some(
    (layer) =>
      means(layer, 'retry') || isConflictAtCommit(layer) || layer.kind === 'TransactionWriteConflict',
  );
}

/** Returns true if the database was unreachable or could not serve. Conflicts do not count. */
export function isUnavailable(error: unknown): boolean {
  return layers(error).some((layer) => {
    // the cause of a pool timeout, if any, is the reason why the pool could not open a connection
    if (errorNumber(layer) === POOL_TIMEOUT) return Boolean(layer.cause);
    return means(layer, 'unavailable');
  });
}

/** Returns true if the server rejected a write because it is read-only. */
export function isReadOnly(error: unknown): boolean {
  return layers(error).some((layer) => means(layer, 'readOnly'));
}

/** Returns true if the first statements of a program may succeed when they are sent again later. */
export function isNotYetAvailable(error: unknown): boolean {
  const hasNoSocket = ({ code, syscall }: Layer): boolean => code === 'ENOENT' && syscall === 'connect';
  const isTemporary = (layer: Layer): boolean => means(layer, 'temporary') || hasNoSocket(layer);
  return isUnavailable(error) || layers(error).some(isTemporary);
}

/**
 * Returns the refusal for a failure that is no fault of the program: a statement timeout, no free connection, an
 * unavailable database, or a read that may succeed if it runs again. Null for any other failure.
 */
export function refusal(error: unknown): TimedOut | Overloaded | DatabaseUnavailable | null {
  for (const layer of layers(error)) {
    if (means(layer, 'timeout')) return new TimedOut('A database statement exceeded its time limit.');
    if (errorNumber(layer) === POOL_TIMEOUT && !layer.cause)
      return new Overloaded('The server is busy: no connection to the database was free.');
  }
  // a conflicting write becomes ConcurrentUpdate, so this is a read, such as one after a lock wait
  if (isUnavailable(error) || isRetryable(error))
    return new DatabaseUnavailable('The database is not available.', { cause: error });
  return null;
}

/** Describes a failure in one line, without the statement and connection that the connector appends. */
export function reason(error: unknown): string {
  if (error instanceof SqlError && error.code === 'ER_SOCKET_TIMEOUT') return 'the database does not answer';
  if (error instanceof SqlError && error.sqlMessage) return error.sqlMessage;
  return error instanceof Error ? error.message : String(error);
}

/** The properties of an error or its cause that identify the failure. */
interface Layer {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errno?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly sqlMessage?: unknown;
  readonly originalMessage?: unknown;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

/**
 * Returns an error and the errors that it wraps, outermost first. The connector throws its SqlError
 * directly. Prisma's adapter has the server's error as `cause`. Prisma's client has the error of
 * the adapter in `meta.driverAdapterError`.
 */
function layers(error: unknown): Layer[] {
  const found: Layer[] = [];
  let next: unknown = error;
  while (typeof next === 'object' && next !== null && !found.includes(next)) {
    const layer: Layer = next;
    found.push(layer);
    next = layer.meta?.driverAdapterError ?? layer.cause;
  }
  return found;
}

function means(layer: Layer, meaning: Meaning): boolean {
  const byCode = typeof layer.code === 'string' ? BY_CODE[layer.code] : undefined;
  return [BY_NUMBER[errorNumber(layer) ?? 0], byCode].some((meanings) => meanings?.includes(meaning));
}

/** Matches MySQL's error for a conflict with another node at COMMIT. 149 is InnoDB's deadlock. */
function isConflictAtCommit(layer: Layer): boolean {
  return errorNumber(layer) === 1180 && /error 149\b/.test(String(layer.sqlMessage ?? layer.originalMessage));
}

/** Returns the error number: a number from the connector, a string of digits from Prisma's adapter. */
function errorNumber({ errno, originalCode }: Layer): number | null {
  if (typeof errno === 'number') return errno;
  return typeof originalCode === 'string' && /^\d+$/.test(originalCode) ? Number(originalCode) : null;
}
