import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mariadb';
import { freePorts } from './freePort.js';
import { killAtExit } from '../../bench/killAtExit.js';

const START_MS = 60_000;

/** A database server of a cluster on a loopback address, with its own data directory. */
export abstract class ClusterNode {
  private child: ChildProcess | null = null;

  constructor(
    protected readonly directory: string,
    readonly name: string,
    private readonly port: number,
  ) {}

  /** Joins the cluster, or creates a new one. Resolves when the node is a member. */
  abstract start(options?: { readonly isNew?: boolean }): Promise<void>;

  /** The address for clients: `127.0.0.1:<port>`. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  url(database: string): string {
    return `mysql://root@${this.host}/${database}`;
  }

  protected get data(): string {
    return join(this.directory, this.name);
  }

  /** Starts the program on the node's data. Adds these options to those of the node's address. */
  protected async run(
    program: string,
    options: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { data, port } = this;
    const log = createWriteStream(`${data}.log`, { flags: 'a' });
    await once(log, 'open');
    const files = [`--datadir=${data}`, `--socket=${data}.sock`, `--pid-file=${data}.pid`];
    const own = ['--no-defaults', ...files, '--bind-address=127.0.0.1', `--port=${port}`];
    const env = { ...process.env, ...environment };
    this.child = spawn(program, [...own, ...options], { stdio: ['ignore', log, log], env });
    killAtExit(this.child);
  }

  /** Waits until the condition is true. An error of the condition counts as false. */
  async eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + START_MS;
    while (!(await isSo().catch(() => false))) {
      if (this.child === null || this.child.exitCode !== null || Date.now() > end) {
        const log = await readFile(`${this.data}.log`, 'utf8');
        throw new Error(`${this.name} did not come to ${what}:\n${log.slice(-3_000)}`);
      }
      await sleep(100);
    }
  }

  /** Runs a statement on a new connection. */
  async query<T>(sql: string, initSql?: string): Promise<T> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: this.port,
      user: 'root',
      connectTimeout: 5_000,
      initSql,
    });
    try {
      return await connection.query<T>(sql);
    } finally {
      await connection.end();
    }
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Suspends the process, so that it answers nothing until `goOn` is called. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
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

/** The nodes of a running cluster, in the order in which a URL names them. */
export interface Cluster<Node extends ClusterNode> {
  readonly nodes: readonly Node[];
  /** Kills all nodes and removes their files. */
  stop(): Promise<void>;
}

/**
 * Starts three nodes on this machine: the first one creates the cluster, the others join it.
 * @param portsOfNode the number of ports that each node needs
 * @param create creates the nodes and their data in the directory
 */
export async function startCluster<Node extends ClusterNode>(
  portsOfNode: number,
  create: (directory: string, ports: readonly (readonly number[])[]) => Promise<readonly Node[]>,
): Promise<Cluster<Node>> {
  // the next test run removes it if this one is killed
  const directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
  const ports = await Promise.all([1, 2, 3].map(() => freePorts(portsOfNode)));
  const nodes: Node[] = [];
  const stop = async (): Promise<void> => {
    for (const node of nodes) await node.kill();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    nodes.push(...(await create(directory, ports)));
    for (const [at, node] of nodes.entries()) await node.start({ isNew: at === 0 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { nodes, stop };
}
