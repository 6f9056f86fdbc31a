import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { databaseProcesses, stopProcesses } from '../../src/tools/privateDatabase/processes.js';
import { emptyDatabase } from '../support/database.js';
import { programEnvironment } from '../support/environment.js';
import { folderOfFile } from '../support/folder.js';
import { postJson } from '../support/httpPost.js';
import { Command } from './command.js';
import { PROGRAM } from '../support/program.js';

const directory = folderOfFile();
afterAll(() => stopProcesses(directory));

describe('a command whose output is not read', () => {
  test('does its work', async () => {
    const database = await emptyDatabase();
    const command = new Command(['sample', '--hosts', '2'], { DATABASE_URL: database.url });
    command.stopReading();
    expect((await command.ended()).code).toBe(0);
    const filled = openDatabase(database.url);
    expect(await filled.pool.query('SELECT COUNT(*) > 10 AS filled FROM resource_providers')).toEqual([
      { filled: 1 },
    ]);
    await filled.close();
    await database.close();
  });

  test('a server answers, and ends at SIGTERM', async () => {
    const database = await emptyDatabase();
    const command = new Command(['serve', '--port', '0'], { DATABASE_URL: database.url });
    await command.says('is serving');
    const [, url = ''] = /is serving (\S+)/.exec(command.said) ?? [];
    command.stopReading();
    for (let i = 0; i < 3; i++) {
      const response = await postJson(url, { query: '{ __typename }' });
      expect(await response.json()).toMatchObject({ data: { __typename: 'Query' } });
    }
    command.signal('SIGTERM');
    expect((await command.ended()).code).toBe(0);
    await database.close();
  });

  test('a failure ends it', async () => {
    const command = new Command(['sample'], { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/x' });
    command.stopReading();
    expect((await command.ended()).code).toBe(1);
  });
});

const hasFullDevice = existsSync('/dev/full');

(hasFullDevice ? test : test.skip)('output that cannot be written is a failure', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--print-config'], {
    env: programEnvironment(),
    stdio: ['ignore', full, 'pipe'],
  });
  let output = '';
  child.stderr!.on('data', (text: Buffer) => (output += text.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output).toMatch(/^the output cannot be written: ENOSPC[^\n]*\n$/);
  closeSync(full);
});

test('the server ends with the reason that its private database was killed', async () => {
  const data = join(directory, randomUUID());
  const command = new Command(['sample', '--hosts', '100000'], { PLACEMENT_DATA_DIRECTORY: data });
  await command.says('loading demo data');
  for (const pid of await databaseProcesses(data)) process.kill(pid, 'SIGKILL');
  const { code, said } = await command.ended();
  expect(said).toContain(`the private database has ended: it ended with SIGKILL; its log is in ${data}\n`);
  expect(said).not.toMatch(/EPIPE|socket/);
  expect(code).toBe(1);
}, 60_000);
