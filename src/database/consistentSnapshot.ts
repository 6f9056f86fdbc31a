import type { Connection } from 'mariadb';
import type { Database } from './database.js';
import { onConnection } from './onConnection.js';

/**
 * Runs reads in one read-only transaction, so that all of them see the same consistent snapshot of the database, whoever writes
 * meanwhile: with REPEATABLE READ, the one exception in this server. It locks nothing. The reads end with the signal; without
 * one they may take minutes.
 */
export function inConsistentSnapshot<T>(
  database: Database,
  read: (connection: Connection) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const pool = signal === undefined ? database.longWork : database.pool;
  const inTransaction = async (connection: Connection): Promise<T> => {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const result = await read(connection);
    await connection.query('COMMIT');
    return result;
  };
  return onConnection(database, inTransaction, { pool, signal });
}
