import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ClusterNode, startCluster, type Cluster } from '../support/clusterNode.js';

const ROOT = process.getuid?.() === 0 ? ['--user=root'] : [];

export class GroupNode extends ClusterNode {
  constructor(
    directory: string,
    private readonly program: string,
    private readonly id: number,
    private readonly ports: readonly number[],
    private readonly options: readonly string[],
  ) {
    super(directory, `node${id}`, ports[0]);
  }

  override async start({ isNew = false } = {}): Promise<void> {
    await this.startAlone();
    await this.join({ isNew });
    await this.until('ONLINE');
  }

  /** Starts the server outside of the group. */
  async startAlone(): Promise<void> {
    const [sql, group] = this.ports;
    await this.run(this.program, [
      ...ROOT,
      ...['--mysqlx=OFF', '--secure-file-priv=NULL'],
      ...['--innodb-doublewrite=OFF', '--innodb-redo-log-capacity=16M'],
      // commits survive a crash of the process, not of the machine
      ...['--innodb-flush-log-at-trx-commit=2', '--sync-binlog=0'],
      ...[`--server-id=${this.id}`, '--report-host=127.0.0.1', `--report-port=${sql}`],
      ...['--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--plugin-load-add=group_replication.so'],
      // as MySQL's manual advises: a write before the node joins would keep it out of the group
      '--super-read-only=ON',
      ...['--loose-group-replication-start-on-boot=OFF', '--loose-group-replication-member-expel-timeout=0'],
      `--loose-group-replication-local-address=127.0.0.1:${group}`,
      ...this.options,
    ]);
    await this.eventually('an answer', async () => {
      await this.query('DO 0');
      return true;
    });
  }

  async join({ isNew = false } = {}): Promise<void> {
    if (isNew) await this.query('SET GLOBAL group_replication_bootstrap_group = ON');
    // rejected while the others still list its former process as a member
    await this.eventually('membership', async () => {
      await this.query("START GROUP_REPLICATION USER = 'root'").catch(() => undefined);
      return (await this.state()) !== 'OFFLINE';
    });
    if (isNew) await this.query('SET GLOBAL group_replication_bootstrap_group = OFF');
  }

  /** Makes a node that has lost the majority a group of one. */
  async goOnAlone(): Promise<void> {
    await this.query(`SET GLOBAL group_replication_force_members = '127.0.0.1:${this.ports[1]}'`);
    await this.query("SET GLOBAL group_replication_force_members = ''");
  }

  /** Waits until the node reports this state. */
  until(state: string): Promise<void> {
    return this.eventually(state, async () => (await this.state()) === state);
  }

  async state(): Promise<string> {
    return (await this.membership()).MEMBER_STATE;
  }

  async isPrimary(): Promise<boolean> {
    return (await this.membership()).MEMBER_ROLE === 'PRIMARY';
  }

  /** Reads the membership that the node reports. */
  private async membership(): Promise<{ MEMBER_STATE: string; MEMBER_ROLE: string }> {
    const sql = 'SELECT * FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid';
    const [row] = await this.query<{ MEMBER_STATE: string; MEMBER_ROLE: string }[]>(sql);
    return row;
  }
}

/**
 * Starts a group of three MySQL servers on this machine.
 * @param isMultiPrimary whether all of them accept writes
 */
export const startGroup = (isMultiPrimary: boolean): Promise<Cluster<GroupNode>> =>
  startCluster(2, async (directory, ports) => {
    const program = process.env.PLACEMENT_DATABASE_PROGRAM!;
    const options = [
      `--loose-group-replication-group-name=${randomUUID()}`,
      `--loose-group-replication-group-seeds=${ports.map(([, group]) => `127.0.0.1:${group}`).join(',')}`,
      `--loose-group-replication-single-primary-mode=${isMultiPrimary ? 'OFF' : 'ON'}`,
      `--loose-group-replication-enforce-update-everywhere-checks=${isMultiPrimary ? 'ON' : 'OFF'}`,
    ];
    const nodes = ports.map((own, at) => new GroupNode(directory, program, at + 1, own, options));
    await initialise(program, directory, nodes);
    return nodes;
  });

/** Copies the same data for each node, which creates its own id when it starts. */
async function initialise(program: string, directory: string, nodes: readonly GroupNode[]): Promise<void> {
  const data = join(directory, 'empty');
  const options = ['--no-defaults', ...ROOT, `--datadir=${data}`, '--initialize-insecure'];
  await promisify(execFile)(program, options);
  await rm(join(data, 'auto.cnf'));
  for (const { name } of nodes) await cp(data, join(directory, name), { recursive: true });
}
