import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { root } from './run.mjs';

/** Relative to the checkout, because the path of a unix socket must be short. */
const socket = '.cache/setup.sock';

/**
 * Does a piece of set-up while no other process does one in this checkout; waits for the other if there is one.
 * A listening socket marks the one at work: unlike a file with a process id it ends with its process, however that dies.
 */
export async function alone(work) {
  process.chdir(root);
  mkdirSync('.cache', { recursive: true });
  const { server, waiting } = await hold();
  try {
    return await work();
  } finally {
    server.close();
    for (const connection of waiting) connection.destroy();
  }
}

async function hold() {
  for (;;) {
    const waiting = new Set();
    const server = createServer((connection) => waiting.add(connection.on('error', () => undefined)));
    try {
      server.listen(socket);
      await once(server, 'listening');
      return { server, waiting };
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      await otherIsDone();
    }
  }
}

/** Waits until the other lets go of our connection; a socket nobody listens on was left by a killed process. */
async function otherIsDone() {
  const connection = connect(socket);
  try {
    await once(connection, 'connect');
    console.error('another process is setting up this checkout: waiting for it');
    connection.resume();
    await once(connection, 'close');
  } catch (error) {
    if (error.code === 'ECONNREFUSED') rmSync(socket, { force: true });
    else if (error.code !== 'ENOENT' && error.code !== 'ECONNRESET') throw error;
  }
}
