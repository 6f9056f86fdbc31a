import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, npm, root } from './run.mjs';
import { step } from './progress.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';

/** Installs every package of the root package.json. */
export function preparePackages() {
  return install('.', 'all', ['--include=dev']);
}

/**
 * Installs only the packages that the server needs to compile and to run, unless they are installed. It omits the
 * optional reader of the binary log, because npm would also install the packages that only optional peers need
 * (Prisma's command line): npm marks these as both optional and dev.
 */
export async function prepareServerPackages() {
  if (!hasServerPackages())
    await install('.', 'server', ['--omit=dev', '--omit=optional', '--ignore-scripts']);
}

export function hasServerPackages() {
  return isInstalled('.', 'all') || isInstalled('.', 'server') || wereInstalled();
}

/** Returns whether a person has installed them with npm, which may have added optional packages. */
function wereInstalled() {
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(
    ([path, { version, dev, optional, devOptional }]) =>
      path === '' || dev || optional || devOptional || installed[path]?.version === version,
  );
}

/** Returns the packages of a lock file by their paths; none if the file does not exist. */
function packagesIn(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

/** Installs the packages of a folder that has its own package.json. */
export function preparePackagesOf(folder) {
  return install(folder, 'all', ['--include=dev']);
}

const stampOf = (folder) => join(folder, 'node_modules/.placement-stamp');
const contentOf = (folder, which) => `${which} ${hashOf([join(folder, 'package-lock.json')])}`;
const isInstalled = (folder, which) => readStamp(stampOf(folder)) === contentOf(folder, which);

async function install(folder, which, options) {
  if (isInstalled(folder, which)) return;
  // adds to the installed packages: removing them first would disturb a running server
  const command = which === 'all' && isInstalled(folder, 'server') ? ['install', '--no-save'] : ['ci'];
  const where = folder === '.' ? '' : ` of ${folder}`;
  await step(`installing packages${where} (npm ${command.join(' ')})`, () =>
    mustRun(...npm(...command, '--prefix', folder, ...options, '--no-audit', '--no-fund')),
  );
  writeStamp(stampOf(folder), contentOf(folder, which));
}
