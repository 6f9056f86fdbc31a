import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { clientOf, runClient, type Ended } from './client.js';

const { api } = useApi();

const ZONE = 'aaaaaaaa-0000-4000-8000-000000000001';
const RACK = 'aaaaaaaa-0000-4000-8000-000000000002';
const CONSUMER = 'cccccccc-0000-4000-8000-000000000001';
const PROJECT = '0123456789abcdef0123456789abcdef';
const HOST = 'compute-0001.rack-17.example';

const { run, outputOf, json } = clientOf(api);
/** Runs a command in a terminal of this width. */
const within = (width: number, line: string): Promise<Ended> =>
  runClient(api.url, line.split(' '), { environment: { COLUMNS: String(width) } });
const widthOf = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

/** A name that clears a terminal, and two texts that a reader of YAML 1.1 takes for something else. */
const CLEAR = 'esc\u001b[2J\u009b2J\u202e\nline';
const [SEXAGESIMAL, ON] = ['0000:17:00.0', 'on'];
const LONG = `long-${'x'.repeat(195)}`;

beforeAll(async () => {
  await createProviders(api, {
    name: HOST,
    inventories: { DISK_GB: 2000 },
    aggregates: [ZONE, RACK],
    children: [
      { name: `${HOST}-numa0`, inventories: { VCPU: 8, MEMORY_MB: 8192 } },
      { name: `${HOST}-numa1`, inventories: { VCPU: 8, MEMORY_MB: 8192 } },
    ],
  });
  await outputOf('aggregate', 'name', ZONE, 'zone-1');
  const owner = `--project ${PROJECT} --user ${PROJECT} --type INSTANCE`;
  await outputOf('claim VCPU=2 MEMORY_MB:1G DISK_GB=1T', owner, '--consumer', CONSUMER);
});

describe('tables', () => {
  test.each([
    'provider list',
    `provider tree ${HOST}`,
    `provider show ${HOST} --allocations`,
    'consumer list',
    `consumer show ${CONSUMER}`,
    'project list',
    `usage ${HOST}`,
    'usage --by aggregate',
    'top --by rack',
    'aggregate list',
    `inventory list ${HOST}-numa0`,
    'candidates VCPU=1 MEMORY_MB=1G DISK_GB=1',
    `drain ${HOST} --dry-run`,
  ])('%s fits 80 columns and keeps every uuid and name whole', async (line) => {
    const [{ out }, piped] = [await within(80, line), await outputOf(line)];
    expect(widthOf(out)).toBeLessThanOrEqual(80);
    const whole = [ZONE, RACK, CONSUMER, PROJECT, HOST, `${HOST}-numa0`];
    const cells = new Set(piped.split(/[\s:;,]+/));
    const shown = out.split(/[\s:;,]+/).filter((word) => word.length > 8);
    expect(shown.filter((word) => !cells.has(word) && !whole.includes(word))).toEqual([]);
  });

  test('omit the less important columns in a narrow terminal, but not in a pipe and with -o wide', async () => {
    expect((await within(80, 'provider list')).out).toMatch(/^NAME +UUID\n/);
    const all = /^NAME +UUID +GENERATION +PARENT +ROOT\n/;
    expect(await outputOf('provider list')).toMatch(all);
    expect((await within(80, 'provider list -o wide')).out).toMatch(all);
  });

  test('become paragraphs if even words do not fit', async () => {
    const { out } = await within(40, 'provider list --roots');
    expect(out).toMatch(new RegExp(`^NAME  ${HOST.replaceAll('.', '\\.')}\nUUID  \\S{36}\n$`));
  });

  test('show what a command is about in its first lines', async () => {
    expect(await outputOf('usage', HOST)).toMatch(
      new RegExp(
        `^PROVIDER +CLASS +USED +CAPACITY +FREE +UTILIZATION\n${HOST} +DISK_GB +1024 +2000 +976 +51\\.2%\n {2}${HOST}-numa0 +MEMORY_MB`,
      ),
    );
    expect(await outputOf('project list')).toBe(
      `PROJECT                           CONSUMERS  USES\n${PROJECT}          1  DISK_GB=1024, MEMORY_MB=1024, VCPU=2\n`,
    );
    expect(await outputOf('top DISK_GB --by zone')).toMatch(/^ZONE .*\nzone-1 +DISK_GB +1024 .*51\.2%\n$/);
    expect(await outputOf('top DISK_GB --by rack')).toMatch(new RegExp(`^RACK .*\n${RACK} +DISK_GB`));
    expect(await outputOf('provider', 'show', HOST)).toMatch(
      new RegExp(`^aggregates +(zone-1, ${RACK}|${RACK}, zone-1)$`, 'm'),
    );
  });
});

describe('-o', () => {
  test.each([
    ['usage', [HOST, `${HOST}-numa0`, `${HOST}-numa0`, `${HOST}-numa1`, `${HOST}-numa1`]],
    ['provider tree', [HOST, `${HOST}-numa0`, `${HOST}-numa1`]],
  ])('csv and name of %s print the names as they are; table and wide indent them', async (line, names) => {
    const firstCells = async (format: string): Promise<string[]> => {
      const out = await outputOf(line, HOST, `-o ${format}`);
      const lines = out
        .trimEnd()
        .split('\n')
        .slice(format === 'name' ? 0 : 1);
      return lines.map((each) => /^ *[^ ,]+/.exec(each)![0]);
    };
    const indentedNames = names.map((name) => (name === HOST ? name : `  ${name}`));
    for (const format of ['csv', 'name']) expect([format, await firstCells(format)]).toEqual([format, names]);
    for (const format of ['table', 'wide'])
      expect([format, await firstCells(format)]).toEqual([format, indentedNames]);
  });

  test('csv has all columns with their raw values', async () => {
    const [title, root] = (await outputOf('provider list --roots -o csv')).split('\n');
    expect(title).toBe('NAME,UUID,GENERATION,PARENT,ROOT');
    expect(root).toMatch(new RegExp(`^${HOST},\\S{36},\\d+,,${HOST}$`));
    const lines = (await outputOf('consumer list -o csv')).split('\n');
    expect(lines[1]).toMatch(new RegExp(`^${CONSUMER},INSTANCE,${PROJECT},${PROJECT},,".*VCPU=2.*"$`));
    expect(await outputOf('consumer list --project none -o csv')).toBe(
      'CONSUMER,TYPE,PROJECT,USER,ENDS AT,TAKES\n',
    );
    expect(await outputOf('class list -o csv')).toMatch(/^NAME,STANDARD\n/);
  });

  test('name has a name for each line, which other commands accept', async () => {
    expect(await outputOf('provider list -o name')).toBe(`${HOST}\n${HOST}-numa0\n${HOST}-numa1\n`);
    expect(await outputOf('consumer list -o name')).toBe(`${CONSUMER}\n`);
    expect((await outputOf('aggregate list -o name')).trim().split('\n').sort()).toEqual([RACK, 'zone-1']);
    expect(await outputOf('provider show', HOST, '-o name')).toBe(`${HOST}\n`);
    const { out: token, error } = await run('candidates VCPU=1 --limit 1 -o name');
    expect(error).toBe('there are more: --limit NUMBER prints them\n');
    const claimed = await outputOf('claim --project p --user u -o name --candidate', token.trim());
    expect(await outputOf('release', claimed.trim())).toBe(`released ${claimed}`);
  });

  test('json and yaml of a list are one document, also if it is empty', async () => {
    const rows = await json('provider list');
    expect(rows).toHaveLength(3);
    expect(parse(await outputOf('provider list -o yaml'))).toEqual(rows);
    for (const format of ['json', 'yaml'])
      expect(parse(await outputOf('provider list --name none -o', format))).toEqual([]);
  });
});

test('aggregates are named wherever their uuids are accepted', async () => {
  expect(await outputOf('provider list --member-of zone-1 -o name')).toBe(`${HOST}\n`);
  expect(await outputOf('provider list --not-member-of zone-1 -o name')).not.toContain(`${HOST}\n`);
  expect(await outputOf('aggregate show zone-1 -o name')).toBe(`${HOST}\n`);
  expect(await outputOf('headroom DISK_GB=1 --member-of zone-1 --up-to 1')).toContain('1 or more');
  expect(await outputOf('candidates DISK_GB=1 --order aggregates:zone-1=2')).toContain(HOST);
  await outputOf('inventory set zone-1 --aggregate --amend DISK_GB:reserved=1G');
  expect(await outputOf('inventory', 'show', HOST, 'DISK_GB')).toMatch(/^reserved +1$/m);
  await outputOf('aggregate', 'remove', HOST, 'zone-1');
  await outputOf('aggregate', 'add', HOST, 'zone-1');
});

describe('names with control characters', () => {
  const uuid = 'dddddddd-0000-4000-8000-000000000001';
  const RAW = /\p{Cc}(?<!\n)|\u202e/u;
  const inTerminal = (line: string): Promise<Ended> =>
    runClient(api.url, line.split(' '), { isTerminal: true });
  const listed = 'provider list --uuid';

  beforeAll(async () => {
    await createProviders(api, { uuid, name: CLEAR });
  });
  afterAll(async () => void (await run('provider', 'delete', uuid)));

  test.each(['table', 'wide', 'csv', 'name', 'json', 'yaml'])(
    '-o %s writes none to a terminal',
    async (format) => {
      const { out } = await inTerminal(`${listed} ${uuid} -o ${format}`);
      expect(out).toContain('esc');
      expect(out).not.toMatch(RAW);
    },
  );

  test('tables write none to a pipe, each row in its lines; csv and name have the exact name', async () => {
    const table = await outputOf(listed, uuid);
    expect(table).not.toMatch(RAW);
    expect(table.split('\n')).toHaveLength(3);
    expect(table).toContain('esc\\u001b[2J\\u009b2J\\u202e\\u000aline');
    expect(await outputOf(listed, uuid, '-o csv')).toContain(`"${CLEAR}",${uuid},`);
    expect(await outputOf(listed, uuid, '-o name')).toBe(`${CLEAR}\n`);
  });

  test('json and yaml have the exact name, escaped', async () => {
    expect((await json<{ name: string }[]>(listed, uuid))[0].name).toBe(CLEAR);
    const text = await outputOf(listed, uuid, '-o yaml');
    for (const version of ['1.1', '1.2'] as const)
      expect((parse(text, { version }) as { name: string }[])[0].name).toBe(CLEAR);
  });

  test('messages have none', async () => {
    const created = await runClient(api.url, ['provider', 'create', CLEAR]);
    expect(created.code).toBe(5);
    expect(created.error).toMatch(/^error: DUPLICATE_NAME: .*esc\\u001b\[2J.*\n$/);
    expect(created.error).not.toMatch(RAW);
  });
});

test('-o yaml is read alike by YAML 1.1 and 1.2', async () => {
  const texts = [
    SEXAGESIMAL,
    ON,
    '2026-11-28',
    'n',
    'Yes',
    '~',
    '=',
    '<<',
    '0o7',
    '1_000',
    '1e3',
    '.inf',
    '0x1f',
  ];
  const deep = { resourceClass: 'VCPU', total: 1, allocationRatio: 1e-7 };
  for (const name of texts)
    await api.mutate('createResourceProvider', { name, inventories: [{ ...deep }] }, '__typename');
  const text = await outputOf('provider list --limit all -o yaml');
  const expected = await json<{ name: string }[]>('provider list --limit all');
  expect(expected.map(({ name }) => name)).toEqual(expect.arrayContaining(texts));
  for (const version of ['1.1', '1.2'] as const) expect(parse(text, { version })).toEqual(expected);
  const inventories = await outputOf('inventory list on -o yaml');
  expect(inventories).toContain('allocationRatio: 1.0e-7\n');
  expect(text).toContain(`name: ${HOST}\n`);
  await outputOf('provider', 'delete', ...texts);
});

test('one long name does not turn a list into records', async () => {
  await outputOf('provider', 'create', LONG);
  const { out } = await within(80, 'provider list');
  await outputOf('provider', 'delete', LONG);
  expect(out).toMatch(/^NAME +UUID\n/);
  expect(widthOf(out)).toBeLessThanOrEqual(80);
  const uuids = out.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g);
  expect(uuids).toHaveLength(4);
  const letters = out.split('\n').flatMap((line) => /^(?:long-)?x+/.exec(line.slice(0, 42)) ?? []);
  expect(letters.join('')).toBe(LONG);
});

describe('lists', () => {
  test('of traits and classes are whole unless --limit is given', async () => {
    expect((await json<[]>('trait list')).length).toBeGreaterThan(100);
    expect(await json('trait list --limit 3')).toHaveLength(3);
    expect(await json('class list --limit 2')).toHaveLength(2);
    expect(await json('class list --starts-with VCP')).toMatchObject([{ name: 'VCPU' }]);
    expect(await json('provider list --starts-with compute-0001 --limit 1')).toMatchObject([{ name: HOST }]);
  });

  test('have a default limit with a hint, which is no part of the output', async () => {
    const uuids = Array.from(
      { length: 101 },
      (_, at) => `bbbbbbbb-0000-4000-8000-${String(at).padStart(12, '0')}`,
    );
    await outputOf('aggregate', 'add', HOST, ...uuids);
    const { code, out, error } = await run('aggregate list --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveLength(100);
    expect(error).toBe('only the first 100 are shown: --limit NUMBER or --limit all shows more\n');
    expect((await json<[]>('aggregate list --limit all')).length).toBeGreaterThan(100);
    expect(await json('aggregate list --limit 7')).toHaveLength(7);
  });
});
