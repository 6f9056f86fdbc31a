import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/store/database/database.js';
import { createLog, reportTo, type LogSettings, type ProcessLog } from '../../src/server/telemetry/log.js';
import { failureOf } from '../support/failureOf.js';
import { folderOfFile } from '../support/folder.js';
import { useDatabase } from '../support/useDatabase.js';

const folder = folderOfFile();

/** Opens a log in a file. `text` returns the lines so far. */
function openLog(
  settings: Partial<LogSettings> = {},
): ProcessLog & { readonly file: string; text: () => Promise<string> } {
  const file = join(folder, randomUUID());
  const log = createLog({ level: 'info', format: 'json', ...settings }, file);
  return {
    ...log,
    file,
    async text() {
      log.announce('so far');
      while (!read(file).includes('so far')) await sleep(5);
      return read(file).replace(/.*so far.*\n$/, '');
    },
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const linesOf = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('JSON has an object a line, with the time to the millisecond, the level in words and the fields', async () => {
  const { log, text, announce } = openLog();
  announce('begun');
  log.info({ ms: 1.5, codes: ['TIMEOUT'] }, 'operation');
  log.warn({}, 'slow');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
  const line = { time, pid: process.pid };
  expect(linesOf(await text())).toEqual([
    { ...line, level: 'info', msg: 'begun' },
    { ...line, level: 'info', ms: 1.5, codes: ['TIMEOUT'], msg: 'operation' },
    { ...line, level: 'warn', msg: 'slow' },
  ]);
});

test('text has a line for people, with the fields below it', async () => {
  const { log, text, announce } = openLog({ format: 'text' });
  announce('begun');
  log.info({ ms: 1.5 }, 'operation');
  expect(await text()).toMatch(/^\[[\d:.]+\] INFO: begun\n\[[\d:.]+\] INFO: operation\n {4}ms: 1.5\n$/);
});

test('the level filters lines, but not audit records and those about the life of the process', async () => {
  const { log, text, announce } = openLog({ level: 'error' });
  announce('begun');
  log.info({}, 'operation');
  log.warn({}, 'slow');
  log.error({}, 'failed');
  log.record({}, 'write');
  expect(linesOf(await text())).toMatchObject([{ msg: 'begun' }, { msg: 'failed' }, { msg: 'write' }]);
});

test('silent is silent', async () => {
  const { log, announce, file } = openLog({ level: 'silent' });
  log.error({}, 'failed');
  announce('begun');
  await sleep(300);
  expect(read(file)).toBe('');
});

test('lines are written within moments though few come', async () => {
  const { log, file } = openLog();
  log.info({}, 'one line');
  const deadline = Date.now() + 5_000;
  while (!read(file).includes('one line')) {
    if (Date.now() > deadline) throw new Error('the line was not written');
    await sleep(10);
  }
});

describe('log lines about database failures contain no values', () => {
  const SECRET = 'Tr0ub4dor&3';
  const database = useDatabase();

  async function textLoggedBy(work: () => Promise<unknown>): Promise<string> {
    const { log, text } = openLog();
    const error = await failureOf(work());
    expect(error).toBeDefined();
    reportTo(log)(error, 'answering a request');
    return await text();
  }

  test('a duplicate: the key by its name', async () => {
    const [name, uuid] = [SECRET, '11111111-2222-3333-4444-555555555555'];
    const add = (): Promise<unknown> =>
      database.pool.query('INSERT INTO resource_providers (uuid, name, generation) VALUES (?)', [
        [uuid, name, 77123],
      ]);
    await add();
    const text = await textLoggedBy(add);
    for (const value of [SECRET, uuid, '77123']) expect(text).not.toContain(value);
    expect(linesOf(text)[0]).toMatchObject({
      level: 'error',
      msg: 'answering a request',
      error: {
        type: 'SqlError',
        errno: 1062,
        sqlState: '23000',
        message: expect.stringMatching(/^Duplicate entry '\?' for key '\w/) as unknown,
        sql: 'INSERT INTO resource_providers (uuid, name, generation) VALUES (?)',
        stack: expect.stringContaining('at ') as unknown,
      },
    });
  });

  test.each([
    `SELECT nothing FROM traits WHERE name = '${SECRET}'`,
    `SELECT id FRM traits WHERE name = '${SECRET}'`,
    `SELECT id FRM traits WHERE name = "${SECRET}" AND id = 77123`,
    `UPDATE traits SET id = '${SECRET}'`,
    `INSERT INTO traits (name) VALUES (REPEAT('${SECRET}', 100))`,
    `UPDATE traits SET id = 'a'' for key ''${SECRET}'`,
    `DO CAST('${SECRET}' AS DATE) / (SELECT 1 FROM ${'`'}${SECRET.length}${'`'})`,
  ])('%s', async (sql) => {
    const text = await textLoggedBy(() => database.pool.query(sql));
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('77123');
    expect(text).toContain('"errno"');
  });

  test('an error of Prisma is logged without values', async () => {
    const wrong = { where: { id: SECRET } } as unknown as { where: { id: number } };
    const text = await textLoggedBy(() => database.prisma.trait.findMany(wrong));
    expect(text).not.toContain(SECRET);
    const { prisma } = database;
    const add = (): Promise<unknown> =>
      prisma.trait.create({ data: { name: SECRET, createdAt: new Date() } });
    await add();
    expect(await textLoggedBy(add)).not.toContain(SECRET);
  });

  test('a refused connection: who was refused, and no password', async () => {
    const url = new URL(database.url);
    [url.username, url.password] = ['nobody', encodeURIComponent(SECRET)];
    const refused = openDatabase(url.href);
    const text = await textLoggedBy(() => refused.probe.query('SELECT 1'));
    await refused.close();
    expect(text).not.toContain(SECRET);
    expect(text).toMatch(/nobody|ECONN|denied/);
  });
});

test('an error has its causes, each with where it was thrown', async () => {
  const { log, text } = openLog();
  const error = new Error('outer', { cause: new TypeError('inner') });
  reportTo(log)(error, 'following the change feed');
  reportTo(log)('no error at all', 'something');
  const frames = expect.stringContaining('log.test') as unknown;
  expect(linesOf(await text())).toMatchObject([
    {
      msg: 'following the change feed',
      error: {
        type: 'Error',
        message: 'outer',
        stack: frames,
        cause: { type: 'TypeError', message: 'inner' },
      },
    },
    { msg: 'something', error: { message: 'no error at all' } },
  ]);
});
