import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { nodeIsRecent } from './node.mjs';
import { root } from './run.mjs';

/** Runs the steps of a set-up in order, alone in this checkout. If one fails, the process ends with the reason. */
export function prepare(...steps) {
  return command(() =>
    alone(async () => {
      for (const step of steps) await step();
    }),
  );
}

/** Runs the work of a script. If it fails, the process ends with the reason, without a stack trace. */
export async function command(work) {
  if (!nodeIsRecent()) process.exit();
  try {
    return await work();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/** Relative to the checkout, because the path of a unix socket must be short. */
const socket = '.cache/setup.sock';

/**
 * Runs a part of the set-up after the other processes that set up this checkout. The lock is a listening socket:
 * unlike a file with a process id, it ends with its process.
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

/** Waits until the other process closes the connection. Removes the socket of a killed process. */
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
