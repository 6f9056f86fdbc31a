import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';

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

describe('the runtime of the tests', () => {
  const files = join(root, '.cache/test-runtime');
  mkdirSync(files, { recursive: true });
  afterAll(() => rmSync(files, { recursive: true }));

  /** Runs test files one after the other in one process, and returns what Jest prints. */
  function run(texts: Readonly<Record<string, string>>): string {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(files, name), text);
    const setup = (name: string): string => join(root, 'test/setup', name);
    const config = {
      rootDir: files,
      testMatch: ['<rootDir>/*.test.ts'],
      testEnvironment: setup('environment.mjs'),
      runtime: setup('runtime.mjs'),
      transform: {},
      testSequencer: join(root, 'node_modules/@jest/test-sequencer'),
    };
    const options = ['--config', JSON.stringify(config), '--runInBand'];
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    return spawnSync(process.execPath, [jest, ...options], { cwd: files, encoding: 'utf8' }).stderr;
  }

  const IMPORTS = `import { expect, jest, test } from '@jest/globals';`;

  test('evaluates a source once, registers tests and the timeout of each file alone, and finds lines of TypeScript', () => {
    const counter = `import { counter } from './counter.js'; counter.value++;`;
    const output = run({
      'counter.ts': 'export const counter: { value: number } = { value: 0 };',
      // Jest begins with the larger file
      'first.test.ts': `${IMPORTS} ${counter}
        interface Erased { readonly lines: number }
        jest.setTimeout(50);
        test('one', () => expect(counter.value).toBe(1));
        test('two', () => {
          throw new Error(String(counter.value satisfies Erased['lines']));
        });`,
      'second.test.ts': `${IMPORTS} ${counter}
        test('slow', () => new Promise((end) => setTimeout(end, 100)));
        test('three', () => expect(counter.value).toBe(2));`,
    });
    expect(output).toMatch(/Tests: +1 failed, 3 passed, 4 total/);
    expect(output).toContain('first.test.ts:6:');
  }, 60_000);
});
