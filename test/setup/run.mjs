import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { alone } from '../../scripts/setup/prepare.mjs';
import { preparePackages } from '../../scripts/setup/packages.mjs';
import { prepareSources } from '../../scripts/setup/project.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { runChecks } from './checks.mjs';
import { prepareMysql } from './mysql.mjs';
import { RESULT } from './reporter.mjs';

/** Runs the selected checks and tests, even after failures. Prints the sum as the last line. */
export async function run(options) {
  const sum = { passed: 0, failed: 0 };
  try {
    await select(options, sum);
  } catch (error) {
    console.error(error.message);
    sum.failed += 1;
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exit(sum.failed === 0 ? 0 : 1);
}

async function select(options, sum) {
  const own = { isFull: false, isUnit: false, isChecks: false, isMysql: false, suite: undefined };
  const rest = options.filter((option) => {
    const [, name, value] = /^--(full|unit|checks|mysql|suite)(?:=(.*))?$/.exec(option) ?? [];
    if (name === 'suite') own.suite = value;
    else if (name !== undefined) own[`is${name[0].toUpperCase()}${name.slice(1)}`] = true;
    return name === undefined;
  });
  const isPart = own.isUnit || own.isMysql || own.suite !== undefined || rest.length > 0;
  await alone(isPart ? preparePackages : prepareSources);
  if (!isPart) await runChecks(sum);
  if (own.isChecks) return;
  // nothing in a browser depends on the database program
  if (own.isMysql) rest.push('--testPathIgnorePatterns=/test/browser/');
  if (own.isUnit) rest.push('--selectProjects', 'unit');
  if (!isPart && !own.isFull) rest.push(`--testPathIgnorePatterns=${ONLY_FULL.join('|')}`);
  await jest(rest, sum, {
    ...(own.isMysql && { PLACEMENT_DATABASE_PROGRAM: await alone(prepareMysql) }),
    ...(own.suite !== undefined && { PLACEMENT_SUITE: own.suite }),
    ...((own.isFull || own.suite !== undefined) && { PLACEMENT_TEST_LENGTH: 'full' }),
  });
}

/**
 * Long test files that `npm test` leaves out without --full (ADR 40). Other files test their parts.
 */
const ONLY_FULL = [
  'backup/online',
  'bench/bench',
  'browser/site',
  'dashboard/failures',
  'dashboard/largeFleet',
  'dashboard/widths',
  'races/freshness',
  'races/kill',
  'workers/kill',
  'workers/rolling',
].map((name) => `/test/${name}\\.test\\.ts$`);

/**
 * The lengths of random tests without --full. The seeds are fixed, so that each run has the same
 * cases.
 */
const SHORT = {
  PLACEMENT_PROPERTY_RUNS: '240',
  PLACEMENT_PROPERTY_SEED: '1',
  PLACEMENT_ORDER_RUNS: '120',
  PLACEMENT_MODEL_RUNS: '10',
  PLACEMENT_MODEL_SEED: '1',
};

/** Runs Jest. A Jest that ends before its last test counts as one failure more. */
async function jest(options, sum, environment) {
  rmSync(join(root, RESULT), { force: true });
  const quiet = '--disable-warning=ExperimentalWarning'; // Jest requires the ES module test/setup/runtime.mjs
  const child = spawn(process.execPath, [quiet, 'node_modules/jest/bin/jest.js', ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...(environment.PLACEMENT_TEST_LENGTH !== 'full' && SHORT),
      TMPDIR: temporaryDirectory(),
      ...process.env,
      ...environment,
    },
  });
  const [code] = await once(child, 'exit');
  const { passed, failed, isComplete } = readResult();
  sum.passed += passed;
  sum.failed += failed;
  if (!isComplete || (code !== 0 && failed === 0)) sum.failed += 1;
}

const MEMORY_DISK = '/dev/shm';
const ENOUGH_MEMORY = 8 * 2 ** 30;

/** Returns a folder in memory if there is enough: creating and dropping a database takes a fifth of the time there. */
function temporaryDirectory() {
  if (!existsSync(MEMORY_DISK) || freemem() < ENOUGH_MEMORY) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize < ENOUGH_MEMORY ? tmpdir() : MEMORY_DISK;
}

function readResult() {
  try {
    return JSON.parse(readFileSync(join(root, RESULT), 'utf8'));
  } catch {
    return { passed: 0, failed: 0, isComplete: false };
  }
}
