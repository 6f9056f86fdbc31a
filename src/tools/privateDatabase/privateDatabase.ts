import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mariadb';
import {
  DATABASE_SOCKET,
  initialiseData,
  preparePaths,
  removeSocketFolder,
  socketPath,
  type DatabasePaths,
} from './directory.js';
import { databaseProcesses, stopProcesses } from './processes.js';
import { findServerProgram, serverArguments, type ServerProgram } from './program.js';

export interface PrivateDatabaseOptions {
  /** Contains the data, the log and, if its path is short, the socket. Created if missing. */
  directory: string;
  /** If false, commits are not flushed to the disk: only for data that may be lost. */
  durable: boolean;
  onProgress?: (line: string) => void;
  /** Called when the server has been started, for work to do until it is ready. */
  onStarted?: () => void;
}

export type PrivateDatabase = Pick<Server, 'url' | 'died' | 'stop'>;

const NO_PROGRAM =
  'no MariaDB or MySQL server program is installed on this machine: set DATABASE_URL to use another database, ' +
  'or install one (Debian: apt-get install mariadb-server-core mariadb-client-core)';

/**
 * Starts the database server of a directory. Creates the data directory if it is missing. Stops a
 * server that a killed process left running. After a crash, the server recovers its data.
 * The caller ensures that only one process uses the directory.
 * @throws Error with one line: no server program, data of another flavour, or the start fails
 */
export async function startPrivateDatabase(options: PrivateDatabaseOptions): Promise<PrivateDatabase> {
  const { durable, onProgress = () => undefined } = options;
  const paths = await preparePaths(options.directory);
  const [program] = await Promise.all([findServerProgram(), stopLeftServer(paths, onProgress)]);
  if (program === null) throw new Error(NO_PROGRAM);
  await initialiseData(program, paths);
  await rm(paths.socket, { force: true });

  const log = openLog(paths.log);
  const child = spawn(program.server, serverArguments(program, paths, durable, totalmem()), {
    stdio: ['ignore', log.descriptor, log.descriptor],
    detached: true, // Ctrl-C in a terminal reaches only this process, which stops the database
  });
  closeSync(log.descriptor);
  options.onStarted?.();
  return whenReady(new Server(child, paths, durable), program, log.start, onProgress);
}

async function stopLeftServer(
  { directory }: DatabasePaths,
  onProgress: (line: string) => void,
): Promise<void> {
  const left = await databaseProcesses(directory);
  if (left.length === 0) return;
  onProgress(`stopping the database that an earlier process left running (process ${left.join(', ')})`);
  await stopProcesses(directory);
}

/** A database server of this process. Only this user can connect, through a unix socket. */
class Server {
  /** Resolves with a one-line reason if the server ends without `stop`. */
  readonly died: Promise<string>;
  /** The reason of the end. Null while the server runs. */
  end: string | null = null;
  private stopping = false;
  private readonly ended: Promise<string>;

  constructor(
    private readonly child: ChildProcess,
    readonly paths: DatabasePaths,
    durable: boolean,
  ) {
    const guard = startGuard(child, durable ? 'TERM' : 'KILL');
    this.ended = once(child, 'exit').then(
      ([code, signal]) => `it ended with ${signal === null ? `code ${String(code)}` : String(signal)}`,
      (error: Error) => error.message,
    );
    this.died = new Promise((resolve) => {
      void this.ended.then((how) => {
        this.end = how;
        guard.kill('SIGKILL');
        if (!this.stopping) resolve(how);
      });
    });
  }

  /** Returns the URL of a database (schema). The caller creates the database. */
  url(databaseName: string): string {
    return urlOf(this.paths.socket, databaseName);
  }

  /**
   * Shuts down cleanly and waits for the end. May be called again.
   *
   * @param patience when to kill a server that has not ended (ms)
   */
  async stop(patience = 60_000): Promise<void> {
    this.stopping = true;
    this.child.kill('SIGTERM');
    const force = setTimeout(() => this.child.kill('SIGKILL'), patience);
    await this.ended;
    clearTimeout(force);
    await removeSocketFolder(this.paths.directory, this.paths.socket);
  }
}

/**
 * Starts a shell that stops the database when this process ends in any way. A crash (no memory,
 * SIGKILL) runs no handler of this process, but closes the pipe that the shell reads.
 */
function startGuard(database: ChildProcess, signal: string): ChildProcess {
  const script = 'read _; kill -s "$1" "$2"';
  const guard = spawn('/bin/sh', ['-c', script, 'sh', signal, String(database.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C in a terminal must not end it
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  return guard;
}

/** Returns the URL of a database in the server that another process runs on a directory. */
export async function runningDatabaseUrl(directory: string, databaseName: string): Promise<string> {
  return urlOf(await socketPath(await realpath(directory), DATABASE_SOCKET), databaseName);
}

function urlOf(socket: string, databaseName: string): string {
  return `mysql://root@localhost/${databaseName}?socketPath=${encodeURIComponent(socket)}`;
}

/** Waits without a timeout while the server runs: recovery after a crash may take minutes. */
async function whenReady(
  server: Server,
  program: ServerProgram,
  logStart: number,
  onProgress: (line: string) => void,
): Promise<PrivateDatabase> {
  const began = Date.now();
  let lastReport = began;
  while (server.end === null) {
    if (await isReachable(server.paths.socket)) return server;
    if (Date.now() - lastReport > 5_000) {
      lastReport = Date.now();
      onProgress(
        `${program.flavour} is still starting (${Math.round((lastReport - began) / 1000)} s): it recovers its data`,
      );
    }
    await sleep(10);
  }
  throw new Error(
    `${program.flavour} did not start: ${server.end}; ${lastError(server.paths.log, logStart)}`,
  );
}

async function isReachable(socketPath: string): Promise<boolean> {
  try {
    const connection = await createConnection({ socketPath, user: 'root', connectTimeout: 5_000 });
    await connection.end();
    return true;
  } catch {
    return false; // the server is still starting; its log has the reason if it fails
  }
}

/** Opens the log for appending. Truncates a large one. */
function openLog(path: string): { descriptor: number; start: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const isLarge = size > 1_000_000;
  return { descriptor: openSync(path, isLarge ? 'w' : 'a', 0o600), start: isLarge ? 0 : size };
}

function lastError(path: string, start: number): string {
  const lines = readFileSync(path).subarray(start).toString('utf8').trim().split('\n');
  const errors = lines.filter((line) => line.includes('[ERROR]') && !line.endsWith('Aborting'));
  return `${errors[0] ?? lines.at(-1) ?? ''} (all of it: ${path})`;
}
