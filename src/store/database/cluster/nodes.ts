import { createConnection, type Connection, type Pool, type PoolConnection } from 'mariadb';
import { within } from '../../../model/operation/waiting.js';
import { CONNECTING, type DatabaseAddress } from '../address.js';
import { nodeUnavailability } from './availability.js';

/** The interval and the timeout of the checks of the nodes (ms). */
const CHECK_MS = 1_000;
const LONGEST_CHECK_MS = 2_000;

/** The number of consecutive successful checks before a node is used again. */
const WELL_AGAIN = 3;

type MakePool = (address: DatabaseAddress) => Pool;

/**
 * The nodes of a cluster in a URL. All connections of a process go to the first healthy node. If it
 * fails, new connections go to the next healthy node, and back when the first is healthy again.
 * Connections in use stay until they are released.
 */
export class DatabaseNodes {
  private current = 0;
  /** The number of consecutive successful checks of each node. */
  private readonly wellFor: number[];
  private readonly pools: NodePool[] = [];
  private readonly chosen: Promise<void>;
  private readonly timer: NodeJS.Timeout;
  private isChecking = false;

  constructor(private readonly addresses: readonly DatabaseAddress[]) {
    this.wellFor = addresses.map(() => WELL_AGAIN);
    this.chosen = this.check();
    this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  get address(): DatabaseAddress {
    return this.addresses[this.current];
  }

  pool(make: MakePool): Pool {
    const pool = new NodePool(this.chosen, make, this.addresses[this.current]);
    this.pools.push(pool);
    return pool.asPool();
  }

  has(connection: object): boolean {
    return this.pools.some((pool) => pool.has(connection));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      const next = await this.firstWell();
      if (next === null || next === this.current) return;
      this.current = next;
      for (const pool of this.pools) pool.moveTo(this.addresses[next]);
    } finally {
      this.isChecking = false;
    }
  }

  private async firstWell(): Promise<number | null> {
    for (const [at, address] of this.addresses.entries()) {
      this.wellFor[at] = (await isWell(address)) ? this.wellFor[at] + 1 : 0;
      const enough = at < this.current ? WELL_AGAIN : 1;
      if (this.wellFor[at] >= enough) return at;
    }
    return null;
  }
}

/** Checks the server without a database, which may not exist yet. */
async function isWell(address: DatabaseAddress): Promise<boolean> {
  const asked = createConnection({
    ...address,
    ...CONNECTING,
    database: undefined,
    connectTimeout: LONGEST_CHECK_MS,
    socketTimeout: LONGEST_CHECK_MS, // ends the connection to a node that hangs
  }).then((connection) => nodeUnavailability(connection).finally(() => connection.destroy()));
  return within(LONGEST_CHECK_MS, 'the node does not answer', asked).then(
    (problem) => problem === null,
    () => false,
  );
}

/** Wraps a pool, and replaces it when the current node changes. */
class NodePool {
  private pool: Pool;
  private connections = new WeakSet();
  private readonly left = new Set<Pool>();
  /** The callers that wait for a connection. If the current node changes, they wait again. */
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly chosen: Promise<void>,
    private readonly make: MakePool,
    address: DatabaseAddress,
  ) {
    this.pool = make(address);
  }

  has(connection: object): boolean {
    return this.connections.has(connection);
  }

  moveTo(address: DatabaseAddress): void {
    const former = this.pool;
    this.pool = this.make(address);
    this.connections = new WeakSet();
    for (const again of this.waiting) again();
    this.waiting.clear();
    this.left.add(former);
    const closing = setInterval(() => {
      if (former.activeConnections() > 0) return;
      clearInterval(closing);
      if (this.left.delete(former)) former.end().catch(() => undefined);
    }, CHECK_MS).unref();
  }

  /** Forwards everything except connections to the pool of the current node. */
  asPool(): Pool {
    const own: Partial<Pool> = {
      getConnection: () => this.getConnection(),
      query: (...statement: Parameters<Pool['query']>) =>
        this.withConnection((each) => each.query(...statement)),
      execute: (...statement: Parameters<Pool['execute']>) =>
        this.withConnection((each) => each.execute(...statement)),
      batch: (...statement: Parameters<Pool['batch']>) =>
        this.withConnection((each) => each.batch(...statement)),
      end: () => this.end(),
    };
    return new Proxy(own as Pool, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name) ?? Reflect.get(this.pool, name);
        return typeof value === 'function' && !(name in own) ? (value.bind(this.pool) as unknown) : value;
      },
    });
  }

  private async withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.getConnection();
    try {
      return await work(connection);
    } finally {
      await connection.release();
    }
  }

  private async getConnection(): Promise<PoolConnection> {
    await this.chosen;
    for (;;) {
      const { connections } = this;
      const connection = await this.untilMoved(this.pool.getConnection());
      if (connection === null) continue;
      connections.add(connection);
      return connection;
    }
  }

  /** Resolves to null if the current node changes before a connection is available. */
  private untilMoved(taking: Promise<PoolConnection>): Promise<PoolConnection | null> {
    return new Promise((resolve, reject) => {
      const again = (): void => resolve(null);
      this.waiting.add(again);
      taking
        .then((connection) => {
          if (this.waiting.has(again)) resolve(connection);
          else void connection.release();
        }, reject)
        .finally(() => this.waiting.delete(again));
    });
  }

  private async end(): Promise<void> {
    const pools = [this.pool, ...this.left];
    this.left.clear();
    await Promise.all(pools.map((pool) => pool.end()));
  }
}
