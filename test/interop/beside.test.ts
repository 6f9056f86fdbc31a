import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { programEnvironment } from '../support/environment.js';
import { prepared } from '../support/prepared.js';

const PROGRAM = prepared('PREPARED_BENCH');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'placement-beside-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('npm run bench -- --beside measures both programs, also on a database that exists', async () => {
  const options = { env: { ...programEnvironment(), PLACEMENT_BENCH_DIR: directory } };
  for (let run = 0; run < 2; run++) {
    const parameters = [PROGRAM, '--beside', '--hosts', '20', '--repetitions', '1'];
    const { stdout } = await promisify(execFile)(process.execPath, parameters, options);
    expect(stdout).toMatch(/^20 hosts; \d{4}-\d\d-\d\d; .*; OpenStack Placement \d+\.\d+\.\d+$/m);
    expect(
      stdout.match(/^\| [a-z].* \| [\d.,]+ \| [\d.,]+( ms|\/s) \| [\d.,]+( ms|\/s) \|$/gim),
    ).toHaveLength(5);
  }
}, 300_000);
