import type { Connection, Pool, PoolConnection } from 'mariadb';
import { untilAborted } from '../runtime/waiting.js';
import type { Database } from './database.js';
import { closeWithoutKill } from './serverThreads.js';

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

/** Takes a connection whose statement can be ended, or stops waiting for one when the signal aborts. */
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
  /** From now on the signal ends it no more. */
  stopListening(): void;
  /** To be called when nothing is under way on it any more. */
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
