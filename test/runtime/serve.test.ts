import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { databaseProcesses, stopProcesses } from '../../src/privateDatabase/processes.js';
import { LocalCommand, QUIET } from '../cli/command.js';
import { emptyDatabase } from '../support/database.js';
import { programEnvironment } from '../support/environment.js';
import { PROGRAM } from '../support/program.js';

let directory: string;
let running: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
});

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
  await stopProcesses(directory);
  await rm(directory, { recursive: true, force: true });
});

/** A process of the compiled program, and what it has said so far. */
class Command {
  said = '';
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown[]>;

  constructor(options: string[], environment: Record<string, string> = {}, program = PROGRAM) {
    this.child = spawn(process.execPath, [program, ...options], {
      env: {
        ...programEnvironment(),
        ...QUIET,
        PLACEMENT_WORKERS_COUNT: '1',
        PLACEMENT_DATA_DIRECTORY: directory,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(this.child);
    this.exit = once(this.child, 'close');
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (text: Buffer) => (this.said += text.toString()));
    }
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** The address that is served, once it is. */
  async address(): Promise<string> {
    let over = false;
    void this.exit.then(() => (over = true));
    while (!over) {
      const address = /is serving (\S+)\n/.exec(this.said)?.[1];
      if (address !== undefined) return address;
      await sleep(20);
    }
    throw new Error(`it ended: ${this.said}`);
  }

  /** Sends a signal if one is given, and waits for the end: the exit code, or the signal that ended the process. */
  async ended(signal?: NodeJS.Signals): Promise<unknown> {
    if (signal) this.child.kill(signal);
    const [code, by] = await this.exit;
    return code ?? by;
  }
}

const serve = (options: string[] = [], environment?: Record<string, string>) =>
  new Command(['serve', '--port', '0', ...options], environment);

async function providers(address: string): Promise<number> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ resourceProviders(first: 1) { totalCount } }' }),
  });
  const { data } = (await response.json()) as { data: { resourceProviders: { totalCount: number } } };
  return data.resourceProviders.totalCount;
}

/** Waits until some of the tables are there. */
async function firstTables(): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const files = await readdir(join(directory, 'database', 'placement')).catch(() => []);
    if (files.length > 5) return;
    await sleep(2);
  }
  throw new Error('no tables were made');
}

describe('serve on a private database', () => {
  test('leaves an empty one empty without --hosts or --demo, keeps other processes away, and stops cleanly', async () => {
    const first = serve();
    const address = await first.address();
    expect(await providers(address)).toBe(0);

    const second = serve();
    expect(await second.ended()).toBe(1);
    expect(second.said).toBe(`placement-graphql is already running here: process ${first.pid}, ${address}\n`);

    expect(await first.ended('SIGINT')).toBe(0);
    expect(await databaseProcesses(directory)).toEqual([]);
    expect((await readdir(directory)).sort()).toEqual(['database', 'database.log', 'temporary']);
  });

  test('npm start fills an empty one; later starts serve the same data, also after kill -9', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const [program] = /\S+\.mjs/.exec(scripts.start)!;
    const start = new Command(['--port', '0'], {}, program);
    const count = await providers(await start.address());
    expect(count).toBeGreaterThan(100);
    expect(await start.ended('SIGTERM')).toBe(0);
    const again = serve(['--hosts', '50']);
    expect(await providers(await again.address())).toBe(count);
    expect(await again.ended('SIGKILL')).toBe('SIGKILL');
    const healed = serve();
    expect(await providers(await healed.address())).toBe(count);
    expect(await databaseProcesses(directory)).toHaveLength(1);
    expect(await healed.ended('SIGTERM')).toBe(0);
  });

  test('heals a first start that was killed while it made the tables, and ends when its database dies', async () => {
    const first = serve();
    await firstTables();
    expect(await first.ended('SIGKILL')).toBe('SIGKILL');
    expect(existsSync(join(directory, 'first-migration'))).toBe(true);
    const second = serve(['--hosts', '2']);
    expect(await providers(await second.address())).toBeGreaterThan(10);
    expect(existsSync(join(directory, 'first-migration'))).toBe(false);
    for (const pid of await databaseProcesses(directory)) process.kill(pid, 'SIGKILL');
    expect(await second.ended()).toBe(1);
    expect(second.said).toContain('the private database is gone: it ended with SIGKILL');
  });
});

describe('errors that nobody expects', () => {
  const LIBRARY = [
    "process.on('SIGUSR2', () => void Promise.reject(new Error('lost rejection')));",
    "process.on('SIGWINCH', () => { throw new Error('lost exception'); });",
  ].join('');

  test('a rejection is reported and survived; an exception ends the process and its database', async () => {
    const command = serve([], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LIBRARY)}`,
    });
    const address = await command.address();
    process.kill(command.pid!, 'SIGUSR2');
    while (!command.said.includes('lost rejection')) await sleep(20);
    expect(await providers(address)).toBe(0);
    process.kill(command.pid!, 'SIGWINCH');
    expect(await command.ended()).toBe(1);
    expect(command.said).toContain('lost exception');
    expect(await databaseProcesses(directory)).toEqual([]);
  });
});

describe('refusals in one line', () => {
  test('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const command = serve(['--port', String(port)]);
    expect(await command.ended()).toBe(1);
    expect(command.said).toBe(`port ${port} is in use by another program: choose one with --port\n`);
    other.close();
  });

  test.each([
    [['--hosts', '1000001'], {}, 2, /^error: option '--hosts <number>' .* from 1 to 1000000\n$/],
    [['--port', 'x'], {}, 1, /^--port: must be a whole number from 0 to 65535, not "x"\n$/],
    [[], { DATABASE_URL: 'postgres://x/y' }, 1, /^DATABASE_URL: must look like mysql:\S+\n$/],
  ])('%j %j', async (options, environment, expected, line) => {
    const command = new LocalCommand(['serve', '--port', '0', ...options], {
      PLACEMENT_DATA_DIRECTORY: directory,
      ...environment,
    });
    const { code, said } = await command.ended();
    expect(code).toBe(expected);
    expect(said).toMatch(line);
  });
});

test('the bundle that is started names no folder above this checkout, which may be moved', () => {
  const folder = dirname(PROGRAM);
  const { href } = pathToFileURL(process.cwd());
  // the folder also has files of older bundles, which servers that run may still load
  const files = new Set(['main.js']);
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import) ?\(?"\.\/([\w.-]+\.js)"/g)) files.add(imported);
    expect([name, text.includes(href)]).toEqual([name, false]);
  }
  expect(files.size).toBeGreaterThan(10);
});

test("a database of one's own is migrated, filled once and served, and no private one is started", async () => {
  const database = await emptyDatabase();
  const environment = { DATABASE_URL: database.url };
  try {
    expect((await new LocalCommand(['migrate'], environment).ended()).code).toBe(0);
    expect((await new LocalCommand(['sample', '--hosts', '2'], environment).ended()).code).toBe(0);
    const again = await new LocalCommand(['sample'], environment).ended();
    expect(again.code).toBe(1);
    expect(again.said).toMatch(/^[^\n]*empty database[^\n]*\n$/);
    const command = serve([], environment);
    expect(await providers(await command.address())).toBeGreaterThan(10);
    expect(await command.ended('SIGTERM')).toBe(0);
    expect(await readdir(directory)).toEqual([]);
  } finally {
    await database.close();
  }
});
