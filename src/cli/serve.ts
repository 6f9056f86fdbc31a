import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer as createSocket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Database } from '../database/database.js';
import { isSharedWithPlacement } from '../database/migrator.js';
import { createProcess, type ProcessSettings } from '../process/process.js';
import { operationLimits } from '../runtime/operation.js';
import { createServer, type ServerOptions } from '../server/server.js';
import { Primary, type PrimaryOptions } from '../workers/primary.js';
import type { Serving } from '../workers/serving.js';
import { fillWithSample, lockData, migrateDatabase, open, startDatabase } from './bootstrap.js';
import { Lifecycle } from './lifecycle.js';
import type { CommonOptions } from './options.js';
import { firstFilledTable } from './sample/sample.js';
import type { Settings } from './settings/definitions.js';
import { settingsAsYaml } from './settings/printSettings.js';
import { readSettings, type Flags } from './settings/settings.js';
import { whenAvailable } from './serving/whenAvailable.js';
import { serveAsWorker } from './serving/worker.js';

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
    if (cluster.isWorker)
      return serveAsWorker(lifecycle, (url, changes) =>
        servingProcess(settings, open(lifecycle, url, settings), changes),
      );
    const lock = await lockData(lifecycle, settings);
    await assertFree(settings['http.port']);
    const database = open(lifecycle, await startDatabase(lifecycle, settings), settings);
    const count = workerCount(settings);
    const serving =
      count > 1 ? primary(lifecycle, settings, { database, count }) : servingProcess(settings, database);
    lifecycle.defer(() => {
      lock?.setStopping();
      return serving.stop();
    });
    const address = await serving.open();
    lifecycle.surviveRejections();
    await whenAvailable(lifecycle, serving, async () => {
      await migrateDatabase(database, settings);
      if (!empty && (await isForSample(database))) await fillWithSample(lifecycle, database, hosts);
      await serving.begin(await isSharedWithPlacement(database.pool));
    });
    lock?.setAddress(address);
    console.log(`placement-graphql is serving ${address}`);
  });
}

/** A private database is that of one person, who has better use for the other cores. */
function workerCount(settings: Settings): number {
  return settings['workers.count'] ?? (settings['database.url'] === null ? 1 : availableParallelism());
}

/** How long a process may take to end besides the time in which it still takes requests (ms). */
const GRACE_MS = 15_000;

/** The process that has workers. SIGHUP replaces them, but where a terminal is open: it means then that this was closed. */
function primary(
  lifecycle: Lifecycle,
  settings: Settings,
  options: Pick<PrimaryOptions, 'database' | 'count'>,
): Serving {
  const workers = new Primary({
    ...options,
    grace: drainOf(settings) + GRACE_MS,
    print: (line) => console.log(line),
    fail: (reason) => void lifecycle.end(1, reason),
  });
  if (!process.stdout.isTTY) lifecycle.handle('SIGHUP', () => void workers.roll());
  return workers;
}

/** This process as one that serves. */
function servingProcess(
  settings: Settings,
  database: Database,
  changes?: ProcessSettings['changes'],
): Serving {
  const foreignWrites = {
    binaryLog: settings['foreignWrites.binaryLog'],
    seenWithin: undefined as number | undefined,
  };
  const server = createServer(
    createProcess(database, { ...processSettings(settings, database), foreignWrites, changes }),
    serverOptions(settings),
  );
  return {
    async open() {
      const { port } = await server.open(settings['http.port'], host);
      return `http://${host}:${port}/graphql`;
    },
    wait: (reason) => server.wait(reason),
    async begin(isShared) {
      foreignWrites.seenWithin = seenWithin(settings, isShared);
      await server.start();
    },
    stop: () => server.close(),
  };
}

/** Within how many seconds the writes of an OpenStack Placement are seen that has used the database. */
const BESIDE_PLACEMENT_SECONDS = 2;

function seenWithin(settings: Settings, isShared: boolean): number | undefined {
  const seconds = settings['foreignWrites.seconds'] ?? (isShared ? BESIDE_PLACEMENT_SECONDS : null);
  return seconds === null ? undefined : 1_000 * seconds;
}

function processSettings(settings: Settings, database: Database): ProcessSettings {
  return {
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

/** How long clients are told that a connection ends with its next answer, at least (ms): one that is cut may lose a request. */
const LEAST_DRAIN_MS = 200;

function drainOf(settings: Settings): number {
  return Math.max(1_000 * settings['workers.drainSeconds'], LEAST_DRAIN_MS);
}

function serverOptions(settings: Settings): ServerOptions {
  return {
    allowedHosts: settings['http.allowedHosts'],
    allowedOrigins: settings['http.allowedOrigins'],
    longestBody: settings['http.longestBody'],
    hasGraphiql: settings['graphql.graphiql'],
    hasIntrospection: settings['graphql.introspection'],
    drain: drainOf(settings),
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
