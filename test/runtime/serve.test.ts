import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { databaseProcesses, stopProcesses } from '../../src/tools/privateDatabase/processes.js';
import { Command, DEFAULTS, LocalCommand } from '../cli/command.js';
import { apiAt } from '../support/api.js';
import { emptyDatabase } from '../support/database.js';
import { programEnvironment } from '../support/environment.js';
import { PROGRAM } from '../support/program.js';
import { killAtExit } from '../../bench/killAtExit.js';

let directory: string;
let running: Command[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
});

afterEach(async () => {
  for (const command of running) command.signal('SIGKILL');
  running = [];
  await stopProcesses(directory);
  await rm(directory, { recursive: true, force: true });
});

function run(options: string[], environment: Record<string, string> = {}, program?: string): Command {
  const settings = { PLACEMENT_DATA_DIRECTORY: directory, ...environment };
  const command = new Command(options, settings, undefined, program);
  running.push(command);
  return command;
}

const serve = (options: string[] = [], environment?: Record<string, string>) =>
  run(['serve', ...(options.includes('--port') ? [] : ['--port', '0']), ...options], environment);

/** The address that is served, once it is. */
async function addressOf(command: Command): Promise<string> {
  await command.says('/graphql\n');
  return /is serving (\S+)\n/.exec(command.said)![1];
}

/** Sends a signal if one is given, and waits for the end: the exit code, or the signal that ended the process. */
async function ended(command: Command, signal?: NodeJS.Signals): Promise<unknown> {
  if (signal) command.signal(signal);
  return (await command.ended()).code;
}

async function providers(command: Command): Promise<number> {
  const api = apiAt(await addressOf(command));
  const { list } = await api.read<{ list: { totalCount: number } }>(
    '{ list: resourceProviders(first: 1) { totalCount } }',
  );
  return list.totalCount;
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

/** Fails on signals as a library may fail. */
const FAILING_LIBRARY = [
  "process.on('SIGUSR2', () => void Promise.reject(new Error('lost rejection')));",
  "process.on('SIGWINCH', () => { throw new Error('lost exception'); });",
].join('');

describe('serve on a private database', () => {
  test('leaves an empty one empty without --hosts or --demo, keeps other processes away, and stops cleanly', async () => {
    const first = serve();
    const address = await addressOf(first);
    expect(await providers(first)).toBe(0);

    const second = serve();
    expect(await ended(second)).toBe(1);
    expect(second.said).toBe(`placement-graphql is already running here: process ${first.pid}, ${address}\n`);

    expect(await ended(first, 'SIGINT')).toBe(0);
    expect(await databaseProcesses(directory)).toEqual([]);
    expect((await readdir(directory)).sort()).toEqual(['database', 'database.log', 'temporary']);
  });

  test('npm start fills an empty database; later starts serve the same data, also after kill -9 and after unexpected errors', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const [program] = /\S+\.mjs/.exec(scripts.start)!;
    const start = run(['--port', '0'], {}, program);
    const count = await providers(start);
    expect(count).toBeGreaterThan(100);
    expect(await ended(start, 'SIGTERM')).toBe(0);
    const again = serve(['--hosts', '50']);
    expect(await providers(again)).toBe(count);
    expect(await ended(again, 'SIGKILL')).toBe('SIGKILL');
    const healed = serve([], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAILING_LIBRARY)}`,
    });
    expect(await providers(healed)).toBe(count);
    expect(await databaseProcesses(directory)).toHaveLength(1);

    process.kill(healed.pid, 'SIGUSR2');
    await healed.says('lost rejection');
    expect(await providers(healed)).toBe(count);
    process.kill(healed.pid, 'SIGWINCH');
    expect(await ended(healed)).toBe(1);
    expect(healed.said).toContain('lost exception');
    expect(await databaseProcesses(directory)).toEqual([]);
  });

  test('heals a first start that was killed while it made the tables, and ends when its database dies', async () => {
    const first = serve();
    await firstTables();
    expect(await ended(first, 'SIGKILL')).toBe('SIGKILL');
    expect(existsSync(join(directory, 'first-migration'))).toBe(true);
    const second = serve(['--hosts', '2']);
    expect(await providers(second)).toBeGreaterThan(10);
    expect(existsSync(join(directory, 'first-migration'))).toBe(false);
    for (const pid of await databaseProcesses(directory)) process.kill(pid, 'SIGKILL');
    expect(await ended(second)).toBe(1);
    expect(second.said).toContain('the private database has ended: it ended with SIGKILL');
  });

  test('ends soon if it is stopped while it loads demo data, and the next start loads it again', async () => {
    const first = serve(['--hosts', '1000000']);
    await first.says('demo data: ');
    const stopped = Date.now();
    expect(await ended(first, 'SIGTERM')).toBe(0);
    expect(Date.now() - stopped).toBeLessThan(10_000);
    expect(first.said).not.toContain('waiting for the database');
    const second = serve(['--hosts', '2']);
    expect(await providers(second)).toBeGreaterThan(10);
  });
});

describe('npm start on a database with data', () => {
  /** Starts with an answer on standard input, and waits for the end. */
  async function answered(answer: string, ...options: string[]): Promise<{ code: number; said: string }> {
    const env = { ...programEnvironment(), ...DEFAULTS, PLACEMENT_DATA_DIRECTORY: directory };
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', ...options], { env });
    killAtExit(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.includes('/graphql\n')) child.kill('SIGTERM');
      });
    child.stdin.end(answer);
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  }

  test('says that --hosts and --empty have no effect; --reset deletes it after a confirmation', async () => {
    const first = serve(['--hosts', '2']);
    const count = await providers(first);
    const beside = serve(['--reset', '--yes']);
    expect(await ended(beside)).toBe(1);
    expect(beside.said).toContain('placement-graphql is already running here');
    expect(await providers(first)).toBe(count);
    expect(await ended(first, 'SIGTERM')).toBe(0);

    for (const [again, option] of [
      [() => run(['--port', '0', '--empty'], {}, 'scripts/start.mjs'), '--empty'],
      [() => serve(['--hosts', '3']), '--hosts 3'],
    ] as const) {
      const command = again();
      expect(await providers(command)).toBe(count);
      const hint = `the database in ${directory} has \\d+ trees of providers already; --reset deletes`;
      expect(command.said).toMatch(new RegExp(`${option} has no effect: ${hint}`));
      expect(await ended(command, 'SIGTERM')).toBe(0);
    }

    for (const answer of ['', 'yes\n']) {
      const { code, said } = await answered(answer, '--reset');
      expect(code).toBe(1);
      expect(said).toContain(`Type the name of this folder, ${basename(directory)}, to continue: `);
      expect(said).toContain('nothing was deleted');
    }
    expect(existsSync(join(directory, 'database', 'placement'))).toBe(true);

    const { code, said } = await answered(`${basename(directory)}\n`, '--reset', '--hosts', '5');
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining(`deleted the database in ${directory}\n`) as unknown,
    });
    expect(said).not.toContain('no effect');
    expect(await readdir(directory)).not.toContain('database.deleted');
    expect(await providers(serve(['--reset', '--yes']))).toBe(0);
  }, 120_000);

  test('--reset never touches a database of DATABASE_URL, and no folder that is no database', async () => {
    const database = await emptyDatabase();
    try {
      const given = serve(['--reset', '--yes'], { DATABASE_URL: database.url });
      expect(await ended(given)).toBe(1);
      expect(given.said).toContain('--reset deletes only a private database');
      expect(await database.pool.query('SELECT 1')).toHaveLength(1);
    } finally {
      await database.close();
    }
    await mkdir(join(directory, 'database'));
    await writeFile(join(directory, 'database', 'mine'), 'text');
    const other = serve(['--reset', '--yes']);
    expect(await ended(other)).toBe(1);
    expect(other.said).toContain('is no data directory of MariaDB or MySQL: nothing was deleted');
    expect(readFileSync(join(directory, 'database', 'mine'), 'utf8')).toBe('text');
  });
});

describe('refusals in one line', () => {
  test('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const command = serve(['--port', String(port)]);
    expect(await ended(command)).toBe(1);
    expect(command.said).toBe(`port ${port} is in use by another program: choose one with --port\n`);
    other.close();
  });

  test.each([
    [['--hosts', '1000001'], {}, 2, /^error: option '--hosts <number>' .* from 1 to 1000000\n$/],
    [['--port', 'x'], {}, 1, /^--port: must be a whole number from 0 to 65535, not "x"\n$/],
    [[], { DATABASE_URL: 'postgres://x/y' }, 1, /^DATABASE_URL: must look like mysql:\S+\n$/],
  ])('%j %j', async (options, environment, expected, line) => {
    const command = new LocalCommand(['serve', ...options], {
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
    expect(await providers(command)).toBeGreaterThan(10);
    expect(await ended(command, 'SIGTERM')).toBe(0);
    expect(await readdir(directory)).toEqual([]);
  } finally {
    await database.close();
  }
});
