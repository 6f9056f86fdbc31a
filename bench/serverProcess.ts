import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import { childrenOf, processorMs } from './processor.js';
import { residentMiB, type Resident } from './resident.js';
import { killAtExit } from './killAtExit.js';

export interface ServerProcessOptions {
  /** The compiled program. It prints the address at which it serves. */
  readonly program: string;
  readonly arguments?: readonly string[];
  readonly databaseUrl: string;
  /** With 1 the server runs in a single process. */
  readonly workers?: number;
  /** The path of a CPU profile, which is written at the end. */
  readonly profile?: string;
  /** Whether the log is off. */
  readonly isSilent?: boolean;
  /** A module to load before the program. It has a channel to this process. */
  readonly preload?: string;
}

/** The Node options of `npm start`, of the systemd unit and of the container. */
const AS_DEPLOYED = ['--max-semi-space-size=64'];

/** A server in its own process, started as users start it. */
export class ServerProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
    private readonly began: number,
    /** The time from the start of the process until it serves (ms). */
    readonly startMs: number,
  ) {}

  static async start(options: ServerProcessOptions): Promise<ServerProcess> {
    const { program, profile, databaseUrl, workers = 1, isSilent = false, preload } = options;
    const port = isSilent ? await freePort() : 0;
    const began = performance.now();
    const nodeOptions = [
      ...(profile === undefined ? [] : profileOptions(profile)),
      ...(preload === undefined ? [] : [`--import=${preload}`]),
    ];
    const child = spawn(
      process.execPath,
      [...AS_DEPLOYED, ...nodeOptions, program, ...(options.arguments ?? [])],
      {
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          PORT: String(port),
          ...(isSilent && { PLACEMENT_LOG_LEVEL: 'silent' }),
          PLACEMENT_WORKERS_COUNT: String(workers),
        },
        stdio: ['ignore', 'pipe', 'inherit', ...(preload === undefined ? [] : ['ipc' as const])],
      },
    );
    killAtExit(child, 'SIGTERM');
    const url = isSilent ? await ready(`http://127.0.0.1:${port}/graphql`) : await address(child);
    return new ServerProcess(child, url, began, performance.now() - began);
  }

  /** The time since the start of the process (ms). */
  get age(): number {
    return performance.now() - this.began;
  }

  /** Returns the processor time of all threads and workers (ms). */
  async processorMs(): Promise<number> {
    const pid = this.child.pid!;
    const times = await Promise.all([pid, ...(await childrenOf(pid))].map(processorMs));
    return times.reduce((sum, ms) => sum + ms, 0);
  }

  resident(): Promise<Resident> {
    return residentMiB(this.child.pid!);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

function profileOptions(path: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${dirname(path)}`, `--cpu-prof-name=${basename(path)}`];
}

/** A port of this machine that no program uses now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Returns the URL of a server when the server is ready. */
async function ready(url: string): Promise<string> {
  const isReady = (): Promise<boolean> =>
    fetch(new URL('/readyz', url)).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50));
  return url;
}

/** Waits for the line with the address, in text or in a log of JSON. Later output is dropped. */
function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (text: string): void => {
      said += text;
      const found = /serving (http:[^\s"]+)/.exec(said);
      if (found === null) return;
      child.stdout!.off('data', read).resume();
      resolve(found[1]);
    };
    child.stdout!.setEncoding('utf8').on('data', read);
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`the server did not start: ${said}`)));
  });
}
