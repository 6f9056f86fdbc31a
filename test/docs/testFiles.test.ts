import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { filesIn, root } from './pages.js';

/** Returns the test files that Jest would run. */
async function listed(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const env = { PATH: process.env.PATH, NODE_OPTIONS: '--experimental-vm-modules', ...environment };
  const options = ['node_modules/jest/bin/jest.js', '--listTests'];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root, env });
  return stdout
    .trim()
    .split('\n')
    .map((file) => relative(root, file));
}

const files = filesIn('test', /\.test\.ts$/);
const suites = ['faults', 'galera', 'groupReplication', 'interop', 'keystone', 'package', 'soak', 'upgrade'];

test('the full and the short run have every test file; a suite has those of its folder, which no other run has', async () => {
  const ofSuites = files.filter((file) => suites.includes(file.split('/')[1]));
  const others = files.filter((file) => !ofSuites.includes(file));
  expect((await listed({ PLACEMENT_TEST_LENGTH: 'full' })).sort()).toEqual(others.sort());
  expect((await listed({})).sort()).toEqual(others.sort());
  const listedBySuites = await Promise.all(suites.map((suite) => listed({ PLACEMENT_SUITE: suite })));
  expect(listedBySuites.flat().sort()).toEqual(ofSuites.sort());
});
