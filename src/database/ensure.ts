import { createConnection, SqlError } from 'mariadb';
import { databaseAddress } from './address.js';
import { reason } from './failures.js';

const UNKNOWN_DATABASE = 1049;

/**
 * Makes sure that the server of `url` answers and has the database it names: creates an empty one when it is missing.
 *
 * @throws Error with a one-line message, without the password, when the server cannot be reached or refuses
 */
export async function ensureDatabase(url: string): Promise<void> {
  const { database, ...server } = databaseAddress(url);
  const where = `the database ${database} on ${server.socketPath ?? `${server.host}:${server.port}`}`;
  const run = async (sql: string, chosen?: string): Promise<void> => {
    const connection = await createConnection({ ...server, database: chosen, allowPublicKeyRetrieval: true });
    await connection.query(sql).finally(() => connection.end());
  };
  try {
    await run('DO 0', database).catch((error: unknown) => {
      if (!(error instanceof SqlError) || error.errno !== UNKNOWN_DATABASE) throw error;
      const name = `\`${database.replaceAll('`', '``')}\``;
      return run(`CREATE DATABASE IF NOT EXISTS ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
    });
  } catch (error) {
    throw new Error(`cannot use ${where}: ${reason(error)}`, { cause: error });
  }
}
