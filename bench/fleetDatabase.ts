import { join } from 'node:path';
import { takeLock } from '../src/server/start/lock.js';
import { firstFilledTable, loadDemoData } from '../src/tools/demo/demo.js';
import { openDatabase, type Database } from '../src/store/database/database.js';
import { ensureDatabase } from '../src/store/migrations/ensure.js';
import { migrate } from '../src/store/migrations/migrator.js';
import { startPrivateDatabase } from '../src/tools/privateDatabase/privateDatabase.js';
import type { Options } from './options.js';
import { logProgress } from './progress.js';

/**
 * A running database server of the benchmark that holds one fleet. It has the settings of the
 * private database of users.
 */
export interface FleetDatabase {
  /**
   * Returns the address of the fleet or of another database. Creates and migrates the database if
   * it is missing.
   */
  url(name?: string): Promise<string>;
  /** Returns the address of another database with the same fleet. Generates it the first time. */
  fleet(name: string): Promise<string>;
  /** Returns the address of a database, which is created empty the first time and kept. */
  empty(name: string): Promise<string>;
  /** Opens the fleet in this process. */
  open(connections: number): Database;
  close(): Promise<void>;
}

const FLEET = 'placement';

/** Starts the database of a fleet, which is generated the first time and kept from then on. */
export async function startFleetDatabase(
  { directory, seed }: Pick<Options, 'directory' | 'seed'>,
  hosts: number,
): Promise<FleetDatabase> {
  const place = join(directory, `hosts-${hosts}-seed-${seed}`);
  const lock = await takeLock(place);
  const server = await startPrivateDatabase({ directory: place, durable: true, onProgress: logProgress });
  const empty = async (name: string): Promise<string> => {
    await ensureDatabase(server.url(name));
    return server.url(name);
  };
  const url = async (name = FLEET): Promise<string> => {
    await empty(name);
    const database = openDatabase(server.url(name));
    await migrate(database, logProgress);
    await database.close();
    return server.url(name);
  };
  const fleet = async (name: string): Promise<string> => {
    const database = openDatabase(await url(name));
    if ((await firstFilledTable(database.pool)) === null) {
      await loadDemoData(database, { hosts, seed, onProgress: logProgress });
    }
    // each process that wrote in the last 15 minutes adds to the cost of every freshness check
    await database.pool.query('DELETE FROM placement_feed_changes');
    await database.close();
    return server.url(name);
  };
  await fleet(FLEET);
  return {
    url,
    fleet,
    empty,
    open: (connections) => openDatabase(server.url(FLEET), { connections }),
    async close() {
      await server.stop();
      await lock.release();
    },
  };
}
