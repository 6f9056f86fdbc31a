import { createConnection, SqlError, type Connection, type ConnectionConfig } from 'mariadb';
import { CONNECTING, databaseAddresses, nameOf, quoted, type DatabaseAddress } from '../database/address.js';
import { isUnavailable, reason } from '../database/failures.js';
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
  const create = `CREATE DATABASE IF NOT EXISTS ${quoted(database)} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`;
  await connected({ ...server, database }, answers).catch((error: unknown) => {
    if (!(error instanceof SqlError) || error.errno !== UNKNOWN_DATABASE) throw error;
    return connected(server, (connection) => connection.query(create));
  });
}

function answers(connection: Connection): Promise<void> {
  return connection.query('DO 0');
}

async function connected(
  server: ConnectionConfig,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await createConnection({ ...server, ...CONNECTING });
  try {
    await work(connection);
  } finally {
    await connection.end();
  }
}

/** Requires a database that is up to date. Changes nothing. */
export function requireDatabase(url: string): Promise<void> {
  return onFirstNode(url, (address) => connected(address, requireMigrated));
}

/** Requires a database that exists, in any state. Changes nothing. */
export function requireReachable(url: string): Promise<void> {
  return onFirstNode(url, (address) => connected(address, answers));
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
