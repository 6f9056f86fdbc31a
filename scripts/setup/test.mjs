import { readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { endWith, runChecks } from './checks.mjs';
import { preparePackages, prepareProject } from './project.mjs';
import { root } from './run.mjs';
import { prepareBrowser, prepareDatabaseProgram } from './system.mjs';

/**
 * Sets the checkout up, runs everything whatever fails, and ends with the sum as its last line. With options it runs Jest alone,
 * which prepares what the chosen test files need (jest.config.js).
 */
export async function test(jestOptions) {
  const sum = { passed: 0, failed: 0 };
  const isWhole = jestOptions.length === 0;
  try {
    await alone(isWhole ? prepareAll : preparePackages);
    if (isWhole) await runChecks(sum);
    await jest(jestOptions, sum);
  } catch (error) {
    console.error(error.message);
    sum.failed += 1;
  }
  endWith(sum);
}

async function prepareAll() {
  await prepareProject();
  await prepareDatabaseProgram();
  await prepareBrowser();
}

/** A test file that could not even be run counts as one failure, and so does a Jest that leaves no result. */
export async function jest(options, sum) {
  const file = join(root, '.cache/jest.json');
  rmSync(file, { force: true });
  const program = 'node_modules/jest/bin/jest.js';
  const child = spawn(process.execPath, [program, ...options, '--json', `--outputFile=${file}`], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' },
  });
  const [code] = await once(child, 'exit');
  const result = readResult(file);
  const failed = (result?.numFailedTests ?? 0) + (result?.numRuntimeErrorTestSuites ?? 0);
  sum.passed += result?.numPassedTests ?? 0;
  sum.failed += code === 0 ? failed : Math.max(1, failed);
}

function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
