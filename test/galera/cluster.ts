import { execFile } from 'node:child_process';
import { chmod, cp, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ClusterNode, startCluster, type Cluster } from '../support/clusterNode.js';
import { prepared } from '../support/prepared.js';

const GALERA = JSON.parse(prepared('PREPARED_GALERA')) as { provider: string; scripts: string };

const run = promisify(execFile);

/** Galera does not run as root. */
const isRoot = process.getuid?.() === 0;
const USER = 'nobody';

/** Detects a lost node sooner than by default. */
const FAST_ELECTION = [
  'evs.keepalive_period=PT0.5S',
  'evs.inactive_check_period=PT0.5S',
  'evs.suspect_timeout=PT3S',
  'evs.inactive_timeout=PT6S',
  'evs.install_timeout=PT5S',
];

export class GaleraNode extends ClusterNode {
  constructor(
    directory: string,
    name: string,
    private readonly ports: readonly number[],
    private readonly addresses: readonly string[],
  ) {
    super(directory, name, ports[0]);
  }

  override async start({ isNew = false } = {}): Promise<void> {
    const [, group, increments, copies] = this.ports;
    const provider = [
      `base_port=${group}`,
      `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
      `ist.recv_addr=127.0.0.1:${increments}`,
      'gcache.size=32M',
      ...FAST_ELECTION,
    ];
    await this.run(
      'mariadbd',
      [
        ...(isRoot ? [`--user=${USER}`] : []),
        ...['--innodb-flush-log-at-trx-commit=0', '--innodb-log-file-size=16M', '--performance-schema=0'],
        ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2'],
        ...['--wsrep-on=ON', `--wsrep-node-name=${this.name}`],
        `--wsrep-provider=${GALERA.provider}`,
        `--wsrep-cluster-address=gcomm://${this.addresses.join(',')}`,
        ...['--wsrep-node-address=127.0.0.1', `--wsrep-provider-options=${provider.join(';')}`],
        ...['--wsrep-sst-method=rsync', `--wsrep-sst-receive-address=127.0.0.1:${copies}`],
        ...(isNew ? ['--wsrep-new-cluster'] : []),
      ],
      { PATH: [this.directory, process.env.PATH].join(delimiter) },
    );
    await this.until('wsrep_ready', 'ON');
  }

  /** Waits until a status of the node has this value. */
  until(name: string, value: string): Promise<void> {
    return this.eventually(`${name} = ${value}`, async () => {
      const [row] = await this.query<{ Value: string }[]>(`SHOW GLOBAL STATUS LIKE '${name}'`);
      return row.Value === value;
    });
  }

  /** Isolates the node from the other nodes, but not from clients, or ends the isolation. */
  isolate(isAlone: boolean): Promise<void> {
    return this.setProviderOption('gmcast.isolate', isAlone ? 1 : 0);
  }

  /** Makes the node's part of the cluster the primary component. */
  bootstrap(): Promise<void> {
    return this.setProviderOption('pc.bootstrap', 1);
  }

  /** MariaDB 11.8 and later have a variable for each option and reject the variable for all of them. */
  private async setProviderOption(option: string, value: number): Promise<void> {
    const variable = `wsrep_provider_${option.replaceAll('.', '_')}`;
    const found = await this.query<object[]>(`SHOW GLOBAL VARIABLES LIKE '${variable}'`);
    if (found.length > 0) await this.query(`SET GLOBAL ${variable} = ${value}`);
    else await this.query(`SET GLOBAL wsrep_provider_options = '${option}=${value}'`);
  }
}

/** Starts a cluster of three nodes on this machine. */
export const startGalera = (): Promise<Cluster<GaleraNode>> =>
  startCluster(4, async (directory, ports) => {
    await chmod(directory, 0o755);
    for (const script of ['wsrep_sst_common', 'wsrep_sst_rsync'])
      await cp(join(GALERA.scripts, script), join(directory, script));
    const addresses = ports.map(([, group]) => `127.0.0.1:${group}`);
    for (const name of ['node2', 'node3']) await mkdir(join(directory, name));
    await run('mariadb-install-db', [
      ...['--no-defaults', `--datadir=${join(directory, 'node1')}`],
      ...['--auth-root-authentication-method=normal', '--skip-test-db'],
      ...(isRoot ? ['--user=root'] : []),
    ]);
    if (isRoot) await run('chown', ['-R', USER, directory]);
    return ports.map((own, at) => new GaleraNode(directory, `node${at + 1}`, own, addresses));
  });
