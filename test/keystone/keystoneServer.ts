import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/freePort.js';
import { killAtExit } from '../../bench/killAtExit.js';

const PASSWORD = 'only-for-tests';
const START_TIMEOUT = 60_000;

/** Otherwise Keystone's own readers, which it keeps open, lock its writers out. */
const WRITE_AHEAD_LOG =
  'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA journal_mode = WAL")';

/** What a token is for; undefined: for nothing, as when a user has just logged in. */
export type Scope =
  | { readonly project: { readonly id: string } }
  | { readonly domain: { readonly id: string } }
  | { readonly system: { readonly all: true } };

interface Entity {
  readonly id: string;
}

/** OpenStack Keystone on a database of its own: real processes, under gunicorn. */
export class KeystoneServer {
  private child: ChildProcess | null = null;
  private adminToken = '';

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async create(): Promise<KeystoneServer> {
    const directory = await mkdtemp(join(tmpdir(), 'placement-keystone-'));
    const server = new KeystoneServer(directory, await freePort());
    for (const keys of ['fernet', 'credential']) await mkdir(join(directory, keys), { mode: 0o700 });
    await server.configure();
    const { username } = userInfo();
    await server.manage('db_sync');
    await run('python3', ['-c', WRITE_AHEAD_LOG, join(directory, 'keystone.db')]);
    await server.manage('fernet_setup', '--keystone-user', username, '--keystone-group', username);
    await server.manage('bootstrap', '--bootstrap-password', PASSWORD);
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @param expiration for how long new tokens are valid (s) */
  async start(expiration = 3_600): Promise<void> {
    await this.configure(expiration);
    // it takes the command line for its own, so that gunicorn's options are in the file that gunicorn reads in its folder
    this.child = spawn('gunicorn', [], {
      cwd: this.directory,
      env: { ...process.env, OS_KEYSTONE_CONFIG_FILES: this.configuration },
      stdio: 'ignore',
    });
    const { child } = this;
    killAtExit(child);
    await this.untilReady(child);
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT'); // does not wait for idle workers
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Logs the administrator in, whom the methods below act for. */
  async login(): Promise<void> {
    this.adminToken = await this.token('admin', { system: { all: true } });
  }

  /** A new token of a user. */
  async token(user: string, scope?: Scope): Promise<string> {
    const identity = {
      methods: ['password'],
      password: { user: { name: user, domain: { id: 'default' }, password: PASSWORD } },
    };
    const response = await this.send('POST', '/v3/auth/tokens', { auth: { identity, scope } });
    return response.headers.get('x-subject-token')!;
  }

  /** A new token of an application to which a user gives his roles in a project. @param rules what it may ask for; none: anything */
  async applicationToken(
    name: string,
    user: Entity,
    project: Entity,
    rules?: readonly object[],
  ): Promise<string> {
    const own = { 'x-auth-token': await this.token(name, { project }) };
    const body = { application_credential: { name: `${rules?.length}`, access_rules: rules } };
    const made = await this.send('POST', `/v3/users/${user.id}/application_credentials`, body, own);
    const { id, secret } = ((await made.json()) as { application_credential: { id: string; secret: string } })
      .application_credential;
    const identity = { methods: ['application_credential'], application_credential: { id, secret } };
    const response = await this.send('POST', '/v3/auth/tokens', { auth: { identity } });
    return response.headers.get('x-subject-token')!;
  }

  async revoke(token: string): Promise<void> {
    await this.send('DELETE', '/v3/auth/tokens', undefined, { 'x-subject-token': token });
  }

  createUser(name: string): Promise<Entity> {
    return this.create('user', { name, password: PASSWORD, domain_id: 'default' });
  }

  createProject(name: string): Promise<Entity> {
    return this.create('project', { name, domain_id: 'default' });
  }

  /** The role of that name, which is made if it is missing. */
  async role(name: string): Promise<Entity> {
    const response = await this.send('GET', `/v3/roles?name=${name}`);
    const { roles } = (await response.json()) as { roles: Entity[] };
    return roles[0] ?? this.create('role', { name });
  }

  /** @param place for what, such as `projects/ID` or `system` */
  async grant(user: Entity, place: string, role: string): Promise<void> {
    const { id } = await this.role(role);
    const path = place === 'system' ? `/v3/system/users` : `/v3/${place}/users`;
    await this.send('PUT', `${path}/${user.id}/roles/${id}`);
  }

  async disable(user: Entity): Promise<void> {
    await this.send('PATCH', `/v3/users/${user.id}`, { user: { enabled: false } });
  }

  private async create(kind: string, body: object): Promise<Entity> {
    const response = await this.send('POST', `/v3/${kind}s`, { [kind]: body });
    const { id } = ((await response.json()) as Record<string, Entity>)[kind];
    return { id };
  }

  private async send(method: string, path: string, body?: unknown, more: object = {}): Promise<Response> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        ...(this.adminToken && { 'x-auth-token': this.adminToken }),
        ...more,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()} ${await this.log()}`);
    return response;
  }

  private get configuration(): string {
    return join(this.directory, 'keystone.conf');
  }

  private async configure(expiration = 3_600): Promise<void> {
    const { directory } = this;
    await writeFile(
      this.configuration,
      [
        ...['[DEFAULT]', `log_file = ${directory}/keystone.log`],
        ...['[database]', `connection = sqlite:///${directory}/keystone.db`],
        ...['sqlite_synchronous = false'], // its data need not survive a loss of power
        ...['[fernet_tokens]', `key_repository = ${directory}/fernet`],
        ...['[credential]', `key_repository = ${directory}/credential`],
        ...['[token]', `expiration = ${expiration}`],
        ...['[cache]', 'enabled = false', ''],
      ].join('\n'),
    );
    await writeFile(
      join(directory, 'gunicorn.conf.py'),
      [
        `bind = '127.0.0.1:${this.port}'`,
        'workers = 2',
        "errorlog = 'gunicorn.log'",
        "wsgi_app = 'keystone.server.wsgi:initialize_public_application()'",
        '',
      ].join('\n'),
    );
  }

  private manage(...options: string[]): Promise<void> {
    return run('keystone-manage', ['--config-file', this.configuration, ...options]);
  }

  private async untilReady(child: ChildProcess): Promise<void> {
    for (const deadline = Date.now() + START_TIMEOUT; ; await sleep(50)) {
      const isUp = await fetch(`${this.url}/v3`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      if (Date.now() < deadline && child.exitCode === null) continue;
      throw new Error(`Keystone does not start: ${await this.log()}`);
    }
  }

  private async log(): Promise<string> {
    const text = await readFile(join(this.directory, 'gunicorn.log'), 'utf8').catch(() => '');
    return text.slice(-2_000);
  }
}

async function run(command: string, options: readonly string[]): Promise<void> {
  const child = spawn(command, options, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} failed: ${said.slice(-2000)}`);
}
