import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, npm, root } from './run.mjs';
import { step } from './progress.mjs';
import { whenChanged } from './stamp.mjs';

const COMPILED = 'dist/.placement-stamp';

/** Packages, generated code and compiled code: whatever is missing or older than what it is made from. */
export async function prepareProject() {
  await preparePackages();
  await prepareCode();
}

/** Packages and generated code: what the tools need that read the sources. */
export async function prepareSources() {
  await preparePackages();
  await generate();
}

export function preparePackages() {
  return whenChanged('node_modules/.placement-stamp', ['package-lock.json'], () =>
    step('installing packages (npm ci)', () =>
      mustRun(...npm('ci', '--include=dev', '--no-audit', '--no-fund')),
    ),
  );
}

/** Generated and compiled code, for a checkout whose packages are there. */
export async function prepareCode() {
  await generate();
  await whenChanged(COMPILED, ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'], () =>
    step('compiling', () =>
      mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']),
    ),
  );
}

/** Has the code compiled again the next time that it is needed. */
export function forgetCompiled() {
  rmSync(join(root, COMPILED), { force: true });
}

function generate() {
  return step('generating the Prisma client', () => mustRun(process.execPath, ['scripts/generate.mjs']));
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
