import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mariadb';

const run = promisify(execFile);
const START_MS = 60_000;

/** Galera does not run as root, and its nodes need no user of their own. */
const isRoot = process.getuid?.() === 0;
const USER = 'nobody';

/** Notices sooner than usual that a node is gone, which is tested often. */
const FAST_ELECTION = [
  'evs.keepalive_period=PT0.5S',
  'evs.inactive_check_period=PT0.5S',
  'evs.suspect_timeout=PT3S',
  'evs.inactive_timeout=PT6S',
  'evs.install_timeout=PT5S',
];

interface Ports {
  readonly sql: number;
  readonly group: number;
  readonly increments: number;
  readonly copies: number;
}

/** One node on loopback addresses, with a data directory and ports of its own. */
export class GaleraNode {
  private child: ChildProcess | null = null;

  constructor(
    private readonly directory: string,
    private readonly name: string,
    private readonly ports: Ports,
    private readonly addresses: readonly string[],
  ) {}

  /** Where clients find it: `127.0.0.1:<port>`. */
  get host(): string {
    return `127.0.0.1:${this.ports.sql}`;
  }

  url(database: string): string {
    return `mysql://root@${this.host}/${database}`;
  }

  /** Joins the cluster, or makes a new one; ends when it is part of it. */
  async start({ isNew = false } = {}): Promise<void> {
    const { name, ports, directory } = this;
    const data = join(directory, name);
    const log = createWriteStream(`${data}.log`, { flags: 'a' });
    await once(log, 'open');
    const provider = [
      `base_port=${ports.group}`,
      `gmcast.listen_addr=tcp://127.0.0.1:${ports.group}`,
      `ist.recv_addr=127.0.0.1:${ports.increments}`,
      'gcache.size=32M',
      ...FAST_ELECTION,
    ];
    this.child = spawn(
      'mariadbd',
      [
        ...['--no-defaults', ...(isRoot ? [`--user=${USER}`] : []), `--datadir=${data}`],
        ...[
          `--socket=${data}.sock`,
          `--pid-file=${data}.pid`,
          '--bind-address=127.0.0.1',
          `--port=${ports.sql}`,
        ],
        ...['--innodb-flush-log-at-trx-commit=0', '--innodb-log-file-size=16M', '--performance-schema=0'],
        ...[
          '--binlog-format=ROW',
          '--innodb-autoinc-lock-mode=2',
          '--wsrep-on=ON',
          `--wsrep-node-name=${name}`,
        ],
        `--wsrep-provider=${process.env.PLACEMENT_GALERA_PROVIDER}`,
        `--wsrep-cluster-address=gcomm://${this.addresses.join(',')}`,
        ...['--wsrep-node-address=127.0.0.1', `--wsrep-provider-options=${provider.join(';')}`],
        ...['--wsrep-sst-method=rsync', `--wsrep-sst-receive-address=127.0.0.1:${ports.copies}`],
        ...(isNew ? ['--wsrep-new-cluster'] : []),
      ],
      {
        stdio: ['ignore', log, log],
        env: { ...process.env, PATH: [directory, process.env.PATH].join(delimiter) },
      },
    );
    process.once('exit', () => this.child?.kill('SIGKILL'));
    await this.until('wsrep_ready', 'ON');
  }

  /** Waits until a status of the node has this value. */
  async until(name: string, value: string): Promise<void> {
    const end = Date.now() + START_MS;
    while ((await this.status(name)) !== value) {
      if (this.child === null || this.child.exitCode !== null || Date.now() > end) {
        const log = await readFile(`${join(this.directory, this.name)}.log`, 'utf8');
        throw new Error(`${this.name} did not come to ${name} = ${value}:\n${log.slice(-3_000)}`);
      }
      await sleep(100);
    }
  }

  /** Runs a statement on a connection of its own. */
  async query<T>(sql: string, initSql?: string): Promise<T> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: this.ports.sql,
      user: 'root',
      connectTimeout: 5_000,
      initSql,
    });
    return connection.query<T>(sql).finally(() => connection.end());
  }

  private async status(name: string): Promise<string | null> {
    try {
      const [row] = await this.query<{ Value: string }[]>(`SHOW GLOBAL STATUS LIKE '${name}'`);
      return row.Value;
    } catch {
      return null;
    }
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Lives and says nothing any more, until it goes on. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }

  /** Cuts it off from the other nodes, but not from clients; or lets it join them again. */
  async isolate(isAlone: boolean): Promise<void> {
    await this.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${isAlone ? 1 : 0}'`);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** A cluster of three nodes on this machine. */
export class GaleraCluster {
  private constructor(
    readonly nodes: readonly GaleraNode[],
    private readonly directory: string,
  ) {}

  static async start(): Promise<GaleraCluster> {
    const directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
    await chmod(directory, 0o755);
    const scripts = process.env.PLACEMENT_GALERA_SCRIPTS!;
    for (const script of ['wsrep_sst_common', 'wsrep_sst_rsync'])
      await cp(join(scripts, script), join(directory, script));
    const ports = await Promise.all(
      [1, 2, 3].map(async () => {
        const [sql, group, increments, copies] = await freePorts(4);
        return { sql, group, increments, copies };
      }),
    );
    const addresses = ports.map(({ group }) => `127.0.0.1:${group}`);
    const nodes = ports.map((each, at) => new GaleraNode(directory, `node${at + 1}`, each, addresses));
    for (const name of ['node2', 'node3']) await mkdir(join(directory, name));
    await run('mariadb-install-db', [
      ...['--no-defaults', `--datadir=${join(directory, 'node1')}`],
      ...['--auth-root-authentication-method=normal', '--skip-test-db'],
      ...(isRoot ? ['--user=root'] : []),
    ]);
    if (isRoot) await run('chown', ['-R', USER, directory]);
    const cluster = new GaleraCluster(nodes, directory);
    try {
      await nodes[0].start({ isNew: true });
      for (const node of nodes.slice(1)) await node.start();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
