import { join } from 'node:path';
import { takeLock } from '../src/cli/lock.js';
import { firstFilledTable, loadDemoData } from '../src/cli/demo/demo.js';
import { openDatabase, type Database } from '../src/database/database.js';
import { ensureDatabase } from '../src/database/ensure.js';
import { migrate } from '../src/database/migrator.js';
import { startPrivateDatabase } from '../src/privateDatabase/privateDatabase.js';
import type { Options } from './options.js';
import { logProgress } from './progress.js';

/** A running database server of the benchmark's own that holds one fleet, with the settings of the private database of users. */
export interface FleetDatabase {
  /** The address of the fleet, or of another database beside it, which is made and migrated if need be. */
  url(name?: string): Promise<string>;
  /** The address of another one with the same fleet, which is generated the first time. */
  fleet(name: string): Promise<string>;
  /** The address of a database that is created empty the first time and kept from then on. */
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
    // each process that has written in the last quarter of an hour costs every freshness check something
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
