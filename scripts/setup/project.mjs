import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root } from './run.mjs';
import { step } from './progress.mjs';
import { whenChanged } from './stamp.mjs';

/** Packages, generated code and compiled code: whatever is missing or older than what it is made from. */
export async function prepareProject() {
  await whenChanged('node_modules/.placement-stamp', ['package-lock.json'], () =>
    step('installing packages (npm ci)', installPackages),
  );
  await prepareCode();
}

/** The same for a checkout whose packages are there. */
export async function prepareCode() {
  await step('generating the Prisma client', () => mustRun(process.execPath, ['scripts/generate.mjs']));
  await whenChanged(
    'dist/.placement-stamp',
    ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    () =>
      step('compiling', () =>
        mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']),
      ),
  );
}

/** The compiled benchmark. */
export const BENCH = '.cache/bench/bench/main.js';

/**
 * Compiles the benchmark, whose imports from ../src lead to the compiled code of the server itself by a link. Wants that code to
 * be there.
 */
export async function prepareBench() {
  await whenChanged(
    '.cache/bench/bench/.placement-stamp',
    ['bench', 'tsconfig.json', 'tsconfig.bench.json', 'package-lock.json'],
    () =>
      step('compiling the benchmark', () =>
        mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.bench.json']),
      ),
  );
  const link = join(root, '.cache/bench/src');
  if (!existsSync(link)) symlinkSync('../../dist', link);
}

/** The npm that runs this script, if one does. */
function installPackages() {
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? mustRun(process.execPath, [npm, ...options]) : mustRun('npm', options);
}
