import { readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { step } from './progress.mjs';
import { prepareProject } from './project.mjs';
import { root, run } from './run.mjs';
import { prepareBrowser, prepareDatabaseProgram } from './system.mjs';

/** What is checked besides the tests: a name, and a program of node_modules with its options. */
const checks = [
  ['type check', 'typescript/bin/tsc', '--noEmit'],
  ['lint', 'eslint/bin/eslint.js', '--max-warnings=0', '.'],
  ['format', 'prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  ['dependency rule', 'dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'bench'],
  ['dead code', 'knip/bin/knip.js', '--no-progress'],
];

/** Sets the checkout up, runs everything whatever fails, and ends with the sum as its last line. */
export async function test(jestOptions) {
  const sum = { passed: 0, failed: 0 };
  try {
    process.env.PLACEMENT_BROWSER = await alone(async () => {
      await prepareProject();
      await prepareDatabaseProgram();
      return prepareBrowser();
    });
    if (jestOptions.length === 0) {
      for (const [name, ...command] of checks) await check(name, command, sum);
    }
    await jest(jestOptions, sum);
  } catch (error) {
    console.error(error.message);
    sum.failed += 1;
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exit(sum.failed === 0 ? 0 : 1);
}

async function check(name, [program, ...options], sum) {
  const { code, output } = await step(name, () =>
    run(process.execPath, [join('node_modules', program), ...options]),
  );
  if (code === 0) sum.passed += 1;
  else sum.failed += 1;
  console.log(code === 0 ? `${name}: passed` : `${output.trim()}\n${name}: FAILED`);
}

/** A test file that could not even be run counts as one failure, and so does a Jest that leaves no result. */
async function jest(options, sum) {
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
