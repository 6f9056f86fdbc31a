import type { Connection } from 'mariadb';
import type { Database } from './database.js';

/**
 * Runs reads in one read-only transaction, so that all of them see the same consistent snapshot of the database, whoever writes
 * meanwhile: with REPEATABLE READ, the one exception in this server. It locks nothing.
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
