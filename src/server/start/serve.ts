import cluster from 'node:cluster';
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../store/database/database.js';
import { isNotYetAvailable, reason } from '../../store/database/failures.js';
import { isSharedWithPlacement } from '../../store/migrations/migrator.js';
import { VERSION } from '../../store/version.js';
import { createLog, reportTo } from '../telemetry/log.js';
import { serveClusterMetrics } from '../telemetry/metrics/clusterMetrics.js';
import { Metrics } from '../telemetry/telemetry.js';
import { startTracing } from '../telemetry/tracing.js';
import { isOf, type DatabaseState, type WorkerReady } from '../workers/messages.js';
import { Primary, type Serving } from '../workers/primary.js';
import {
  type CommonOptions,
  fillWithDemoData,
  lockData,
  migrateDatabase,
  open,
  startDatabase,
} from './bootstrap.js';
import { DEMO_HOSTS, firstFilledTable, rootCount } from '../../tools/demo/demo.js';
import { assertPrivate, resetData } from './dataReset.js';
import { Lifecycle } from './lifecycle.js';
import { listenFailure } from './port.js';
import { drainOf } from './serverSettings.js';
import { prepareServing, servingModules } from './serving.js';
import type { Settings } from '../settings/definitions.js';
import { readSettings, settingsAsYaml, sourcesOf } from '../settings/settings.js';

interface ServeOptions extends CommonOptions {
  /** Fills an empty database with demo data. */
  readonly demo?: boolean;
  /** The number of hosts of the demo data. */
  readonly hosts?: number;
  /** Whether the user expects an empty database. */
  readonly empty?: boolean;
  /** Deletes the private database first. */
  readonly reset?: boolean;
  /** Resets without a question. */
  readonly yes?: boolean;
  readonly printConfig?: boolean;
}

/** Serves until a signal arrives or the private database dies. */
export function serve(options: ServeOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    const read = readSettings(sourcesOf(options));
    if (options.printConfig) {
      process.stdout.write(settingsAsYaml(read));
      return lifecycle.end(0);
    }
    const { settings } = read;
    const { log, announce, metrics } = observers(settings);
    lifecycle.announceBy({ say: announce, fail: reportTo(log) });
    const tracing = await startTracing((problem) => log.warn({ problem }, 'keeping traces'));
    lifecycle.defer(async () => tracing?.close());
    const { address, makeServing } = await prepareServing(lifecycle, settings, { log, metrics, tracing });
    if (cluster.isWorker) {
      const worker = await makeServing(open(lifecycle, settings['database.url']!, settings));
      return serveAsWorker(lifecycle, worker);
    }
    if (options.reset) assertPrivate(settings);
    const lock = await lockData(lifecycle, settings);
    await assertFree('--port', settings['http.port'], address);
    if (settings['rest.enabled'] && settings['rest.port'] !== null)
      await assertFree('--rest-port', settings['rest.port'], address);
    if (options.reset) await resetData(lifecycle, settings, options.yes ?? false);
    const isSingle = settings['workers.count'] === 1;
    const loadModules = (): void => {
      if (isSingle) void servingModules().catch(() => undefined); // makeServing throws failures
    };
    const database = open(lifecycle, await startDatabase(lifecycle, settings, loadModules), settings);
    const serving = isSingle ? await makeServing(database) : primary(lifecycle, settings, database.url);
    lifecycle.defer(() => {
      lock?.setStopping();
      return serving.stop();
    });
    await serving.open();
    lifecycle.surviveRejections();
    const url = await waitForDatabase(lifecycle, serving, () =>
      begin(lifecycle, serving, database, settings, options),
    );
    lock?.setAddress(url);
    lifecycle.say(`placement-graphql is serving ${url}`);
    channel('placement-graphql:serving').publish(url); // makes `npm start` build the dashboard
  });
}

/** Migrates the database, loads demo data if requested, and starts to answer requests. */
async function begin(
  lifecycle: Lifecycle,
  serving: Serving,
  database: Database,
  settings: Settings,
  { demo, hosts, empty }: ServeOptions,
): Promise<string> {
  await migrateDatabase(lifecycle, database, settings);
  const isFilling = demo && (await acceptsDemoData(database));
  if (isFilling) await fillWithDemoData(lifecycle, database, hosts ?? DEMO_HOSTS);
  else if (hosts !== undefined) await sayIfFilled(lifecycle, database, settings, `--hosts ${hosts}`);
  else if (empty) await sayIfFilled(lifecycle, database, settings, '--empty');
  return serving.begin();
}

/** Says that an option has no effect if the database has providers. */
async function sayIfFilled(
  lifecycle: Lifecycle,
  { pool }: Database,
  settings: Settings,
  option: string,
): Promise<void> {
  const count = await rootCount(pool);
  if (count === 0) return;
  const isPrivate = settings['database.url'] === null;
  const where = isPrivate ? `in ${settings['database.dataDirectory']}` : 'of database.url';
  const hint = isPrivate ? '; --reset deletes this database first' : '';
  lifecycle.say(
    `${option} has no effect: the database ${where} has ${count} trees of providers already${hint}`,
  );
}

function observers(settings: Settings) {
  const metrics = new Metrics({ version: VERSION, aggregates: settings['metrics.aggregates'] }).addRuntime();
  const { 'log.level': level, 'log.format': format } = settings;
  return { ...createLog({ level, format, onDrop: (bytes) => metrics.logDropped(bytes) }), metrics };
}

/** The time in which a process must end after it stopped accepting requests (ms). */
const GRACE_MS = 15_000;

/** Creates the parent of the workers. SIGHUP replaces them; on a terminal it ends the server. */
function primary(lifecycle: Lifecycle, settings: Settings, databaseUrl: string): Serving {
  const workers = new Primary({
    count: settings['workers.count'],
    databaseUrl,
    grace: drainOf(settings) + GRACE_MS,
    print: lifecycle.say,
    fail: (reason) => void lifecycle.end(1, reason),
  });
  serveClusterMetrics();
  if (!process.stdout.isTTY) lifecycle.handle('SIGHUP', () => void workers.roll());
  return workers;
}

/** Returns whether the database is empty and no OpenStack Placement uses it. */
async function acceptsDemoData({ pool }: Database): Promise<boolean> {
  return !(await isSharedWithPlacement(pool)) && (await firstFilledTable(pool)) === null;
}

/** Checks the address and the port before the long work, so that a failure is reported at once. */
async function assertFree(flag: string, port: number, address: string): Promise<void> {
  const failure = await listenFailure(port, address);
  if (failure === null) return;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use by another program: choose one with ${flag}`,
    EADDRNOTAVAIL: `http.host: ${address} is no address of this machine`,
    EACCES: `port ${port} requires a privilege: choose a port from 1024 with ${flag}`,
  };
  const message = messages[failure.code ?? ''];
  throw message ? new Error(message, { cause: failure }) : failure;
}

/** Serves as one of several workers. SIGTERM ends it; the primary handles the other signals. */
async function serveAsWorker(lifecycle: Lifecycle, serving: Serving): Promise<void> {
  lifecycle.handle('SIGTERM', () => void lifecycle.end(0));
  for (const signal of ['SIGINT', 'SIGHUP'] as const) lifecycle.handle(signal, () => undefined);
  const databaseReady = new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (!isOf<DatabaseState>(message, 'placement:database')) return;
      if (message.waiting === null) resolve();
      else serving.wait(message.waiting);
    });
  });
  lifecycle.defer(() => serving.stop());
  await serving.open();
  lifecycle.surviveRejections();
  await databaseReady;
  const url = await waitForDatabase(lifecycle, serving, () => serving.begin());
  if (process.connected) process.send!({ type: 'placement:ready', url } satisfies WorkerReady);
}

const RETRY_MS = 500;

/** The interval at which an unchanged reason is logged again (ms). */
const LOG_AGAIN_MS = 30_000;

/**
 * Retries `work` until the database is available. Meanwhile, the server rejects requests.
 * Rejects for permanent errors, for example a wrong password.
 */
async function waitForDatabase<T>(
  lifecycle: Lifecycle,
  serving: Serving,
  work: () => Promise<T>,
): Promise<T> {
  for (let logged = { reason: '', at: 0 }; ; await sleep(RETRY_MS)) {
    lifecycle.throwIfStopping();
    try {
      return await work();
    } catch (error) {
      if (!isNotYetAvailable(error)) throw error;
      const why = reason(error);
      serving.wait(why);
      if (why === logged.reason && Date.now() - logged.at < LOG_AGAIN_MS) continue;
      lifecycle.say(`waiting for the database: ${why}`);
      logged = { reason: why, at: Date.now() };
    }
  }
}
