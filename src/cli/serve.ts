import { once } from 'node:events';
import { createServer as createSocket } from 'node:net';
import type { Database } from '../database/database.js';
import { isSharedWithPlacement } from '../database/migrator.js';
import { createProcess, type ForeignWritesSettings } from '../process/process.js';
import { createServer } from '../server/server.js';
import { readEnvironment, type Environment } from './environment.js';
import { fillWithSample, lockData, openMigrated } from './bootstrap.js';
import { Lifecycle } from './lifecycle.js';
import { firstFilledTable } from './sample/sample.js';

const host = '127.0.0.1';

export interface ServeOptions {
  /** takes precedence over the environment's PORT */
  port?: number;
  /** size of the sample cloud that an empty database is filled with */
  hosts: number;
  /** leave an empty database empty */
  empty?: boolean;
  /** host names by which clients may address the server, besides those of this machine */
  allowedHost?: string[];
  /** origins of web pages that may send requests, besides the server's own */
  allowedOrigin?: string[];
}

/** Serves until a signal comes or the private database dies. */
export function serve(options: ServeOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    const environment = readEnvironment();
    const port = options.port ?? environment.port;
    const lock = await lockData(lifecycle, environment);
    await assertFree(port);
    const database = await openMigrated(lifecycle, environment);
    if (!options.empty && (await isForSample(database)))
      await fillWithSample(lifecycle, database, options.hosts);
    lifecycle.surviveRejections();
    const foreignWrites = await foreignWritesSettings(environment, database);
    const server = createServer(createProcess(database, { foreignWrites }), {
      allowedHosts: options.allowedHost,
      allowedOrigins: options.allowedOrigin,
    });
    lifecycle.defer(() => {
      lock?.setStopping();
      return server.close();
    });
    const { port: bound } = await server.listen(port, host);
    const address = `http://${host}:${bound}/graphql`;
    lock?.setAddress(address);
    console.log(`placement-graphql is serving ${address}`);
  });
}

/** Within how many seconds the writes of an OpenStack Placement are seen that has used the database. */
const BESIDE_PLACEMENT_SECONDS = 2;

async function foreignWritesSettings(
  { foreignWritesSeconds, binaryLog }: Environment,
  { pool }: Database,
): Promise<ForeignWritesSettings> {
  const seconds =
    foreignWritesSeconds ?? ((await isSharedWithPlacement(pool)) ? BESIDE_PLACEMENT_SECONDS : null);
  return { binaryLog, ...(seconds !== null && { seenWithin: 1_000 * seconds }) };
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
