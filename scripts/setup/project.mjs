import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
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

/** Puts the program where npm puts the programs of packages, so that npx finds it, and a PATH with that folder. */
function linkCommand() {
  chmodSync(join(root, 'dist/cli/main.js'), 0o755);
  const link = join(root, 'node_modules/.bin/placement-graphql');
  if (!existsSync(link)) symlinkSync('../../dist/cli/main.js', link);
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

/** What prints schema.graphql, which the operations of the command line may be ahead of. */
export async function prepareSchema() {
  await preparePackages();
  await generate('--without-client');
  await compile();
}

/** Generated and compiled code, for a checkout whose packages are there. */
export async function prepareCode() {
  await generate();
  await compile();
  await buildDashboard();
  linkCommand();
}

function compile() {
  return whenChanged(COMPILED, ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'], () =>
    step('compiling', () =>
      mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']),
    ),
  );
}

/** The pages that the server serves, from their sources and generated operations. */
function buildDashboard() {
  return whenChanged('dist/dashboard/.placement-stamp', ['dashboard', 'package-lock.json'], () =>
    step('building the dashboard', () =>
      mustRun(process.execPath, [
        'node_modules/vite/bin/vite.js',
        'build',
        'dashboard',
        '--logLevel',
        'warn',
      ]),
    ),
  );
}

/** Has the code compiled again the next time that it is needed. */
export function forgetCompiled() {
  rmSync(join(root, COMPILED), { force: true });
}

function generate(...options) {
  return step('generating code', () => mustRun(process.execPath, ['scripts/generate.mjs', ...options]));
}

/** The compiled benchmark. */
export const BENCH = '.cache/bench/bench/main.js';

/**
 * Compiles the benchmark, whose imports from ../src lead to the compiled code of the server itself by a link. Wants that code to
 * be there.
 */
export async function prepareBench() {
  await compileFolder('bench', 'bench', '.cache/bench/bench');
  const link = join(root, '.cache/bench/src');
  if (!existsSync(link)) symlinkSync('../../dist', link);
}

/** What writes pages and drawings of the documents, compiled. */
export const DOCS = '.cache/docs';

/** Compiles what writes pages and drawings of the documents. */
export function prepareDocs() {
  return compileFolder('docs', 'scripts/docs', DOCS);
}

/** Compiles a folder by the tsconfig of that name. */
function compileFolder(name, folder, output) {
  const config = `tsconfig.${name}.json`;
  return whenChanged(
    `${output}/.placement-stamp`,
    [folder, 'tsconfig.json', config, 'package-lock.json'],
    () =>
      step(`compiling ${folder}`, () =>
        mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config]),
      ),
  );
}
