import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { startGalera, type GaleraNode } from '../galera/cluster.js';
import type { Random } from '../oracle/random.js';
import { Client } from '../races/client.js';
import { recordHistory } from '../races/history.js';
import { Load } from '../races/load.js';
import type { Cluster } from '../support/clusterNode.js';
import { ServerProcess } from '../support/serverProcess.js';
import { TcpProxy } from '../support/tcpProxy.js';
import type { Soaked } from './soak.js';

const NAME = 'races';
const HEAP_MIB = 512;
const WRITERS = 16;
const SERVERS = 2;

/** What must be the same on every node in the end. */
const TABLES = ['allocations', 'consumers', 'inventories', 'resource_providers', 'race_history'];

/**
 * Three nodes of a cluster, each behind a network of its own towards the servers; servers that know all of them, each with another
 * one in front; and writers who never stop, through whichever server.
 */
export class GaleraSetting implements Soaked {
  readonly processes: ServerProcess[] = [];
  readonly clients: Client[] = [];
  readonly load: Load;
  private drawn = 0;
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly cluster: Cluster<GaleraNode>,
    readonly proxies: readonly TcpProxy[],
    readonly database: Database,
    private readonly random: Random,
    seed: number,
  ) {
    this.load = new Load(this.clients, seed, WRITERS);
  }

  static async start(random: Random, seed: number): Promise<GaleraSetting> {
    const cluster = await startGalera();
    const urls = cluster.nodes.map((node) => node.url(NAME));
    await ensureDatabase(urls[0]);
    const database = openDatabase(urls[0]);
    await migrate(database);
    await recordHistory(database);
    const proxies = await Promise.all(urls.map((url) => TcpProxy.before(url)));
    const setting = new GaleraSetting(cluster, proxies, database, random, seed);
    for (let at = 0; at < SERVERS; at++) await setting.startServer(at);
    await setting.load.prepare();
    setting.running = setting.load.run();
    return setting;
  }

  /** Draws the node of which the next fault is. */
  drawNode(): GaleraNode {
    this.drawn = this.random.between(0, this.cluster.nodes.length - 1);
    return this.node;
  }

  get node(): GaleraNode {
    return this.cluster.nodes[this.drawn];
  }

  /** The network between the node that was drawn and the servers. */
  get proxy(): TcpProxy {
    return this.proxies[this.drawn];
  }

  otherNodes(): GaleraNode[] {
    return this.cluster.nodes.filter((node) => node !== this.node);
  }

  killServer(): void {
    this.drawn = this.random.between(0, SERVERS - 1);
    process.kill(this.processes[this.drawn].pid, 'SIGKILL');
  }

  restartServer(): Promise<void> {
    return this.startServer(this.drawn);
  }

  /** Waits until all nodes are part of one cluster. */
  async settle(): Promise<void> {
    for (const node of this.cluster.nodes) {
      await node.until('wsrep_ready', 'ON');
      await node.until('wsrep_cluster_size', String(this.cluster.nodes.length));
    }
  }

  /** Ends the load. @throws Error when the nodes have not all the same in the end */
  async endLoad(): Promise<void> {
    this.load.isOver = true;
    await this.running;
    await this.settle();
    const sums = await Promise.all(this.cluster.nodes.map((node) => checksums(node)));
    if (new Set(sums).size > 1) throw new Error(`the nodes differ:\n${sums.join('\n')}`);
  }

  async stop(): Promise<void> {
    this.load.isOver = true;
    for (const server of this.processes) server.kill();
    for (const proxy of this.proxies) proxy.close();
    await this.database.close();
    await this.cluster.stop();
  }

  private async startServer(at: number): Promise<void> {
    const hosts = this.proxies.map(({ url }) => new URL(url).host);
    const inTurn = [...hosts.slice(at), ...hosts.slice(0, at)];
    const server = await ServerProcess.start(`mysql://root@${inTurn.join(',')}/${NAME}`, HEAP_MIB);
    this.processes[at] = server;
    this.clients[at] = new Client(server.url);
  }
}

/** Read where everything that was committed anywhere has been applied. */
async function checksums(node: GaleraNode): Promise<string> {
  const tables = TABLES.map((table) => `${NAME}.${table}`).join(', ');
  const rows = await node.query<{ Table: string; Checksum: number }[]>(
    `CHECKSUM TABLE ${tables}`,
    'SET wsrep_sync_wait = 15',
  );
  return rows.map(({ Table, Checksum }) => `${Table} ${Checksum}`).join(', ');
}
