import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ClusterNode, freePorts } from '../support/clusterNode.js';

const ROOT = process.getuid?.() === 0 ? ['--user=root'] : [];

interface Membership {
  readonly id: number;
  readonly ports: { readonly sql: number; readonly group: number };
  readonly options: readonly string[];
}

export class GroupNode extends ClusterNode {
  constructor(
    directory: string,
    private readonly program: string,
    private readonly member: Membership,
  ) {
    super(directory, `node${member.id}`, member.ports.sql);
  }

  override async start({ isNew = false } = {}): Promise<void> {
    await this.startAlone();
    await this.join({ isNew });
    await this.until('ONLINE');
  }

  /** Starts it without having it join the group. */
  async startAlone(): Promise<void> {
    const { id, ports, options } = this.member;
    await this.run(this.program, [
      ...ROOT,
      ...[
        '--mysqlx=OFF',
        '--secure-file-priv=NULL',
        '--innodb-doublewrite=OFF',
        '--innodb-redo-log-capacity=16M',
      ],
      // what is committed outlives the process, and need not outlive the machine
      ...['--innodb-flush-log-at-trx-commit=2', '--sync-binlog=0'],
      ...[`--server-id=${id}`, '--report-host=127.0.0.1', `--report-port=${ports.sql}`],
      ...['--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--plugin-load-add=group_replication.so'],
      // as MySQL's manual advises: what is written before it joins would keep it out of the group
      '--super-read-only=ON',
      ...['--loose-group-replication-start-on-boot=OFF', '--loose-group-replication-member-expel-timeout=0'],
      `--loose-group-replication-local-address=127.0.0.1:${ports.group}`,
      ...options,
    ]);
    await this.eventually('an answer', async () => {
      await this.query('DO 0');
      return true;
    });
  }

  async join({ isNew = false } = {}): Promise<void> {
    if (isNew) await this.query('SET GLOBAL group_replication_bootstrap_group = ON');
    // refused for as long as the others take its former self for a member
    await this.eventually('membership', async () => {
      await this.query("START GROUP_REPLICATION USER = 'root'").catch(() => undefined);
      return (await this.state()) !== 'OFFLINE';
    });
    if (isNew) await this.query('SET GLOBAL group_replication_bootstrap_group = OFF');
  }

  /** Makes a group of its own of a node that has lost the majority for good. */
  async goOnAlone(): Promise<void> {
    await this.query(`SET GLOBAL group_replication_force_members = '127.0.0.1:${this.member.ports.group}'`);
    await this.query("SET GLOBAL group_replication_force_members = ''");
  }

  /** Waits until it is in this state, by its own account. */
  until(state: string): Promise<void> {
    return this.eventually(state, async () => (await this.state()) === state);
  }

  async state(): Promise<string> {
    const [row] = await this.query<{ state: string }[]>(
      'SELECT MEMBER_STATE AS state FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid',
    );
    return row.state;
  }

  async isPrimary(): Promise<boolean> {
    const [row] = await this.query<{ role: string }[]>(
      'SELECT MEMBER_ROLE AS role FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid',
    );
    return row.role === 'PRIMARY';
  }
}

/** Three MySQL servers on this machine that are one group. */
export class ReplicationGroup {
  private constructor(
    readonly nodes: readonly GroupNode[],
    private readonly directory: string,
  ) {}

  /** @param isMultiPrimary whether all of them may be written to, instead of one */
  static async start({ isMultiPrimary }: { readonly isMultiPrimary: boolean }): Promise<ReplicationGroup> {
    const program = process.env.PLACEMENT_DATABASE_PROGRAM!;
    const directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
    const ports = await Promise.all(
      [1, 2, 3].map(async () => {
        const [sql, group] = await freePorts(2);
        return { sql, group };
      }),
    );
    const options = [
      `--loose-group-replication-group-name=${randomUUID()}`,
      `--loose-group-replication-group-seeds=${ports.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
      `--loose-group-replication-single-primary-mode=${isMultiPrimary ? 'OFF' : 'ON'}`,
      `--loose-group-replication-enforce-update-everywhere-checks=${isMultiPrimary ? 'ON' : 'OFF'}`,
    ];
    const nodes = ports.map(
      (each, at) => new GroupNode(directory, program, { id: at + 1, ports: each, options }),
    );
    const group = new ReplicationGroup(nodes, directory);
    try {
      await initialise(program, directory, nodes);
      await nodes[0].start({ isNew: true });
      for (const node of nodes.slice(1)) await node.start();
    } catch (error) {
      await group.stop();
      throw error;
    }
    return group;
  }

  /** The nodes in the order of how a process would prefer them, in a URL of the database. */
  url(database: string): string {
    return `mysql://root@${this.nodes.map(({ host }) => host).join(',')}/${database}`;
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Each gets the same data, and makes itself an id of its own when it starts. */
async function initialise(program: string, directory: string, nodes: readonly GroupNode[]): Promise<void> {
  const data = join(directory, 'empty');
  await promisify(execFile)(program, [
    '--no-defaults',
    ...ROOT,
    `--datadir=${data}`,
    '--initialize-insecure',
  ]);
  await rm(join(data, 'auto.cnf'));
  for (const { name } of nodes) await cp(data, join(directory, name), { recursive: true });
}
