import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { createPool, type ConnectionConfig, type Pool } from 'mariadb';
import { PrismaClient } from '../generated/prisma/client.js';
import { CONNECTING, databaseAddress } from './address.js';

export interface Database {
  readonly url: string;
  /**
   * The one pool of connections, shared by Prisma and by SQL written by hand. Integers of any width and decimals
   * come as numbers, datetimes as Date in UTC. `affectedRows` counts the rows matched, not only those changed.
   * `execute` keeps its statement prepared on the connection: use `query` where the text varies (long IN lists).
   */
  readonly pool: Pool;
  /**
   * Connections on which every statement is part of a transaction, which the first one begins: autocommit is off. So nothing is ever
   * committed but by COMMIT, even what is still on its way when the server ends a transaction because of a deadlock.
   */
  readonly transactions: Pool;
  readonly prisma: PrismaClient;
  /** Waits for the statements that run, then closes every connection. May be called twice. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The most connections of each pool that are open at once; 10 unless said otherwise. */
  readonly connections?: number;
  /**
   * Called with every statement that goes to the server, Prisma's too, once for each execution: preparing one is
   * none, and a `batch` is one on MariaDB and one for each row on MySQL. A connection's own set-up is not reported.
   */
  readonly onStatement?: (sql: string) => void;
}

const MODES = [
  'STRICT_ALL_TABLES',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'ONLY_FULL_GROUP_BY',
  // the first standard resource class has the id 0
  'NO_AUTO_VALUE_ON_ZERO',
];

/** Run once on each new connection, so that no server's defaults show through. */
const SESSION: readonly string[] = [
  `SET time_zone = '+00:00', sql_mode = '${MODES.join(',')}'`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

const NO_AUTOCOMMIT = 'SET autocommit = 0';

/**
 * Statements kept prepared on each connection. Small, because the server holds a parsed copy of each, and Prisma
 * prepares a new one for every length of an IN list.
 */
const PREPARED = 64;

/**
 * Opens the database that `url` names (forms: {@link databaseAddress}; throws an Error on others). Returns at
 * once: connections are made when needed; the first statement reports an unreachable server.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const address = databaseAddress(url);
  useUtc();
  const poolWith = (initSql: readonly string[]): Pool =>
    createPool({
      ...address,
      ...CONNECTING,
      connectionLimit: options.connections ?? 10,
      minimumIdle: 1,
      collation: 'UTF8MB4_BIN',
      initSql: [...initSql],
      bigIntAsNumber: true,
      insertIdAsNumber: true,
      decimalAsNumber: true,
      prepareCacheLength: PREPARED,
      logParam: false, // errors show a statement without its values
      ...(options.onStatement && reportStatements(options.onStatement)),
    });
  const pool = poolWith(SESSION);
  const transactions = poolWith([...SESSION, NO_AUTOCOMMIT]);
  const prisma = new PrismaClient({ adapter: new PrismaMariaDb(pool, { database: address.database }) });
  const end = async (): Promise<void> => {
    await prisma.$disconnect();
    await Promise.all([pool.end(), transactions.end()]);
  };
  let closed: Promise<void> | undefined;
  return { url, pool, transactions, prisma, close: () => (closed ??= end()) };
}

/** The connector reads and writes a Date in the time zone of the process, and the tables hold UTC. */
function useUtc(): void {
  process.env.TZ = 'UTC';
  if (new Date().getTimezoneOffset() !== 0) throw new Error('the process must run with TZ=UTC');
}

function reportStatements(onStatement: (sql: string) => void): ConnectionConfig {
  const setUp = new Set([...SESSION, NO_AUTOCOMMIT]);
  return {
    logger: {
      query: (line) => {
        const sql = /^(?:QUERY: |EXECUTE: \(-?\d+\) sql: |BULK: \(-?\d+\) sql: )(.*)$/s.exec(line)?.[1];
        if (sql !== undefined && !setUp.has(sql)) onStatement(sql);
      },
    },
  };
}
