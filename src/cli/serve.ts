import cluster from 'node:cluster';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createSocket } from 'node:net';
import type { Database } from '../database/database.js';
import { isSharedWithPlacement } from '../database/migrator.js';
import { VERSION } from '../runtime/version.js';
import { createLog, reportTo } from '../telemetry/log.js';
import { serveClusterMetrics } from '../telemetry/metrics/clusterMetrics.js';
import { Metrics } from '../telemetry/metrics/metrics.js';
import { startTracing } from '../telemetry/tracing.js';
import { Primary, type PrimaryOptions, type Serving } from '../workers/primary.js';
import { fillWithSample, lockData, migrateDatabase, open, startDatabase } from './bootstrap.js';
import { Lifecycle } from './lifecycle.js';
import type { CommonOptions } from './options.js';
import { firstFilledTable } from './sample/sample.js';
import { drainOf } from './serving/options.js';
import { prepareServing, servingModules } from './serving/serving.js';
import { waitForDatabase } from './serving/waitForDatabase.js';
import { serveAsWorker } from './serving/worker.js';
import type { Settings } from './settings/definitions.js';
import { type Flags, readSettings, settingsAsYaml } from './settings/settings.js';

export interface ServeOptions extends CommonOptions {
  /** Settings that were given as flags. */
  readonly flags: Flags;
  /** Whether to fill an empty database with a demo cloud. */
  readonly demo?: boolean;
  /** Number of hosts of the demo cloud. */
  readonly hosts: number;
  /** print the settings, and do nothing */
  readonly printConfig?: boolean;
}

/** Serves until a signal comes or the private database dies. */
export function serve({ flags, config, printConfig, ...filling }: ServeOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    const read = readSettings({ flags, file: config });
    if (printConfig) {
      process.stdout.write(settingsAsYaml(read));
      return lifecycle.end(0);
    }
    const { settings } = read;
    const { log, announce, metrics } = observers(settings);
    lifecycle.speakBy({ say: announce, fail: reportTo(log) });
    const tracing = await startTracing((problem) => log.warn({ problem }, 'keeping traces'));
    lifecycle.defer(async () => tracing?.close());
    const { address, makeServing } = await prepareServing(lifecycle, settings, { log, metrics, tracing });
    if (cluster.isWorker) {
      const worker = await makeServing(open(lifecycle, settings['database.url']!, settings));
      return serveAsWorker(lifecycle, worker);
    }
    const lock = await lockData(lifecycle, settings);
    await assertFree(settings['http.port'], address);
    const count = settings['workers.count'];
    if (count === 1) void servingModules().catch(() => undefined); // which fails again where it is needed
    const database = open(lifecycle, await startDatabase(lifecycle, settings), settings);
    const serving =
      count > 1
        ? primary(lifecycle, settings, { databaseUrl: database.url, count })
        : await makeServing(database);
    lifecycle.defer(() => {
      lock?.setStopping();
      return serving.stop();
    });
    await serving.open();
    lifecycle.surviveRejections();
    const url = await waitForDatabase(lifecycle, serving, () =>
      begin(lifecycle, serving, database, settings, filling),
    );
    lock?.setAddress(url);
    lifecycle.say(`placement-graphql is serving ${url}`);
    channel('placement-graphql:serving').publish(url); // `npm start` builds the dashboard then
  });
}

/** Migrates the database, fills it with the demo cloud if asked to, and starts to answer requests. */
async function begin(
  lifecycle: Lifecycle,
  serving: Serving,
  database: Database,
  settings: Settings,
  { demo, hosts }: Pick<ServeOptions, 'demo' | 'hosts'>,
): Promise<string> {
  await migrateDatabase(lifecycle, database, settings);
  if (demo && (await isForSample(database))) await fillWithSample(lifecycle, database, hosts);
  return serving.begin();
}

/** The log and the figures of this process. */
function observers(settings: Settings) {
  const metrics = new Metrics({ version: VERSION, aggregates: settings['metrics.aggregates'] }).addRuntime();
  const { 'log.level': level, 'log.format': format } = settings;
  return { ...createLog({ level, format, onDrop: (bytes) => metrics.logDropped(bytes) }), metrics };
}

/** How long a process may take to end besides the time in which it still takes requests (ms). */
const GRACE_MS = 15_000;

/** The process that has workers. SIGHUP replaces them, but where a terminal is open: it means then that this was closed. */
function primary(
  lifecycle: Lifecycle,
  settings: Settings,
  options: Pick<PrimaryOptions, 'databaseUrl' | 'count'>,
): Serving {
  const workers = new Primary({
    ...options,
    grace: drainOf(settings) + GRACE_MS,
    print: lifecycle.say,
    fail: (reason) => void lifecycle.end(1, reason),
  });
  serveClusterMetrics();
  if (!process.stdout.isTTY) lifecycle.handle('SIGHUP', () => void workers.roll());
  return workers;
}

/** Whether nothing is in the database, and nobody else is about to fill it. */
async function isForSample({ pool }: Database): Promise<boolean> {
  return !(await isSharedWithPlacement(pool)) && (await firstFilledTable(pool)) === null;
}

const LISTEN_ERRORS: Readonly<Record<string, (port: number, address: string) => string>> = {
  EADDRINUSE: (port) => `port ${port} is in use by another program: choose one with --port`,
  EADDRNOTAVAIL: (_port, address) => `http.host: ${address} is no address of this machine`,
  EACCES: (port) =>
    `port ${port} takes a privilege that this process does not have: choose one from 1024 with --port`,
};

/** Checks before the long work begins, so that an address or a port that cannot be had is reported at once. */
async function assertFree(port: number, address: string): Promise<void> {
  const socket = createSocket().listen(port, address);
  try {
    await once(socket, 'listening');
  } catch (error) {
    const message = LISTEN_ERRORS[(error as NodeJS.ErrnoException).code ?? ''];
    throw message ? new Error(message(port, address), { cause: error }) : error;
  }
  socket.close();
  await once(socket, 'close');
}
