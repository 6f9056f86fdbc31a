import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Connection, UpsertResult } from 'mariadb';
import type { Database } from '../database/database.js';
import { isRetryable } from '../database/failures.js';
import type { Queryable } from '../sql/statements.js';

/** The only table that no migration creates: it must exist before the first one. */
export const LOCK_TABLE = 'placement_migration_lock';

/** The default duration of a lease (ms), and the fraction of it between two renewals. */
const LEASE_MS = 10_000;
const RENEWAL = 0.15;
/**
 * An expired lease may be taken over after it is unchanged for this fraction of its duration. On a
 * Galera cluster renewals are invisible while a long statement is applied. The holder renews at
 * once afterwards.
 */
const GRACE = 0.3;

const POLL_MS = 200;

/** The lock of `prisma migrate deploy`, which must not run at the same time on one server. */
const PRISMA_LOCK = 'prisma_migrate';

const CREATE = `CREATE TABLE IF NOT EXISTS ${LOCK_TABLE} (
  id tinyint NOT NULL PRIMARY KEY,
  token varchar(36) NULL,
  holder varchar(255) NULL,
  expires_at datetime(3) NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`;
const EXPIRY = 'UTC_TIMESTAMP(3) + INTERVAL ? * 1000 MICROSECOND';

export interface HeldLock {
  /** Call before each exclusive step. @throws Error if another process has taken over */
  assertHeld(): Promise<void>;
}

/**
 * Runs work that only one process at a time may do on a database, from any node of a cluster. Holds
 * a lease: a row that is updated by compare-and-set and expires by the clock of the database. Other
 * processes report the holder, and wait while it renews the lease. They take over the lease of a
 * dead holder, even if that clock has jumped meanwhile.
 */
export async function withMigrationLock<T>(
  { pool, longWork }: Pick<Database, 'pool' | 'longWork'>,
  onProgress: (line: string) => void,
  work: (connection: Connection, lock: HeldLock) => Promise<T>,
  lease = LEASE_MS,
): Promise<T> {
  const token = randomUUID();
  const connection = await longWork.getConnection();
  let renewal: NodeJS.Timeout | undefined;
  try {
    await takeLease(connection, token, onProgress, lease);
    // renews on other connections, because a step of the work may take minutes
    const renewing = (): void => void renew(pool, token, lease).catch(() => undefined);
    renewal = setInterval(renewing, RENEWAL * lease);
    await takePrismaLock(connection, onProgress);
    const assertHeld = async (): Promise<void> => {
      if (await retried(() => renew(connection, token, lease))) return;
      throw new Error(
        'another process has taken over the migration, because this process did not renew its lease in time',
      );
    };
    return await work(connection, { assertHeld });
  } finally {
    if (renewal !== undefined) {
      clearInterval(renewal);
      await connection.query('DO RELEASE_LOCK(?)', [PRISMA_LOCK]).catch(() => undefined);
      await release(connection, token).catch(() => undefined); // if this fails, the lease expires
    }
    await connection.release();
  }
}

interface Lease {
  readonly token: string | null;
  readonly holder: string | null;
  /** As text. Serves as the version of the row. */
  readonly expiry: string | null;
  readonly isFree: number;
}

async function takeLease(
  connection: Connection,
  token: string,
  onProgress: (line: string) => void,
  duration: number,
): Promise<void> {
  await retried(() => connection.query(CREATE));
  await retried(() => connection.query(`INSERT IGNORE INTO ${LOCK_TABLE} (id) VALUES (1)`));
  let seen = { version: '', since: 0 };
  let waitingFor: string | null = null;
  for (;;) {
    const lease = await retried(() => readLease(connection));
    const version = `${lease.token} ${lease.expiry}`;
    const now = performance.now();
    if (version !== seen.version) seen = { version, since: now };
    // an unrenewed lease can be taken even if the clock of the database was set back
    const enough = (lease.isFree === 1 ? GRACE : 1 + GRACE) * duration;
    const mayTake = lease.token === null || now - seen.since >= enough;
    if (mayTake && (await compareAndSet(connection, lease, token, duration))) return;
    if (lease.token !== null && lease.holder !== waitingFor) {
      waitingFor = lease.holder;
      onProgress(`waiting for ${waitingFor}, which migrates this database`);
    }
    await setTimeout(POLL_MS);
  }
}

async function readLease(connection: Connection): Promise<Lease> {
  const [lease] = await connection.query<Lease[]>(
    `SELECT token, holder, CAST(expires_at AS CHAR) AS expiry,
            token IS NULL OR expires_at < UTC_TIMESTAMP(3) AS isFree FROM ${LOCK_TABLE} WHERE id = 1`,
  );
  return lease;
}

/** On a cluster, one of two concurrent calls fails at its commit. */
async function compareAndSet(
  connection: Connection,
  lease: Lease,
  token: string,
  duration: number,
): Promise<boolean> {
  const holder = `process ${process.pid} on ${hostname()}`.slice(0, 255);
  try {
    const { affectedRows } = await connection.query<UpsertResult>(
      `UPDATE ${LOCK_TABLE} SET token = ?, holder = ?, expires_at = ${EXPIRY}
        WHERE id = 1 AND token <=> ? AND CAST(expires_at AS CHAR) <=> ?`,
      [token, holder, duration, lease.token, lease.expiry],
    );
    return affectedRows === 1;
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return false;
  }
}

async function renew(connection: Queryable, token: string, lease: number): Promise<boolean> {
  const { affectedRows } = await connection.query<UpsertResult>(
    `UPDATE ${LOCK_TABLE} SET expires_at = ${EXPIRY} WHERE id = 1 AND token = ?`,
    [lease, token],
  );
  return affectedRows === 1;
}

async function release(connection: Connection, token: string): Promise<void> {
  const sql = `UPDATE ${LOCK_TABLE} SET token = NULL, holder = NULL, expires_at = NULL WHERE token = ?`;
  await retried(() => connection.query(sql, [token]));
}

async function takePrismaLock(connection: Connection, onProgress: (line: string) => void): Promise<void> {
  for (let seconds = 1; ; seconds = 30) {
    const sql = 'SELECT GET_LOCK(?, ?) AS taken';
    const [row] = await connection.query<{ taken: number | null }[]>(sql, [PRISMA_LOCK, seconds]);
    if (row.taken === 1) return;
    onProgress('waiting for another process that migrates a database on this server');
  }
}

const ATTEMPTS = 20;

/** Repeats a statement: on a cluster, all but one of the concurrent writers of the row fail. */
async function retried<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement();
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error;
      await setTimeout(POLL_MS * Math.random());
    }
  }
}

/**
 * Takes or keeps a lock of the database server until the connection ends. Returns whether this connection holds it.
 * Each node of a cluster has its own locks.
 */
export async function holdServerLock(connection: Connection, name: string): Promise<boolean> {
  const lock = `CONCAT('placement_graphql ', LEFT(SHA2(CONCAT(DATABASE(), ' ', ?), 256), 40))`; // at most 64 characters
  const [{ isHeld }] = await connection.query<{ isHeld: number | null }[]>(
    `SELECT IF(IS_USED_LOCK(${lock}) = CONNECTION_ID(), 1, GET_LOCK(${lock}, 0)) AS isHeld`,
    [name, name],
  );
  return isHeld === 1;
}
