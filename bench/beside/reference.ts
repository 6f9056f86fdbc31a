import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../serverProcess.js';
import { killAtExit } from '../killAtExit.js';
import { sqlalchemyUrl } from './sqlalchemyUrl.js';

const NEWEST = '1.39';
const HEADERS = {
  'X-Auth-Token': 'admin',
  'Content-Type': 'application/json',
};
/**
 * Each process has one thread. Of several threads one sometimes waits forever in the green-thread
 * library that Placement loads.
 */
const PROCESSES = 8;
/** The maximum time of a request (s). After it gunicorn ends the process and the connection. */
const LONGEST_REQUEST = 120;
const CONNECTIONS = new Agent({ keepAlive: false, maxSockets: PROCESSES });
const MOST_CONNECTS = 5;
const START_TIMEOUT = 60_000;

/** An answer of the reference. A body that is not JSON, such as an empty one, is null. */
export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * From 11.6.2 on MariaDB rejects the update of a row that is newer than the snapshot of the
 * transaction. Placement then answers with HTTP 500 even if there is no other writer. This
 * statement restores the behaviour of former versions.
 */
export const OLDER_READS = 'SET @started = 1 /*M!110602 , SESSION innodb_snapshot_isolation = OFF */';

/** Newer versions allow reshapes only to the service role, for which tests have no token. */
const POLICY = '"placement:reshaper:reshape": "role:admin or role:service"\n';

/** OpenStack Placement with its own schema in a database: real processes, under gunicorn. */
export class Reference {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly url: string,
  ) {}

  /** Creates missing tables first. @param session SQL that each of its connections runs first */
  static async start(databaseUrl: string, session = OLDER_READS): Promise<Reference> {
    const directory = await mkdtemp(join(tmpdir(), 'placement-reference-'));
    await writeFile(join(directory, 'placement.conf'), configuration(databaseUrl, session));
    await writeFile(join(directory, 'policy.yaml'), POLICY);
    await sync(join(directory, 'placement.conf'));
    const port = await freePort();
    const child = spawn('gunicorn', serverArguments(port, join(directory, 'log')), {
      env: { ...process.env, OS_PLACEMENT_CONFIG_DIR: directory },
      stdio: 'ignore',
      cwd: directory,
    });
    killAtExit(child);
    const reference = new Reference(child, directory, `http://127.0.0.1:${port}`);
    await reference.untilReady();
    return reference;
  }

  /** Retries a connection that was reset during the connect, because it has sent nothing. */
  async send(method: string, path: string, body?: unknown, version = NEWEST): Promise<RestAnswer> {
    for (let left = MOST_CONNECTS; ; left--) {
      try {
        return await this.sendOnce(method, path, body, version);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== 'connect' || left === 0) throw error;
        await sleep(100);
      }
    }
  }

  private async sendOnce(method: string, path: string, body: unknown, version: string): Promise<RestAnswer> {
    const headers = { ...HEADERS, 'OpenStack-API-Version': `placement ${version}` };
    const request = httpRequest(this.url + path, { method, headers, agent: CONNECTIONS });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode!, body: parsed(await text(response)) };
  }

  /** The body of a successful GET. */
  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.send('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }

  /** Returns the version of Placement. */
  static async version(): Promise<string> {
    const child = spawn('placement-manage', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return (await text(child.stdout)).trim();
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    if (this.child.exitCode === null && this.child.kill('SIGTERM')) await ended;
    await rm(this.directory, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    for (const deadline = Date.now() + START_TIMEOUT; ; await sleep(50)) {
      const isUp = await fetch(this.url).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      if (Date.now() < deadline && this.child.exitCode === null) continue;
      const log = await readFile(join(this.directory, 'log'), 'utf8').catch(() => '');
      throw new Error(`the reference does not start: ${log.slice(-2000)}`);
    }
  }
}

function configuration(databaseUrl: string, session: string): string {
  return [
    '[DEFAULT]',
    'default_log_levels = placement=CRITICAL',
    '[api]',
    'auth_strategy = noauth2',
    '[oslo_policy]',
    'policy_file = policy.yaml',
    '[placement_database]',
    `connection = ${sqlalchemyUrl(databaseUrl, session)}`,
    '',
  ].join('\n');
}

async function sync(file: string): Promise<void> {
  const child = spawn('placement-manage', ['--config-file', file, 'db', 'sync'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`placement-manage db sync failed: ${said.slice(-2000)}`);
}

function serverArguments(port: number, log: string): string[] {
  const options = {
    bind: `127.0.0.1:${port}`,
    workers: PROCESSES,
    timeout: LONGEST_REQUEST,
    'error-logfile': log,
  };
  return [
    ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    'placement.wsgi:init_application()',
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
