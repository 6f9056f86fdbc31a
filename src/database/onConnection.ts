import type { Connection, Pool, PoolConnection } from 'mariadb';
import { untilAborted } from '../runtime/waiting.js';
import type { Database } from './database.js';

export interface OnConnection {
  /** Whose connections it is; `pool` unless said otherwise. */
  readonly pool?: Pool;
  /** When it aborts, the server stops what it does for the work. */
  readonly signal?: AbortSignal;
}

/**
 * Does work on one connection, which goes back to its pool. Ends, with the reason of a signal that aborts, no sooner than the
 * connection has been given back.
 */
export async function onConnection<T>(
  database: Pick<Database, 'pool' | 'kill'>,
  work: (connection: Connection) => Promise<T>,
  { pool = database.pool, signal }: OnConnection = {},
): Promise<T> {
  const connection = await takeConnection(pool, signal);
  const ending = endOnAbort(database, connection, signal);
  try {
    return await work(connection);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    await ending.giveBack();
  }
}

/** Takes a connection, or leaves the line of those who wait for one when the signal aborts. */
export async function takeConnection(pool: Pool, signal?: AbortSignal): Promise<PoolConnection> {
  signal?.throwIfAborted();
  const connection = pool.getConnection();
  try {
    return await untilAborted(signal, connection);
  } catch (error) {
    void connection.then(
      (late) => late.release(),
      () => undefined,
    );
    throw error;
  }
}

interface Ending {
  /** From now on the signal ends it no more. */
  stopListening(): void;
  /** To be called when nothing is under way on it any more. */
  giveBack(): Promise<void>;
}

/**
 * Has the server end a connection when the signal aborts. (The connector would do so itself where a connection is destroyed that
 * is busy; but each time on a new connection, however many there are, and where it gets none nobody is told.)
 */
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
      connection.destroy();
    },
  };
}
