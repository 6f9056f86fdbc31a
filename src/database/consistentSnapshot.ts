import type { Connection } from 'mariadb';
import type { Database } from './database.js';

/**
 * Runs reads in one consistent read-only transaction, so that all of them see the database as it is at one moment, whoever
 * writes meanwhile: REPEATABLE READ, the one exception in this server. Nobody waits for it.
 */
export async function inConsistentSnapshot<T>(
  database: Database,
  read: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await database.pool.getConnection();
  try {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const result = await read(connection);
    await connection.query('COMMIT');
    await connection.release();
    return result;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}
