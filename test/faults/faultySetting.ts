import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection } from 'mariadb';
import { databaseAddress } from '../../src/store/database/address.js';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import {
  startPrivateDatabase,
  type PrivateDatabase,
} from '../../src/tools/privateDatabase/privateDatabase.js';
import { databaseProcesses, stopProcesses } from '../../src/tools/privateDatabase/processes.js';
import { Client } from '../races/client.js';
import { recordHistory } from '../races/history.js';
import { Load } from '../races/load.js';
import { ServerProcess } from '../support/serverProcess.js';
import { TcpProxy } from '../support/tcpProxy.js';
import type { FakeClocks } from './fakeClocks.js';
import type { Observed } from './observation.js';
import type { SmallDisk } from './smallDisk.js';

const NAME = 'races';
const HEAP_MIB = 512;
const WRITERS = 16;

/** Whom the server is for the database: one who cannot write where the database is read-only, unlike its administrator. */
const USER = 'placement';

/** What can be made to fail besides the network and the processes. */
export interface Surroundings {
  /** Where the database has its files. */
  readonly disk?: SmallDisk;
  /** What the database and the server take for the time of day. */
  readonly clocks?: FakeClocks;
}

/**
 * A durable database, a network with faults before it, one server behind that, and writers who never stop. The tests look at the
 * database from beside the network.
 */
export class FaultySetting implements Observed {
  readonly clients: Client[] = [];
  readonly load: Load;
  private readonly occupied: Connection[] = [];
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly directory: string,
    readonly surroundings: Surroundings,
    private server: PrivateDatabase,
    public database: Database,
    readonly proxy: TcpProxy,
    public process: ServerProcess,
    seed: number,
  ) {
    this.clients.push(new Client(process.url));
    this.load = new Load(this.clients, seed, WRITERS);
  }

  /** @param seed of what the writers do */
  static async start(surroundings: Surroundings = {}, seed = 7): Promise<FaultySetting> {
    const { disk, clocks } = surroundings;
    const directory = disk?.directory ?? (await testDirectory());
    await clocks?.giveToDatabases();
    const server = await startPrivateDatabase({ directory, durable: true });
    await ensureDatabase(server.url(NAME));
    const database = openDatabase(server.url(NAME));
    await migrate(database);
    await recordHistory(database);
    await database.pool.query(`CREATE USER ${USER}@localhost IDENTIFIED BY '${USER}'`);
    await database.pool.query(`GRANT ALL ON ${NAME}.* TO ${USER}@localhost`);
    const proxy = await TcpProxy.before(server.url(NAME));
    const process = await serverBehind(proxy, clocks);
    const setting = new FaultySetting(directory, surroundings, server, database, proxy, process, seed);
    await setting.load.prepare();
    setting.running = setting.load.run();
    return setting;
  }

  get processes(): readonly ServerProcess[] {
    return [this.process];
  }

  /** The processes of the database server. */
  databaseProcesses(): Promise<number[]> {
    return databaseProcesses(this.directory);
  }

  /** Starts the database server again after it was killed or stopped. */
  async restartDatabase(): Promise<void> {
    await this.database.close();
    this.server = await startPrivateDatabase({ directory: this.directory, durable: true });
    this.database = openDatabase(this.server.url(NAME));
  }

  async stopDatabase(): Promise<void> {
    await this.server.stop();
  }

  /** Starts another server process after the one there was has ended. */
  async restartServer(): Promise<void> {
    this.process = await serverBehind(this.proxy, this.surroundings.clocks);
    this.clients.splice(0, 1, new Client(this.process.url));
  }

  /** Takes all connections that the database has for others than its administrator. */
  async occupyConnections(): Promise<void> {
    const address = { ...databaseAddress(this.server.url(NAME)), user: USER, password: USER };
    for (;;) {
      const connection = await createConnection(address).catch(() => null);
      if (connection === null) return;
      this.occupied.push(connection);
    }
  }

  freeConnections(): void {
    for (const connection of this.occupied.splice(0)) connection.destroy();
  }

  /** Every fault has ended with all processes back. */
  settle(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends the load: every writer knows how its last write ended. */
  async endLoad(): Promise<void> {
    this.load.isOver = true;
    await this.running;
  }

  async stop(): Promise<void> {
    this.load.isOver = true; // after a failed test
    await this.process.stop();
    this.proxy.close();
    await this.database.close();
    await stopProcesses(this.directory);
    this.surroundings.disk?.unmount();
    await this.surroundings.clocks?.remove();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A folder that the next run removes should this one be killed, with the database in it. */
async function testDirectory(): Promise<string> {
  return mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
}

function serverBehind(proxy: TcpProxy, clocks?: FakeClocks): Promise<ServerProcess> {
  const url = new URL(proxy.url);
  [url.username, url.password] = [USER, USER];
  return ServerProcess.start(url.href, HEAP_MIB, clocks?.environment('server'));
}
