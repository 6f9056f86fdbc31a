import { createConnection, SqlError, type Connection } from 'mariadb';
import { CONNECTING, databaseAddresses, nameOf, quoted, type DatabaseAddress } from './address.js';
import { isUnavailable, reason } from './failures.js';
import { requireMigrated } from './migrator.js';

const UNKNOWN_DATABASE = 1049;

/**
 * Ensures that the server of `url` is reachable. Creates an empty database if it is missing.
 *
 * @throws Error with a one-line message, without the password, if the server cannot be used
 */
export function ensureDatabase(url: string): Promise<void> {
  return onFirstNode(url, createIfMissing);
}

async function createIfMissing({ database, ...server }: DatabaseAddress): Promise<void> {
  const run = async (sql: string, chosen?: string): Promise<void> => {
    const connection = await createConnection({ ...server, ...CONNECTING, database: chosen });
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  await run('DO 0', database).catch((error: unknown) => {
    if (!(error instanceof SqlError) || error.errno !== UNKNOWN_DATABASE) throw error;
    return run(`CREATE DATABASE IF NOT EXISTS ${quoted(database)} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  });
}

/** Requires a database that is up to date. Changes nothing. */
export function requireDatabase(url: string): Promise<void> {
  return onDatabase(url, (connection) => requireMigrated(connection));
}

/** Requires a database that exists, in any state. Changes nothing. */
export function requireReachable(url: string): Promise<void> {
  return onDatabase(url, (connection) => connection.query('DO 0'));
}

function onDatabase(url: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  return onFirstNode(url, async (address) => {
    const connection = await createConnection({ ...address, ...CONNECTING });
    try {
      await work(connection);
    } finally {
      await connection.end();
    }
  });
}

async function onFirstNode(url: string, work: (address: DatabaseAddress) => Promise<void>): Promise<void> {
  const addresses = databaseAddresses(url);
  for (const [at, address] of addresses.entries()) {
    try {
      return await work(address);
    } catch (error) {
      if (at === addresses.length - 1 || !isUnavailable(error))
        throw new Error(`cannot use ${nameOf(address)}: ${reason(error)}`, { cause: error });
    }
  }
}
