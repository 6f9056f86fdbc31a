import { once } from 'node:events';
import { createServer as createSocket } from 'node:net';
import { createProcess } from '../process/process.js';
import { createServer } from '../server/server.js';
import { readEnvironment } from './environment.js';
import { fillWithSample, holdData, isEmpty, openHome } from './bootstrap.js';
import { Life } from './lifecycle.js';

const host = '127.0.0.1';

export interface ServeOptions {
  /** goes before the environment's PORT */
  port?: number;
  /** how many hosts the sample cloud has that an empty database is filled with */
  hosts: number;
  /** leave an empty database empty */
  empty?: boolean;
}

/** Serves until a signal comes or the private database dies. */
export function serve(options: ServeOptions): Promise<void> {
  return Life.lead(async (life) => {
    const environment = readEnvironment();
    const port = options.port ?? environment.port;
    const lock = await holdData(life, environment);
    await assertFree(port);
    const database = await openHome(life, environment);
    if (!options.empty && (await isEmpty(database))) await fillWithSample(life, database, options.hosts);
    const server = createServer(createProcess(database));
    life.defer(() => {
      lock?.announceEnd();
      return server.close();
    });
    const { port: bound } = await server.listen(port, host);
    const address = `http://${host}:${bound}/graphql`;
    lock?.announce(address);
    console.log(`placement-graphql is serving ${address}`);
  });
}

/** Looks before the long work begins, so that a taken port is known at once. */
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
