import { SqlError } from 'mariadb';
import { DatabaseUnavailable, Overloaded, TimedOut } from '../runtime/refusals.js';

/** Errors of a write conflict or a fail-over: the transaction may well succeed when it is run again. */
const RETRYABLE = new Set([
  1020, // row changed since it was read (snapshot isolation of MariaDB)
  1047, // this node of a Galera cluster is not ready
  1053, // the server is shutting down
  1205, // lock wait timeout
  1213, // deadlock; on a cluster also a conflict found at COMMIT
  1290, // the server has become read-only
  1836, // the server has become read-only
  1927, // connection killed
  2006, // connection lost
  2013, // connection lost while waiting for the answer
  3032, // offline mode, of a node that has left its group for example
  3100, // MySQL's Group Replication: this node cannot send the transaction to the others
  3101, // it rolled the transaction back at COMMIT: a conflict, or this node has left the group
  3782, // it held the statement, for what is committed before it, until the node left the group
  3783, // the same
  3796, // this node is no member in good order
  3797, // what was committed before cannot be waited for
  3799, // this node is leaving the group
  45004, // the connector's own numbers for a lost connection
  45009,
  45013,
  45026, // nothing has come on the connection for longer than a statement may take
]);

/** The disk of the server is full: nothing can be written until somebody makes space. */
const DISK_FULL = new Set([
  1021, // while it waits for space
  1026, // writing a file
  1114, // the table is full
]);

/** Failures that no concurrent writer is the reason of: the server is away, not part of a majority, read-only, or has no space left. */
const UNAVAILABLE = new Set([
  ...[1047, 1053, 1290, 1836, 2006, 2013],
  ...[3032, 3100, 3782, 3783, 3796, 3797, 3799],
  ...[45004, 45009, 45012, 45013, 45026],
  ...DISK_FULL,
]);

/** A lost connection as Node.js names it. */
const CONNECTION_LOST = new Set<unknown>(['ECONNRESET', 'EPIPE']);

/** That there is none, as Node.js names it. */
const NO_CONNECTION = new Set<unknown>([
  ...CONNECTION_LOST,
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

const DUPLICATE_ENTRY = 1062;

/** The server has ended a statement that took longer than it may: MariaDB's number and MySQL's. */
const STATEMENT_TIMEOUT = new Set([1969, 3024]);

/** No connection of the pool has become free in time. */
const POOL_TIMEOUT = 45028;

/**
 * Whether the whole transaction that ended with `error` should be run again: a deadlock, a lock wait timeout, a
 * conflict found at COMMIT, a read-only or lost server, in any of the shapes that the connector and Prisma give it.
 *
 * After a connection that was lost during COMMIT the outcome is unknown; generations and unique keys decide on the next
 * attempt.
 */
export function isRetryable(error: unknown): boolean {
  return layers(error).some(
    (layer) =>
      RETRYABLE.has(errorNumber(layer) ?? 0) ||
      isConflictAtCommit(layer) ||
      CONNECTION_LOST.has(layer.code) ||
      layer.code === 'P2034' ||
      layer.kind === 'TransactionWriteConflict',
  );
}

/** Whether the database was not there, or could not do what it was asked for: for a while, and whatever others write. */
export function isUnavailable(error: unknown): boolean {
  return layers(error).some((layer) => {
    const number = errorNumber(layer) ?? 0;
    // a pool that has no connection says why it could make none, where that is the reason
    if (number === POOL_TIMEOUT) return Boolean(layer.cause);
    return UNAVAILABLE.has(number) || NO_CONNECTION.has(layer.code);
  });
}

/** The server, or its user, has as many connections as it may. */
const BUSY = new Set([1040, 1203]);

/** The socket of a server that has not begun to listen is no file yet. */
const NO_SOCKET = 'ENOENT';

/** Whether waiting may help against a failure of the first statements that a program sends. */
export function isNotYetAvailable(error: unknown): boolean {
  const isHindered = (layer: Layer): boolean =>
    BUSY.has(errorNumber(layer) ?? 0) || (layer.code === NO_SOCKET && layer.syscall === 'connect');
  return isUnavailable(error) || layers(error).some(isHindered);
}

/**
 * What a failure means to whoever sent the request, where it is no fault of the program: a statement that took too long, that no
 * connection was free for, or a database that is not available. Else null.
 */
export function refusal(error: unknown): TimedOut | Overloaded | DatabaseUnavailable | null {
  for (const layer of layers(error)) {
    const number = errorNumber(layer);
    if (number === null) continue;
    if (STATEMENT_TIMEOUT.has(number))
      return new TimedOut('A statement of the database took longer than it may.');
    // the reason why there is no connection, if there is one, is its cause
    if (number === POOL_TIMEOUT && !layer.cause)
      return new Overloaded('The server is busy: no connection to the database was free.');
  }
  if (isUnavailable(error))
    return new DatabaseUnavailable('The database is not available.', { cause: error });
  return null;
}

/** The name of the unique index that `error` says a write violates (error 1062, in any shape), else null. */
export function duplicateKey(error: unknown): string | null {
  for (const layer of layers(error)) {
    if (errorNumber(layer) !== DUPLICATE_ENTRY) continue;
    const message = layer.sqlMessage ?? layer.originalMessage;
    // MySQL writes table.index, MariaDB the index alone; the value in front may itself contain quotes.
    const index =
      typeof message === 'string' ? /for key '(?:[^'.]+\.)?([^'.]+)'$/.exec(message)?.[1] : undefined;
    if (index !== undefined) return index;
  }
  return null;
}

/** Nothing has come on the connection for as long as an answer is waited for. */
const SILENT = 'ER_SOCKET_TIMEOUT';

/** What went wrong in one line, without the statement and the connection that the connector adds. */
export function reason(error: unknown): string {
  if (error instanceof SqlError && error.code === SILENT) return 'the database does not answer';
  if (error instanceof SqlError && error.sqlMessage) return error.sqlMessage;
  return error instanceof Error ? error.message : String(error);
}

/** What the layers of an error may have that names the failure. */
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
 * An error and what it wraps, outermost first: the connector's SqlError stands alone, Prisma's adapter error has the
 * server's error as its `cause`, and Prisma's client error has the adapter's in `meta.driverAdapterError`.
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

/** A transaction that another node's has displaced ends so on MySQL when it is about to be sent to the group: 149 is InnoDB's deadlock. */
function isConflictAtCommit(layer: Layer): boolean {
  return errorNumber(layer) === 1180 && /error 149\b/.test(String(layer.sqlMessage ?? layer.originalMessage));
}

/** The server's number: a number from the connector, a string of digits from Prisma's adapter. */
function errorNumber({ errno, originalCode }: Layer): number | null {
  if (typeof errno === 'number') return errno;
  return typeof originalCode === 'string' && /^\d+$/.test(originalCode) ? Number(originalCode) : null;
}
