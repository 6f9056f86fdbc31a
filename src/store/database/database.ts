import { connect } from 'node:net';
import { type Connection, type ConnectionConfig, type Pool, createPool, type PoolConfig } from 'mariadb';
import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { within } from '../../model/operation/waiting.js';
import { PrismaClient } from '../../generated/prisma/client.js';
import { CONNECTING, databaseAddresses, type DatabaseAddress } from './address.js';
import { DatabaseNodes } from './cluster/nodes.js';
import { spellingsOf, type Spellings } from '../sql/catalog.js';
import type { Queryable } from '../sql/statements.js';

/**
 * EXECUTING: the server runs a statement of the connection. IDLE: the server has answered every
 * statement. GONE: the server has no such connection. LEFT: the pool of the connection has moved to
 * another node. UNKNOWN: the server of the connection could not be queried.
 */
export type ThreadState = 'EXECUTING' | 'IDLE' | 'GONE' | 'LEFT' | 'UNKNOWN';

/** A connection as the connector describes it; `info` is one object for the life of the connection. */
export type ServerConnection = Pick<Connection, 'threadId' | 'info'>;

/** Names a server. Servers behind one address differ in at least one of these variables. */
const IDENTITY = "SELECT CONCAT_WS(' ', @@hostname, @@port, @@datadir, @@server_id) AS server";

/** The maximum number of connections opened to find one server behind a load-balanced address. */
const MAX_ATTEMPTS = 8;

/** The timeout for reading the identity of a server (ms). */
const IDENTITY_TIMEOUT = 2_000;

/**
 * Queries and kills the thread of a connection on the server of that connection. A connection id
 * alone does not suffice: several servers may share one address, and each may have the same id.
 */
class ServerThreads {
  private readonly servers = new WeakMap<object, Promise<string | null>>();
  private last: Promise<unknown> = Promise.resolve();

  /** @param control a pool of one connection to the same address */
  constructor(private readonly control: Pool) {}

  /** Records the server of a connection. The query precedes all later ones, so no caller waits for it. */
  identify(connection: Connection): void {
    if (connection.info === null || this.servers.has(connection.info)) return;
    const server = connection.query<{ server: string }[]>(IDENTITY).then(
      ([row]) => row.server,
      () => null,
    );
    this.servers.set(connection.info, server);
  }

  /** Ends a connection on its server. Does nothing if that server cannot be reached or is not known. */
  async kill(connection: ServerConnection): Promise<void> {
    await this.onServerOf(connection, (control) => control.query(`KILL ${connection.threadId}`)).catch(
      () => undefined, // the connection has ended already, or its server cannot be reached
    );
  }

  async state(connection: ServerConnection): Promise<ThreadState> {
    // every user may see the connections of the same user
    const threads = await this.onServerOf(connection, (control) =>
      control.query<{ Id: number | bigint; Command: string }[]>('SHOW PROCESSLIST'),
    );
    if (threads === null) return 'UNKNOWN';
    const thread = threads.find(({ Id }) => Number(Id) === connection.threadId);
    if (thread === undefined) return 'GONE';
    return thread.Command === 'Sleep' ? 'IDLE' : 'EXECUTING';
  }

  /**
   * Runs `work` on a control connection to the server of `connection`. Null if that server is not found. One call at a
   * time: otherwise calls for different servers would close each other's control connections.
   */
  private onServerOf<T>(
    connection: ServerConnection,
    work: (control: Connection) => Promise<T>,
  ): Promise<T | null> {
    const result = this.last.then(async () => {
      const server = await this.serverOf(connection);
      for (let attempt = 0; server !== null && attempt < MAX_ATTEMPTS; attempt++) {
        const control = await this.control.getConnection();
        this.identify(control);
        if ((await this.serverOf(control)) === server) {
          try {
            return await work(control);
          } finally {
            await control.release();
          }
        }
        closeWithoutKill(control); // the next connection may go to another server
      }
      return null;
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  private async serverOf({ info }: ServerConnection): Promise<string | null> {
    const server = info === null ? undefined : this.servers.get(info);
    if (server === undefined) return null;
    return within(IDENTITY_TIMEOUT, 'the server does not name itself', server).catch(() => null);
  }
}

let isClosing = false;

/**
 * Closes the socket of a connection. `destroy` of the connector alone would open another connection to the same address
 * and send KILL with this connection's id there, perhaps to another server.
 */
export function closeWithoutKill(connection: Pick<Connection, 'destroy'>): void {
  isClosing = true;
  connection.destroy(); // opens the socket for KILL before it returns
  isClosing = false;
}

/** The connector's `stream` option for a host: it refuses the connections that `destroy` opens. */
function socketTo(host: string, port: number): NonNullable<ConnectionConfig['stream']> {
  return (callback) => {
    if (isClosing) callback(new Error('no connection is opened to end another one'));
    else callback(undefined, connect({ host, port, noDelay: true }));
  };
}

export interface Database {
  readonly url: string;
  /** The address of the current server: {@link url} may name several. */
  address(): DatabaseAddress;
  /**
   * The pool of connections for Prisma and hand-written SQL. Returns integers and decimals as
   * numbers. Datetimes are read and sent as text in UTC (`timestamps.ts`). `affectedRows` counts
   * matched rows. `execute` keeps its statement prepared on the connection: if the text varies
   * (long IN lists), use `query`.
   */
  readonly pool: Pool;
  /** The maximum number of connections of the pool. */
  readonly connections: number;
  /**
   * Connections with autocommit off: the first statement begins a transaction, and only COMMIT
   * commits. So a statement in transit is not committed if a deadlock ends its transaction. An
   * UPDATE or DELETE begins with `updateOf` or `deletionFrom` (`statements.ts`).
   */
  readonly transactions: Pool;
  /** Connections like those of `pool` whose statements may take minutes: for migrations, whole tables, repairs. */
  readonly longWork: Pool;
  /** One connection for availability checks, with a timeout of two seconds. */
  readonly probe: Pool;
  /** One connection for background work. It may hold locks of the server while it is in use. */
  readonly background: Pool;
  readonly prisma: PrismaClient;
  /** The uuids that other programs have stored in another spelling. */
  readonly spellings: { readonly consumers: Spellings; readonly aggregates: Spellings };
  /** Records the server of a connection, which {@link kill} and {@link threadState} need. */
  identify(connection: Connection): void;
  /**
   * Ends a connection and its statement on its server. Does nothing if that server is unreachable
   * or unknown, or if the pool has moved to another node.
   */
  kill(connection: ServerConnection): Promise<void>;
  /** Reads the state of a connection from its server. Rejects if the server does not respond. */
  threadState(connection: ServerConnection): Promise<ThreadState>;
  /** Waits for running statements, then closes every connection. May be called twice. */
  close(): Promise<void>;
}

export interface ReadableDatabase extends Pick<Database, 'prisma' | 'spellings'> {
  readonly pool: Queryable;
}

export interface DatabaseOptions {
  /** The maximum number of connections for reads, and for transactions. Defaults to 10. */
  readonly connections?: number;
  /**
   * The time limit of statements except those of `longWork` (ms). Defaults to 30 seconds. MySQL
   * limits reads only. The client closes a connection that is silent for {@link GRACE} longer.
   */
  readonly statementTimeout?: number;
  /**
   * Called for each execution of a statement on the server, including Prisma's. Preparing does not
   * count. A `batch` is one execution on MariaDB and one per row on MySQL. The set-up of a
   * connection is not reported.
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

const STATEMENT_TIMEOUT = 30_000;
const LONG_STATEMENT_TIMEOUT = 10 * 60_000;
const LONG_WORK_CONNECTIONS = 2;
/** Connections for KILL, for availability checks and for background work. */
const OTHER_CONNECTIONS = 3;

/** The additional time that the client waits after the server's statement timeout (ms). */
const GRACE = 5_000;

/** The timeout of a probe (ms). */
const PROBE_TIMEOUT = 2_000;

/** The time that a write waits for a lock (s): as long as writes are retried after conflicts. */
const LOCK_WAIT = 10;

/** Overrides the server's defaults on a new connection. @param timeout limit of a statement (ms) */
function sessionOf(timeout: number): string[] {
  return [
    `SET time_zone = '+00:00', sql_mode = '${MODES.join(',')}'`,
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    // each server treats the setting of the other as a comment
    `SET innodb_lock_wait_timeout = ${LOCK_WAIT} /*M!100101 , max_statement_time = ${timeout / 1000} */ ` +
      `/*!50708 , max_execution_time = ${timeout} */`,
  ];
}

/**
 * Makes reads on a cluster node wait for all earlier commits of any node. Writes also wait if a
 * transaction may begin with a write. Galera's variable is unknown to MySQL and to builds without
 * Galera. (A query for it would need a temporary table, which a full disk cannot hold.) The
 * variable of Group Replication has no effect without a group.
 */
function causalReads(kinds: 'reads' | 'reads and writes'): string {
  const set = `EXECUTE IMMEDIATE 'SET wsrep_sync_wait = ${kinds === 'reads' ? 1 : 7}'`;
  const unknown = 'DECLARE CONTINUE HANDLER FOR 1193 BEGIN END';
  const ofMysql =
    "/*!50708 SET @placement_set_up = NULL */ /*!80014 , group_replication_consistency = 'BEFORE' */";
  return `/*M!100203 BEGIN NOT ATOMIC ${unknown}; ${set}; END */ ${ofMysql}`;
}

/**
 * Makes MariaDB find the rows of an UPDATE or DELETE by an index or fail (error 1175), instead of locking each row of
 * the table. MySQL has a hint for it ({@link updateOf}).
 */
const OF_TRANSACTIONS = 'SET autocommit = 0 /*M!100101 , sql_safe_updates = 1 */';

/**
 * Statements kept prepared on each connection. Small, because the server holds a parsed copy of each, and Prisma
 * prepares a new one for every length of an IN list.
 */
const PREPARED = 64;

/** Returns the maximum number of connections of a process that has `connections` for reads. */
export function connectionsInAll(connections: number): number {
  return 2 * connections + Math.min(connections, LONG_WORK_CONNECTIONS) + OTHER_CONNECTIONS;
}

/**
 * Opens the database of a URL in a form of {@link databaseAddresses}. Throws an Error for other
 * forms. Connects only when needed, so the first statement reports an unreachable server.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const addresses = databaseAddresses(url);
  const nodes = addresses.length > 1 ? new DatabaseNodes(addresses) : null;
  const poolTo = (address: DatabaseAddress, config: PoolConfig): Pool => {
    const { host, port } = address;
    const stream = host === undefined ? {} : { stream: socketTo(host, port!) };
    return createPool({ ...address, ...CONNECTING, ...stream, ...config });
  };
  const makePool = (config: PoolConfig): Pool =>
    nodes?.pool((address) => poolTo(address, config)) ?? poolTo(addresses[0], config);
  const { connections = 10, statementTimeout = STATEMENT_TIMEOUT, onStatement } = options;
  const poolOf = (
    connectionLimit: number,
    timeout: number,
    more: readonly string[] = [causalReads('reads')],
  ): Pool => {
    const initSql = [...sessionOf(timeout), ...more];
    return makePool({
      connectionLimit,
      // closes an idle connection before its socket timeout would report a lost server
      minimumIdle: 0,
      idleTimeout: timeout / 2_000,
      socketTimeout: timeout + GRACE,
      collation: 'UTF8MB4_BIN',
      initSql,
      bigIntAsNumber: true,
      insertIdAsNumber: true,
      decimalAsNumber: true,
      dateStrings: true,
      prepareCacheLength: PREPARED,
      logParam: false, // errors show a statement without its values
      ...(onStatement && reportStatements(onStatement, new Set([...initSql, IDENTITY]))),
    });
  };
  const pool = poolOf(connections, statementTimeout);
  const transactions = poolOf(connections, statementTimeout, [
    causalReads('reads and writes'),
    OF_TRANSACTIONS,
  ]);
  const longWork = poolOf(Math.min(connections, LONG_WORK_CONNECTIONS), LONG_STATEMENT_TIMEOUT);
  // a separate pool, because the others are exhausted when statements must be killed
  const control = makePool({
    connectionLimit: 1,
    minimumIdle: 0,
    socketTimeout: GRACE,
  });
  const threads = new ServerThreads(control);
  const probe = makePool({
    connectionLimit: 1,
    minimumIdle: 0,
    acquireTimeout: PROBE_TIMEOUT,
    socketTimeout: PROBE_TIMEOUT,
  });
  const background = poolOf(1, statementTimeout);
  const prisma = new PrismaClient({ adapter: new PrismaMariaDb(pool, { database: addresses[0].database }) });
  const end = async (): Promise<void> => {
    nodes?.close();
    await prisma.$disconnect();
    await Promise.all([pool, transactions, longWork, control, probe, background].map((each) => each.end()));
  };
  let closed: Promise<void> | undefined;
  return {
    url,
    address: () => nodes?.address ?? addresses[0],
    pool,
    connections,
    transactions,
    longWork,
    probe,
    background,
    prisma,
    spellings: spellingsOf(pool),
    identify: (connection) => threads.identify(connection),
    kill: async (connection) => {
      if (nodes?.has(connection) ?? true) await threads.kill(connection);
    },
    threadState: async (connection) =>
      nodes === null || nodes.has(connection) ? threads.state(connection) : 'LEFT',
    close: () => (closed ??= end()),
  };
}

function reportStatements(onStatement: (sql: string) => void, setUp: ReadonlySet<string>): ConnectionConfig {
  return {
    logger: {
      query: (line) => {
        const sql = /^(?:QUERY: |EXECUTE: \(-?\d+\) sql: |BULK: \(-?\d+\) sql: )(.*)$/s.exec(line)?.[1];
        if (sql !== undefined && !setUp.has(sql)) onStatement(sql);
      },
    },
  };
}
