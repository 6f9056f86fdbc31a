import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../support/freePort.js';
import { emptyDatabase, type TestDatabase } from '../../support/database.js';
import { sqlalchemyUrl } from '../../../bench/beside/sqlalchemyUrl.js';
import type { Daemon } from '../daemon.js';
import type { StandIns } from '../standIns.js';
import { Nova } from './client.js';
import { Rabbit } from './rabbit.js';
import { Services } from './services.js';
import { novaSettings, type CloudSettings } from './settings.js';

export const HOSTS = ['compute1', 'compute2', 'compute3', 'compute4', 'compute5'];

/** The host of the services that are no compute service. */
const CONTROLLER = 'controller';

const MIGRATION_TIMEOUT = 600_000;

interface Migration {
  readonly id: number;
  readonly status: string;
}

/** The last states of a migration whose source is up, and of one whose source is down. */
const FINISHED = ['completed', 'confirmed', 'reverted'];
const EVACUATED = [...FINISHED, 'done'];

const FAILED = ['error', 'failed'];

/** A cloud of Nova on this machine: its services, and stand-ins for Keystone, Glance and Neutron. */
export class Cloud {
  readonly nova: Nova;
  private readonly computes = new Map<string, Daemon>();
  private readonly daemons: Daemon[] = [];

  private constructor(
    private readonly settings: CloudSettings,
    private readonly rabbit: Rabbit,
    private readonly services: Services,
    private readonly databases: readonly TestDatabase[],
  ) {
    this.nova = new Nova(`http://127.0.0.1:${settings.apiPort}/v2.1`);
  }

  /** @param standIns whose catalog names the Placement */
  static async start(standIns: StandIns): Promise<Cloud> {
    const folder = await mkdtemp(join(tmpdir(), 'placement-nova-'));
    const databases = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()];
    const [apiDatabase, cellDatabase, cell0] = databases.map(({ url }) => sqlalchemyUrl(url));
    const rabbit = await Rabbit.start(folder);
    const addresses = { messages: rabbit.url, standIns: standIns.url, apiPort: await freePort() };
    const settings = { folder, apiDatabase, cellDatabase, ...addresses };
    const cloud = new Cloud(settings, rabbit, Services.start(folder), databases);
    for (const host of [CONTROLLER, ...HOSTS]) await cloud.configure(host);
    await cloud.createDatabases(cell0);
    await cloud.startServices();
    return cloud;
  }

  /** Runs nova-manage. Returns its exit status and output. */
  async manage(...options: string[]): Promise<{ code: number; said: string }> {
    const run = promisify(execFile)('nova-manage', ['--config-file', this.fileOf(CONTROLLER), ...options]);
    return run.then(
      ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        said: stdout + stderr,
      }),
    );
  }

  async startCompute(host: string): Promise<void> {
    this.computes.set(host, await this.start('nova-compute', host));
  }

  async stopCompute(host: string): Promise<void> {
    await this.computes.get(host)!.stop();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.computes.values(), ...this.daemons].map((daemon) => daemon.stop()));
    await this.services.stop();
    await this.rabbit.stop();
    for (const database of this.databases) await database.close();
    await rm(this.settings.folder, { recursive: true, force: true });
  }

  /** Waits until all migrations are finished. @throws Error if one fails */
  untilMigrated(): Promise<void> {
    return this.untilAllAre(FINISHED);
  }

  /** Does not wait for hosts that are down: they finish an evacuation when they start again. */
  untilEvacuated(): Promise<void> {
    return this.untilAllAre(EVACUATED);
  }

  private async untilAllAre(last: readonly string[]): Promise<void> {
    for (const deadline = Date.now() + MIGRATION_TIMEOUT; ; await sleep(500)) {
      const { migrations } = await this.nova.send<{ migrations: Migration[] }>('GET', '/os-migrations');
      const open = migrations.filter(({ status }) => !last.includes(status));
      if (open.length === 0) return;
      if (Date.now() > deadline || open.some(({ status }) => FAILED.includes(status)))
        throw new Error(`migrations do not finish: ${JSON.stringify(open)}`);
    }
  }

  private async createDatabases(cell0: string): Promise<void> {
    await this.mustManage('api_db', 'sync');
    await this.mustManage('cell_v2', 'map_cell0', '--database_connection', cell0);
    await this.mustManage('db', 'sync');
    await this.mustManage('cell_v2', 'create_cell', '--name', 'cell1');
  }

  private async startServices(): Promise<void> {
    for (const service of ['nova-conductor', 'nova-scheduler', 'nova-api'])
      this.daemons.push(await this.start(service, CONTROLLER));
    await this.daemons.at(-1)!.until(async () => (await this.nova.servers()).length === 0);
    await Promise.all(HOSTS.map((host) => this.startCompute(host)));
    const last = this.computes.get(HOSTS.at(-1)!)!;
    await last.until(async () => {
      await this.mustManage('cell_v2', 'discover_hosts');
      const { hypervisors } = await this.nova.send<{ hypervisors: object[] }>('GET', '/os-hypervisors');
      return hypervisors.length === HOSTS.length;
    });
  }

  private async mustManage(...options: string[]): Promise<void> {
    const { code, said } = await this.manage(...options);
    if (code !== 0) throw new Error(`nova-manage ${options.join(' ')}: ${said.slice(-2_000)}`);
  }

  private start(program: string, host: string): Promise<Daemon> {
    return this.services.run(program, program === 'nova-compute' ? host : program, this.fileOf(host));
  }

  private fileOf(host: string): string {
    return join(this.settings.folder, `${host}.conf`);
  }

  private async configure(host: string): Promise<void> {
    await mkdir(join(this.settings.folder, host));
    await writeFile(this.fileOf(host), novaSettings(host, this.settings));
  }
}
