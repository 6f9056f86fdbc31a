import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeSocketFolder, socketPath } from '../../tools/privateDatabase/directory.js';

export interface Lock {
  /** Adds the address being served to the message that other processes get. */
  setAddress(address: string): void;
  /** Makes other processes wait for the release instead of failing at once. */
  setStopping(): void;
  release(): Promise<void>;
}

/** The answer of a process that is about to release its lock. A dying process sends no answer. */
const STOPPING = 'stopping';

/**
 * Locks the directory by listening on a socket. The system releases it whenever the process ends.
 * @throws Error with one line that names the process which holds the lock
 */
export async function takeLock(directory: string): Promise<Lock> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const real = await realpath(directory);
  const path = await lockPath(real);
  let self = `process ${process.pid}`;
  const server = createServer((connection) => connection.on('error', () => undefined).end(self));
  while (!(await listens(server, path))) {
    const holder = await ask(path);
    if (holder === null) await rm(path, { force: true });
    else if (holder === STOPPING) await sleep(50);
    else throw new Error(`placement-graphql is already running here: ${holder}`);
  }
  await assertStillOurs(path, directory);
  return {
    setAddress: (address) => (self = `process ${process.pid}, ${address}`),
    setStopping: () => (self = STOPPING),
    release: async () => {
      server.close();
      await once(server, 'close');
      await removeSocketFolder(real, path);
    },
  };
}

/** Describes the process that holds the lock. Returns null if none does, or if it is stopping. */
export async function lockHolder(directory: string): Promise<string | null> {
  if (!existsSync(directory)) return null;
  const holder = await ask(await lockPath(await realpath(directory)));
  return holder === STOPPING ? null : holder;
}

function lockPath(directory: string): Promise<string> {
  return socketPath(directory, 'serve.sock');
}

async function listens(server: Server, path: string): Promise<boolean> {
  server.listen(path);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** @throws Error if another process mistook this socket for a dead one and replaced it */
async function assertStillOurs(path: string, directory: string): Promise<void> {
  const mine = await lstat(path);
  await sleep(50);
  const now = await lstat(path).catch(() => null);
  if (now?.ino !== mine.ino) throw new Error(`placement-graphql is just being started on ${directory}`);
}

function ask(path: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const connection = connect(path).setEncoding('utf8').setTimeout(2_000);
    connection.on('data', (text: string) => (answer += text));
    connection.on('timeout', () => {
      answer = 'a process that does not answer';
      connection.destroy();
    });
    connection.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null);
      else if (error.code !== 'ECONNRESET') reject(error);
    });
    connection.on('close', () => resolve(answer === '' ? STOPPING : answer));
  });
}
