import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { filesIn, root } from './pages.js';

interface Configuration {
  readonly projects: readonly { readonly testMatch: readonly string[] }[];
}

/** Returns the projects of a suite in Jest's configuration, or those of `npm test`. */
async function projectsOf(suite: string): Promise<Configuration['projects']> {
  const before = process.env.PLACEMENT_SUITE ?? '';
  process.env.PLACEMENT_SUITE = suite;
  const { default: found } = (await import(`../../jest.config.js?suite=${suite}`)) as {
    default: Configuration;
  };
  process.env.PLACEMENT_SUITE = before;
  return found.projects;
}

/** Returns the test files that Jest runs in these projects. */
async function listed(projects: Configuration['projects']): Promise<string[]> {
  const options = ['--listTests', '--rootDir', root, '--config', JSON.stringify({ projects })];
  const jest = 'node_modules/jest/bin/jest.js';
  const { stdout } = await promisify(execFile)(process.execPath, [jest, ...options], { cwd: root });
  return stdout
    .trim()
    .split('\n')
    .map((file) => relative(root, file))
    .sort();
}

const files = filesIn('test', /\.test\.ts$/);
const suites = [
  'faults',
  'galera',
  'groupReplication',
  'interop',
  'keystone',
  'package',
  'peers',
  'soak',
  'upgrade',
];

test('npm test has every test file but those of suites; a suite has those of its folder', async () => {
  const ofSuites = files.filter((file) => suites.includes(file.split('/')[1]));
  const others = files.filter((file) => !ofSuites.includes(file));
  const projects = [];
  for (const suite of suites) projects.push(...(await projectsOf(suite)));
  expect(projects.map(({ testMatch }) => testMatch)).toEqual(
    suites.map((suite) => [`<rootDir>/test/${suite}/**/*.test.ts`]),
  );
  expect(await listed(projects)).toEqual(ofSuites.sort());
  expect(await listed(await projectsOf(''))).toEqual(others.sort());
});
