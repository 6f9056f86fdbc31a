import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { folderOfFile } from '../support/folder.js';
import { Command, LocalCommand } from './command.js';

const folder = folderOfFile();
let database: TestDatabase;

beforeAll(async () => void (database = await emptyDatabase()));
afterAll(() => database.close());

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
  const restore = (environment: Record<string, string>) =>
    new LocalCommand(['restore', file, '--dry-run'], environment).ended();
  expect(await restore({ DATABASE_URL: url.href })).toEqual({ code: 1, said });
  expect(await database.pool.query("SHOW DATABASES LIKE 'not_restored'")).toEqual([]);
  const directory = join(folder, 'data');
  expect(await restore({ PLACEMENT_DATA_DIRECTORY: directory })).toEqual({ code: 1, said });
  expect(existsSync(directory)).toBe(false);
}, 60_000);
