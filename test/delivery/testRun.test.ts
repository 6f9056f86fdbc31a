import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'placement-test-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs test files with Jest and the reporter of `npm test`, and returns the sum that it has counted. */
function sumOf(files: Readonly<Record<string, string>>): unknown {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  const reporter = join(root, 'test/setup/reporter.mjs');
  const config = { rootDir: folder, testMatch: ['<rootDir>/*.js'], reporters: [reporter], maxWorkers: 2 };
  const options = ['--config', JSON.stringify(config), ...Object.keys(files)];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  try {
    execFileSync(process.execPath, [jest, ...options], { cwd: folder, stdio: 'ignore' });
  } catch {
    // a test has failed, as it should
  }
  return JSON.parse(readFileSync(join(folder, '.cache/test-result.json'), 'utf8'));
}

test('the sum of a run is right whatever a test throws', () => {
  const circular = `const error = new Error('circular'); error.self = { error }; error.work = () => error;`;
  const sum = sumOf({
    'circular.js': `test('one', () => { ${circular} throw error; }); test('two', () => {});`,
    'syntax.js': 'this is no program',
    'import.js': `require('./setup'); test('one', () => {}); test('two', () => {});`,
    'others.js': `test('one', () => {}); test.skip('two', () => {});`,
  });
  // the file that cannot be read and the one whose import throws count once each
  expect(sum).toEqual({ passed: 2, failed: 3, isComplete: true });
}, 60_000);
