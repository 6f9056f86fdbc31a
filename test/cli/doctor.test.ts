import { chmodSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkDatabase } from '../../src/server/commands/doctor/database.js';
import { readSettings } from '../../src/server/settings/settings.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import type { Finding, Severity } from '../../src/store/finding.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { findServerProgram } from '../../src/tools/privateDatabase/program.js';
import { startServerWith } from '../support/binaryLogServer.js';
import { damage } from '../support/damage.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { readBlocks } from '../support/examples.js';
import { folderOfFile } from '../support/folder.js';
import { freePort } from '../support/freePort.js';
import { Command, LocalCommand } from './command.js';

type Environment = Record<string, string>;

const folder = folderOfFile();
let server: { stop(): Promise<void> };
let database: TestDatabase;

beforeAll(async () => {
  server = await startServerWith(
    (directory) => [
      `--log-bin=${join(directory, 'binary-log')}`,
      '--binlog-format=ROW',
      '--binlog-row-image=FULL',
      '--server-id=1',
      '--sync-binlog=1',
      '--max-user-connections=1000',
    ],
    true,
  );
  database = await testDatabase();
  await createProvider(database.ledger, { name: 'host' });
}, 60_000);
afterAll(async () => {
  await database.close();
  await server.stop();
});

/** What is no `ok`. */
async function findings(environment: Environment = {}, url = database.url): Promise<readonly Finding[]> {
  const { settings } = readSettings({ environment });
  return (await checkDatabase(url, settings)).filter(({ level }) => level !== 'ok');
}

const run = (sql: readonly string[]): Promise<void> => damage(database, ...sql);

/** A finding whose text matches the pattern. */
const finding = (check: string, level: Severity, pattern: RegExp, more: object = {}): unknown =>
  expect.objectContaining({ check, level, found: expect.stringMatching(pattern) as unknown, ...more });

test('doctor finds nothing in a correct database', async () => {
  expect(await findings()).toEqual([]);
});

describe('on a database', () => {
  test.each(readBlocks(new URL('./misconfigurations.txt', import.meta.url)))(
    '$title: found, with what makes it go',
    async ({ lines: { '!': expected, '+': plant, '>': advice = [], '-': undo = [], $: settings = [] } }) => {
      const environment = Object.fromEntries(settings.map((setting) => setting.split('='))) as Environment;
      const [, level, check, found] = /^(\w+) (.+?): (.*)$/.exec(expected[0])!;
      await run(plant);
      const all = await findings(environment);
      expect(all).toEqual([{ ...all[0], check, level, found: expect.stringMatching(found) }]);
      const [{ statements = [], change }] = all;
      expect(statements.length + advice.length + undo.length).toBeGreaterThan(0);
      for (const text of advice) expect(change).toMatch(new RegExp(text));
      await run(statements);
      if (advice.some((text) => text.includes('migrate'))) await migrate(database);
      // after the advice alone, where it is a statement
      if (statements.length > 0) expect(await findings(environment)).toEqual([]);
      await run(undo);
      expect(await findings(environment)).toEqual([]);
    },
  );
});

describe('of the user of the database', () => {
  const user = `'doctor'@'localhost'`;
  const created = `CREATE USER ${user} IDENTIFIED BY 'secret'`;
  const name = (): string => new URL(database.url).pathname.slice(1);
  const asUser = (): string => {
    const url = new URL(database.url);
    [url.username, url.password] = ['doctor', 'secret'];
    return url.href;
  };
  afterEach(() => run(['SET GLOBAL init_connect = DEFAULT', `DROP USER IF EXISTS ${user}`]));

  const grants: [what: string, granted: string, environment: Environment, level: Severity, found: RegExp][] =
    [
      [
        'what serving needs',
        'SELECT, INSERT, DELETE, CREATE, ALTER, INDEX, REFERENCES',
        {},
        'problem',
        /lacks UPDATE, without/,
      ],
      [
        'what a later migration may need',
        'SELECT, INSERT, UPDATE, DELETE',
        {},
        'warning',
        /lacks CREATE, ALTER, INDEX, REFERENCES/,
      ],
      [
        'what reading the binary log needs',
        'ALL',
        { PLACEMENT_FOREIGN_WRITES_BINARY_LOG: 'true' },
        'problem',
        /lacks REPLICATION SLAVE, REPLICATION CLIENT: foreignWrites/,
      ],
    ];

  test.each(grants)('%s: found, with what makes it go', async (_what, granted, environment, level, found) => {
    await run([created, `GRANT ${granted} ON \`${name()}\`.* TO ${user}`]);
    const all = await findings(environment, asUser());
    expect(all).toEqual([finding('privileges', level, found)]);
    await run(all[0].statements!);
    expect(await findings(environment, asUser())).toEqual([]);
  });

  test('privileges of a role, of a pattern and of single tables count', async () => {
    const pattern = name().replaceAll('_', '\\_').replace(/.$/, '%');
    await run([
      created,
      'CREATE ROLE placement_role',
      `GRANT SELECT, INSERT, UPDATE, DELETE ON \`${pattern}\`.* TO placement_role`,
      `GRANT placement_role TO ${user}`,
      `SET DEFAULT ROLE placement_role /*M! FOR */ /*!50708 TO */ ${user}`,
      `GRANT CREATE, ALTER, INDEX, REFERENCES ON *.* TO ${user}`,
    ]);
    expect(await findings({}, asUser())).toEqual([]);
    await run(['DROP ROLE placement_role']);
  });

  test('a clock that differs', async () => {
    await run([
      created,
      `GRANT ALL ON \`${name()}\`.* TO ${user}`,
      "SET GLOBAL init_connect = 'SET timestamp = UNIX_TIMESTAMP() + 60'",
    ]);
    expect(await findings({}, asUser())).toContainEqual(
      finding(
        'clocks',
        'warning',
        /^that of the database is (5\d|6[01])\.\d s ahead of that of this machine$/,
        { change: expect.stringContaining('NTP') as unknown },
      ),
    );
  });

  test('a password that is wrong, and a database that is not there', async () => {
    await run([`CREATE USER ${user} IDENTIFIED BY 'other'`]);
    expect(await findings({}, asUser())).toEqual([
      finding('connection', 'problem', /Access denied/, {
        change: expect.stringContaining('correct user and password') as unknown,
      }),
    ]);
    const url = new URL(database.url);
    url.pathname = '/not_there';
    const [missing, ...others] = await findings({}, url.href);
    expect([missing.level, others]).toEqual(['warning', []]);
    await run(missing.statements!);
    expect(await findings({}, url.href)).toEqual([
      finding('migrations', 'warning', /^the database is empty$/),
    ]);
    await run(['DROP DATABASE not_there']);
  });
});

test('a server that is too old, and writes pages once', async () => {
  const canPretend = (await findServerProgram())!.flavour === 'MariaDB';
  const version = canPretend ? ['--version=10.4.0-MariaDB'] : [];
  const odd = await startServerWith(() => [...version, '--innodb-doublewrite=OFF'], true);
  const there = await testDatabase();
  const all = await findings({}, there.url);
  await there.close();
  await odd.stop();
  const old = finding('server version', 'problem', /^MariaDB 10\.4\.0-MariaDB is too old$/);
  expect(all).toEqual([
    ...(canPretend ? [old] : []),
    finding('durability', 'warning', /^innodb_doublewrite is OFF/),
  ]);
}, 60_000);

describe('the command', () => {
  interface Report {
    readonly worst: Severity;
    readonly findings: readonly Finding[];
  }

  async function command(
    environment: Environment,
    ...options: string[]
  ): Promise<{ code: unknown } & Report> {
    const { code, said } = await new LocalCommand(['doctor', '--json', ...options], {
      PORT: '0',
      ...environment,
    }).ended();
    const report = JSON.parse(said.slice(said.indexOf('{\n'))) as Report;
    return { code, worst: report.worst, findings: report.findings.filter(({ level }) => level !== 'ok') };
  }

  test('doctor ends with code 0, also with warnings, and with 1 if it finds a problem', async () => {
    expect(await command({ DATABASE_URL: database.url })).toEqual({ code: 0, worst: 'ok', findings: [] });
    await run(['SET GLOBAL wait_timeout = 60']);
    expect(await command({ DATABASE_URL: database.url })).toMatchObject({ code: 0, worst: 'warning' });
    await run(['SET GLOBAL wait_timeout = 28800', 'SET GLOBAL max_connections = 20']);
    const { code, said } = await new Command(['doctor', '--port', '0'], {
      DATABASE_URL: database.url,
    }).ended();
    await run(['SET GLOBAL max_connections = 300']);
    expect(code).toBe(1);
    expect(said).toContain(
      [
        'problem  connections: max_connections is 20, and one server has up to 25 connections',
        '         -> SET GLOBAL max_connections = 100;',
        '         -> and in the option file of the server, or lower database.connections',
      ].join('\n'),
    );
    expect(said).toMatch(/^ok {7}Node: /m);
    expect(said.trimEnd().split('\n').at(-1)).toBe('1 problems, 0 warnings');
  });

  test('a database that cannot be reached is a finding', async () => {
    const change = expect.stringContaining('start the database server, or correct host and port') as unknown;
    const DATABASE_URL = `mysql://root@127.0.0.1:${await freePort()}/placement`;
    expect(await command({ DATABASE_URL })).toEqual({
      code: 1,
      worst: 'problem',
      findings: [finding('connection', 'problem', /./, { change })],
    });
  });

  test('doctor reports all invalid settings together', async () => {
    const { code, findings: found } = await command({ PORT: '99999', DATABASE_URL: 'postgres://x/y' });
    expect([code, found.map(({ check, found: what }) => `${check}: ${what}`)]).toEqual([
      1,
      [
        'settings: DATABASE_URL: must look like mysql://user:password@host:3306/database',
        'settings: PORT: must be a whole number from 0 to 65535, not "99999"',
      ],
    ]);
  });

  test('settings that contradict each other, and a password that everybody can read', async () => {
    const url = new URL(database.url);
    url.password = 'any';
    const file = join(folder, 'placement.yaml');
    writeFileSync(
      file,
      JSON.stringify({
        database: { url: url.href },
        operations: { smallCost: 300_000, candidates: 100_000 },
      }),
    );
    chmodSync(file, 0o644);
    const ofSettings = (await command({}, '--config', file)).findings.filter(
      ({ check }) => check === 'settings',
    );
    expect(ofSettings).toEqual([
      expect.objectContaining({
        level: 'warning',
        found: `${file} has the password of the database, and other users may read or write it (0644)`,
        change: `chmod o=,g-w ${file}`,
      }),
      expect.objectContaining({
        found: expect.stringMatching(/^operations.smallCost is above operations.cost:/),
      }),
      expect.objectContaining({
        found: expect.stringMatching(/^operations.smallCost is above operations.smallCostInAll:/),
      }),
      expect.objectContaining({
        found: expect.stringMatching(/^operations.cost is below 11 times operations.candidates:/),
      }),
    ]);
    chmodSync(file, 0o640);
    writeFileSync(file, JSON.stringify({ database: { url: url.href } }));
    const healed = (await command({}, '--config', file)).findings;
    expect(healed.filter(({ check }) => check === 'settings')).toEqual([]);
  });

  test('a port that another program has', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const report = await command({ DATABASE_URL: database.url, PORT: String(port) });
    other.close();
    expect(report).toEqual({
      code: 1,
      worst: 'problem',
      findings: [finding('port', 'problem', new RegExp(`^${port} is in use by another program$`))],
    });
  });

  test('a private database: none yet, served, open to others, not served', async () => {
    const directory = join(folder, 'data');
    const environment = { PLACEMENT_DATA_DIRECTORY: directory };
    const nothing = { code: 0, worst: 'ok', findings: [] };
    expect(await command(environment)).toEqual(nothing);
    const serving = new Command(['serve', '--port', '0'], environment);
    await serving.says('/graphql\n');
    const PORT = /:(\d+)\/graphql/.exec(serving.said)![1];
    expect(await command({ ...environment, PORT })).toEqual(nothing);
    chmodSync(directory, 0o755);
    const change = `chmod 700 ${directory}`;
    expect((await command({ ...environment, PORT })).findings).toEqual([
      finding('data directory', 'warning', /^others may read .*data \(0755\)$/, { change }),
    ]);
    chmodSync(directory, 0o700);
    serving.signal('SIGTERM');
    await serving.ended();
    expect(await command(environment)).toEqual(nothing);
  }, 60_000);
});
