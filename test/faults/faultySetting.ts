import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection } from 'mariadb';
import { databaseAddress } from '../../src/database/address.js';
import { openDatabase, type Database } from '../../src/database/database.js';
import { ensureDatabase } from '../../src/database/ensure.js';
import { migrate } from '../../src/database/migrator.js';
import { startPrivateDatabase, type PrivateDatabase } from '../../src/privateDatabase/privateDatabase.js';
import { databaseProcesses, stopProcesses } from '../../src/privateDatabase/processes.js';
import { Client } from '../races/client.js';
import { recordHistory } from '../races/history.js';
import { Load } from '../races/load.js';
import { ServerProcess } from '../support/serverProcess.js';
import { TcpProxy } from '../support/tcpProxy.js';

const NAME = 'races';
const HEAP_MIB = 512;
const WRITERS = 16;

/** Whom the server is for the database: one who cannot write where the database is read-only, unlike its administrator. */
const USER = 'placement';

/**
 * A durable database, a network with faults before it, one server behind that, and writers who never stop. The tests look at the
 * database from beside the network.
 */
export class FaultySetting {
  readonly clients: Client[] = [];
  readonly load = new Load(this.clients, 7, WRITERS);
  private readonly occupied: Connection[] = [];
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly directory: string,
    private server: PrivateDatabase,
    public database: Database,
    readonly proxy: TcpProxy,
    public process: ServerProcess,
  ) {
    this.clients.push(new Client(process.url));
  }

  static async start(): Promise<FaultySetting> {
    const directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
    const server = await startPrivateDatabase({ directory, durable: true });
    await ensureDatabase(server.url(NAME));
    const database = openDatabase(server.url(NAME));
    await migrate(database);
    await recordHistory(database);
    await database.pool.query(`CREATE USER ${USER}@localhost IDENTIFIED BY '${USER}'`);
    await database.pool.query(`GRANT ALL ON ${NAME}.* TO ${USER}@localhost`);
    const proxy = await TcpProxy.before(server.url(NAME));
    const setting = new FaultySetting(directory, server, database, proxy, await serverBehind(proxy));
    await setting.load.prepare();
    setting.running = setting.load.run();
    return setting;
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
    this.process = await serverBehind(this.proxy);
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

  /** Ends the load: every writer knows how its last write ended. */
  async endLoad(): Promise<void> {
    this.load.isOver = true;
    await this.running;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    this.proxy.close();
    await this.database.close();
    await stopProcesses(this.directory);
    await rm(this.directory, { recursive: true, force: true });
  }
}

function serverBehind(proxy: TcpProxy): Promise<ServerProcess> {
  const url = new URL(proxy.url);
  [url.username, url.password] = [USER, USER];
  return ServerProcess.start(url.href, HEAP_MIB);
}
