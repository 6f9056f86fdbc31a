import { connect } from 'node:net';
import type { Connection, ConnectionConfig, Pool } from 'mariadb';
import { within } from '../../model/operation/waiting.js';

/**
 * EXECUTING: the server runs a statement of the connection. IDLE: the server has answered every
 * statement. GONE: the server has no such connection. LEFT: the pool of the connection has moved to
 * another node. UNKNOWN: the server of the connection could not be queried.
 */
export type ThreadState = 'EXECUTING' | 'IDLE' | 'GONE' | 'LEFT' | 'UNKNOWN';

/** A connection as the connector describes it; `info` is one object for the life of the connection. */
export type ServerConnection = Pick<Connection, 'threadId' | 'info'>;

/** Names a server. Servers behind one address differ in at least one of these variables. */
export const IDENTITY = "SELECT CONCAT_WS(' ', @@hostname, @@port, @@datadir, @@server_id) AS server";

/** The maximum number of connections opened to find one server behind a load-balanced address. */
const MAX_ATTEMPTS = 8;

/** The timeout for reading the identity of a server (ms). */
const IDENTITY_TIMEOUT = 2_000;

/**
 * Queries and kills the thread of a connection on the server of that connection. A connection id
 * alone does not suffice: several servers may share one address, and each may have the same id.
 */
export class ServerThreads {
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
export function socketTo(host: string, port: number): NonNullable<ConnectionConfig['stream']> {
  return (callback) => {
    if (isClosing) callback(new Error('no connection is opened to end another one'));
    else callback(undefined, connect({ host, port, noDelay: true }));
  };
}
