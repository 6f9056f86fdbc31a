import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { Command } from './command.js';

const folder = mkdtempSync(join(realpathSync(tmpdir()), `placement-test-${process.pid}-`));
let database: TestDatabase;

beforeAll(async () => void (database = await emptyDatabase()));
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a command that a signal interrupts exits with 1', async () => {
  const command = new Command(['sample', '--hosts', '1000000'], { DATABASE_URL: database.url });
  await command.says('loading demo data');
  command.signal('SIGTERM');
  expect(await command.ended()).toMatchObject({ code: 1, said: expect.stringContaining('stopping') });
}, 60_000);

test('restore --dry-run creates no database', async () => {
  const file = join(folder, 'backup');
  writeFileSync(file, '');
  const said = 'the database does not exist: without --dry-run, restore creates it\n';
  const url = new URL(database.url);
  url.pathname = '/not_restored';
  const named = new Command(['restore', file, '--dry-run'], { DATABASE_URL: url.href });
  expect(await named.ended()).toEqual({ code: 1, said });
  expect(await database.pool.query("SHOW DATABASES LIKE 'not_restored'")).toEqual([]);
  const directory = join(folder, 'data');
  const own = new Command(['restore', file, '--dry-run'], { PLACEMENT_DATA_DIRECTORY: directory });
  expect(await own.ended()).toEqual({ code: 1, said });
  expect(existsSync(directory)).toBe(false);
}, 60_000);
