import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hasServerPackages, preparePackages, preparePackagesOf, prepareServerPackages } from './packages.mjs';
import { mustRun, root } from './run.mjs';
import { step } from './progress.mjs';
import { hashOf, readStamp, whenChanged } from './stamp.mjs';
import { prepareDatabaseProgram } from './system.mjs';

/** Returns whether the packages, the compiled code and its bundle are there and up to date. */
export function isPrepared() {
  return (
    hasServerPackages() &&
    readStamp(COMPILED) === hashOf(SOURCES) &&
    readStamp(BUNDLE_STAMP) === hashOf(BUNDLED)
  );
}

/**
 * Prepares the packages, the code and a database program of the server. Packages are installed
 * while the code is compiled and a database program is found.
 */
export async function prepareServer(hasDatabase) {
  const compiled = compile().then(() => (hasDatabase ? undefined : prepareDatabaseProgram()));
  await Promise.all([prepareServerPackages(), compiled]);
  linkCommand();
  await prepareBundle();
}

/** Prepares every package, the compiled code and the dashboard. */
export async function prepareProject() {
  await preparePackages();
  await prepareCode();
}

/** Prepares the packages that the type check and the linter of all sources need. */
export async function prepareSources() {
  await preparePackages();
  await preparePackagesOf('dashboard');
  await preparePackagesOf('docs');
}

/** Prepares the compiled code and the dashboard of a checkout that has its packages. */
export async function prepareCode() {
  await compile();
  linkCommand();
  await prepareDashboard();
}

const COMPILED = 'dist/.placement-stamp';
const SOURCES = ['src', 'tsconfig.json', 'scripts/package-lock.json', 'scripts/setup/compile.mjs'];

/** Compiles the server. It needs no packages but the compiler. */
export function compile() {
  return whenChanged(COMPILED, SOURCES, async () => {
    await preparePackagesOf('scripts');
    await step('compiling', () => mustRun(process.execPath, ['scripts/setup/compile.mjs']));
  });
}

const BUNDLE = '.cache/server';
const BUNDLE_STAMP = `${BUNDLE}/.placement-stamp`;
/** The stamp of the compiled code stands for all sources. */
const BUNDLED = [COMPILED, 'package-lock.json', 'scripts/setup/bundle.mjs'];

/** The program that `npm start` and the tests start. */
export const PROGRAM = `${BUNDLE}/main.js`;

/** Bundles the compiled server, which then starts half a second faster. */
export function prepareBundle() {
  return whenChanged(BUNDLE_STAMP, BUNDLED, () =>
    mustRun(process.execPath, ['scripts/setup/bundle.mjs', BUNDLE]),
  );
}

/** Puts the program where npm puts the programs of packages, so that npx finds it. */
export function linkCommand() {
  chmodSync(join(root, 'dist/main.js'), 0o755);
  const link = join(root, 'node_modules/.bin/placement-graphql');
  if (existsSync(link)) return;
  rmSync(link, { force: true }); // a link to the program of a checkout that is not built
  symlinkSync('../../dist/main.js', link);
}

/** Builds the pages that the server serves. */
export async function prepareDashboard() {
  await whenChanged('dist/dashboard/.placement-stamp', ['dashboard'], async () => {
    await preparePackagesOf('dashboard');
    const vite = 'dashboard/node_modules/vite/bin/vite.js';
    await step('building the dashboard', () =>
      mustRun(process.execPath, [vite, 'build', 'dashboard', '--logLevel', 'warn']),
    );
  });
}

/** The compiled benchmark. */
export const BENCH = '.cache/bench/bench/main.js';

/** Compiles the benchmark. */
export function prepareBench() {
  return compileFolder('bench', 'bench', '.cache/bench');
}

/** The compiled programs that write pages and drawings of the documents. */
export const DOCS = '.cache/docs/docs/generate';

export function prepareDocs() {
  return compileFolder('docs', 'docs/generate', '.cache/docs');
}

/** Compiles a folder by the tsconfig of that name. Its imports of the server's sources lead to dist/ through a link. */
async function compileFolder(name, folder, output) {
  const config = `tsconfig.${name}.json`;
  const sources = [folder, 'tsconfig.json', config, 'package-lock.json'];
  await whenChanged(`${output}/${folder}/.placement-stamp`, sources, () =>
    step(`compiling ${folder}`, () =>
      mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config]),
    ),
  );
  const link = join(root, output, 'src');
  if (!existsSync(link)) symlinkSync('../../dist', link);
}

/** Writes the type declarations that the package delivers. */
export function declare() {
  return mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
}
