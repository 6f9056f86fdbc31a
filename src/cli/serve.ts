import { once } from 'node:events';
import { createServer as createSocket } from 'node:net';
import type { Database } from '../database/database.js';
import { isSharedWithPlacement } from '../database/migrator.js';
import { createProcess, type ProcessSettings } from '../process/process.js';
import { operationLimits } from '../runtime/operation.js';
import { VERSION } from '../runtime/version.js';
import { createServer, type ServerOptions } from '../server/server.js';
import { createLog, reportTo } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics/metrics.js';
import { startTracing } from '../telemetry/tracing.js';
import { fillWithSample, lockData, openMigrated } from './bootstrap.js';
import { Lifecycle } from './lifecycle.js';
import type { CommonOptions } from './options.js';
import { firstFilledTable } from './sample/sample.js';
import type { Settings } from './settings/definitions.js';
import { settingsAsYaml } from './settings/printSettings.js';
import { readSettings, type Flags } from './settings/settings.js';

const host = '127.0.0.1';

export interface ServeOptions extends CommonOptions {
  /** Settings that were given as flags. */
  readonly flags: Flags;
  /** size of the sample cloud that an empty database is filled with */
  readonly hosts: number;
  /** leave an empty database empty */
  readonly empty?: boolean;
  /** print the settings, and do nothing */
  readonly printConfig?: boolean;
}

/** Serves until a signal comes or the private database dies. */
export function serve({ flags, hosts, config, empty, printConfig }: ServeOptions): Promise<void> {
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
    const port = settings['http.port'];
    const lock = await lockData(lifecycle, settings);
    await assertFree(port);
    const database = await openMigrated(lifecycle, settings);
    if (!empty && (await isForSample(database))) await fillWithSample(lifecycle, database, hosts);
    lifecycle.surviveRejections();
    const server = createServer(
      createProcess(database, {
        ...(await processSettings(settings, database)),
        log,
        metrics,
        tracing,
        slow: 1_000 * settings['log.slowSeconds'],
      }),
      serverOptions(settings),
    );
    lifecycle.defer(() => {
      lock?.setStopping();
      return server.close();
    });
    const { port: bound } = await server.listen(port, host);
    const address = `http://${host}:${bound}/graphql`;
    lock?.setAddress(address);
    lifecycle.say(`placement-graphql is serving ${address}`);
  });
}

/** The log and the figures of this process. */
function observers(settings: Settings) {
  const metrics = new Metrics({ version: VERSION, aggregates: settings['metrics.aggregates'] }).addRuntime();
  const { 'log.level': level, 'log.format': format } = settings;
  return { ...createLog({ level, format, onDrop: (bytes) => metrics.logDropped(bytes) }), metrics };
}

/** Within how many seconds the writes of an OpenStack Placement are seen that has used the database. */
const BESIDE_PLACEMENT_SECONDS = 2;

async function processSettings(settings: Settings, database: Database): Promise<ProcessSettings> {
  const seconds =
    settings['foreignWrites.seconds'] ??
    ((await isSharedWithPlacement(database.pool)) ? BESIDE_PLACEMENT_SECONDS : null);
  return {
    foreignWrites: {
      binaryLog: settings['foreignWrites.binaryLog'],
      ...(seconds !== null && { seenWithin: 1_000 * seconds }),
    },
    limits: {
      ...operationLimits(database.connections),
      deadline: 1_000 * settings['operations.seconds'],
      cost: settings['operations.cost'],
      costInAll: settings['operations.costInAll'],
      smallCost: settings['operations.smallCost'],
      smallCostInAll: settings['operations.smallCostInAll'],
      longestQueue: settings['operations.longestQueue'],
      longestWait: 1_000 * settings['operations.longestWaitSeconds'],
    },
  };
}

function serverOptions(settings: Settings): ServerOptions {
  return {
    allowedHosts: settings['http.allowedHosts'],
    allowedOrigins: settings['http.allowedOrigins'],
    longestBody: settings['http.longestBody'],
    hasGraphiql: settings['graphql.graphiql'],
    hasIntrospection: settings['graphql.introspection'],
    limits: {
      connections: settings['http.connections'],
      requestsOfConnection: settings['http.requestsOfConnection'],
      headersTimeout: 1_000 * settings['http.headersSeconds'],
      requestTimeout: 1_000 * settings['http.requestSeconds'],
      keepAlive: 1_000 * settings['http.keepAliveSeconds'],
      unreadTimeout: 1_000 * settings['http.unreadSeconds'],
    },
  };
}

/** Whether nothing is in the database, and nobody else is about to fill it. */
async function isForSample({ pool }: Database): Promise<boolean> {
  return !(await isSharedWithPlacement(pool)) && (await firstFilledTable(pool)) === null;
}

/** Checks before the long work begins, so that a taken port is reported at once. */
async function assertFree(port: number): Promise<void> {
  const socket = createSocket().listen(port, host);
  try {
    await once(socket, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} is in use by another program: choose one with --port`, { cause: error });
  }
  socket.close();
  await once(socket, 'close');
}
