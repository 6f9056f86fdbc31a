import type { Connection, Pool, PoolConnection } from 'mariadb';
import { untilAborted } from '../../model/operation/waiting.js';
import { type Database, closeWithoutKill, type ReadableDatabase } from './database.js';
import type { PrismaClient } from '../../generated/prisma/client.js';
import type { Operation } from '../../model/operation/operation.js';
import { textOf, type Queryable } from '../sql/statements.js';

export interface OnConnection {
  /** The pool of the connection. Defaults to `pool`. */
  readonly pool?: Pool;
  /** If it aborts, the server kills the current statement. */
  readonly signal?: AbortSignal;
}

/**
 * Runs work on one connection of a pool. If the signal aborts, rejects with its reason after the connection is
 * returned.
 */
export async function onConnection<T>(
  database: Pick<Database, 'pool' | 'identify' | 'kill'>,
  work: (connection: Connection) => Promise<T>,
  { pool = database.pool, signal }: OnConnection = {},
): Promise<T> {
  const connection = await takeConnection(database, pool, signal);
  const ending = endOnAbort(database, connection, signal);
  try {
    return await work(connection);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    await ending.giveBack();
  }
}

/** Takes a connection whose statement can be killed. Stops waiting for it if the signal aborts. */
export async function takeConnection(
  { identify }: Pick<Database, 'identify'>,
  pool: Pool,
  signal?: AbortSignal,
): Promise<PoolConnection> {
  signal?.throwIfAborted();
  const taking = pool.getConnection();
  try {
    const connection = await untilAborted(signal, taking);
    identify(connection);
    return connection;
  } catch (error) {
    void taking.then(
      (late) => late.release(),
      () => undefined,
    );
    throw error;
  }
}

interface Ending {
  /** Ignores the signal from now on. */
  stopListening(): void;
  /** Releases the connection, or closes it if it was killed. No statement may be in progress. */
  giveBack(): Promise<void>;
}

/** Ends a connection on its server when the signal aborts. */
export function endOnAbort(
  { kill }: Pick<Database, 'kill'>,
  connection: PoolConnection,
  signal?: AbortSignal,
): Ending {
  let killed: Promise<void> | null = null;
  const end = (): void => void (killed = kill(connection));
  const stopListening = (): void => signal?.removeEventListener('abort', end);
  if (signal?.aborted) end();
  else signal?.addEventListener('abort', end, { once: true });
  return {
    stopListening,
    async giveBack() {
      stopListening();
      if (killed === null) return connection.release();
      await killed;
      closeWithoutKill(connection);
    },
  };
}

/**
 * Runs reads in one read-only REPEATABLE READ transaction with a consistent snapshot. All other
 * transactions of this server are READ COMMITTED. It locks no rows. The reads end if the signal
 * aborts. By default they may take minutes.
 */
export function inConsistentSnapshot<T>(
  database: Database,
  read: (connection: Connection) => Promise<T>,
  { pool = database.longWork, signal }: OnConnection = {},
): Promise<T> {
  const inTransaction = async (connection: Connection): Promise<T> => {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const result = await read(connection);
    await connection.query('COMMIT');
    return result;
  };
  return onConnection(database, inTransaction, { pool, signal });
}

/** Runs reads that also see what other transactions have not committed yet. It locks no rows. */
export function readUncommitted<T>(
  database: Database,
  read: (connection: Connection) => Promise<T>,
): Promise<T> {
  return onConnection(database, async (connection) => {
    await connection.query('SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED');
    await connection.query('START TRANSACTION READ ONLY');
    const result = await read(connection);
    await connection.query('COMMIT');
    return result;
  });
}

/** The silence before the first query of a thread state, and the interval of the next (ms). */
const SILENT_MS = 5_000;
const AGAIN_MS = 1_000;

/** The number of consecutive IDLE or GONE states that prove the loss: one response may be in transit. */
const CERTAIN = 2;

/** Thrown if the server no longer executes a statement, but its answer did not arrive. */
export class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';
  readonly code = 'ECONNRESET';
}

/**
 * Settles like the answer to a statement. If no answer arrives for five seconds, the statement may
 * be slow or the connection dead. So this function queries the thread state on another connection.
 * If the server no longer executes the statement, the connection is closed on both sides, which
 * rolls its transaction back. If the server does not respond, the caller waits until the socket
 * times out.
 *
 * Not applicable to COMMIT, whose outcome must be read from the change feed.
 */
export async function unlessSilent<T>(
  { threadState, kill }: Pick<Database, 'threadState' | 'kill'>,
  connection: Connection,
  answer: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = false;
  const silence = new Promise<never>((_, reject) => {
    const ask = async (before: number): Promise<void> => {
      const state = await threadState(connection).catch(() => 'UNKNOWN' as const);
      if (isAnswered) return;
      const idle = state === 'EXECUTING' || state === 'UNKNOWN' ? 0 : before + 1;
      if (idle < CERTAIN) return void (timer = setTimeout(() => void ask(idle), AGAIN_MS));
      if (state === 'IDLE') await kill(connection);
      closeWithoutKill(connection);
      reject(new ConnectionSilent('a connection to the database stopped delivering answers'));
    };
    timer = setTimeout(() => void ask(0), SILENT_MS);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    isAnswered = true;
    clearTimeout(timer);
  }
}

/**
 * Returns the database for the reads of one operation. Each read waits until the operation may use
 * a connection. If the operation aborts, its reads reject and the server stops its SQL statement. A
 * statement of Prisma runs on until the statement timeout at the latest.
 */
export function readableDatabase(
  database: Pick<Database, 'pool' | 'identify' | 'kill' | 'prisma' | 'spellings'>,
  operation: Operation,
): ReadableDatabase {
  return new OperationReader(database, operation);
}

/** A class, because each operation creates one: an object literal with a getter takes microseconds. */
class OperationReader implements ReadableDatabase {
  readonly spellings: ReadableDatabase['spellings'];
  readonly pool: Queryable;
  private bound: PrismaClient | undefined;

  constructor(
    private readonly database: Parameters<typeof readableDatabase>[0],
    private readonly operation: Operation,
  ) {
    this.spellings = database.spellings;
    this.pool = {
      query: <T>(...statement: Parameters<Queryable['query']>) =>
        operation.activity.statement(textOf(statement[0]), () =>
          operation.withConnection(() =>
            onConnection(database, (connection) => connection.query<T>(...statement), operation),
          ),
        ),
    };
  }

  get prisma(): PrismaClient {
    return (this.bound ??= boundPrisma(this.database.prisma, this.operation));
  }
}

function boundPrisma(prisma: PrismaClient, operation: Operation): PrismaClient {
  const bound = prisma.$extends({
    query: {
      $allOperations: ({ model, operation: method, args, query }) =>
        operation.activity.statement(`Prisma ${model}.${method}`, () =>
          operation.withConnection(() => query(args)),
        ),
    },
  });
  return bound as unknown as PrismaClient;
}
