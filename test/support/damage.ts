import type { Database } from '../../src/store/database/database.js';

/**
 * Runs statements without foreign key checks. An external writer or a restored backup may leave a
 * database like this.
 */
export async function damage({ pool }: Database, ...statements: readonly string[]): Promise<void> {
  const connection = await pool.getConnection();
  try {
    await connection.query('SET foreign_key_checks = 0');
    // which the pool may have opened while a test had made all new connections read-only
    await connection.query('SET SESSION TRANSACTION READ WRITE');
    for (const statement of statements) await connection.query(statement);
    await connection.query('SET foreign_key_checks = 1');
  } finally {
    await connection.release();
  }
}
