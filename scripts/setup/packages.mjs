import { join } from 'node:path';
import { mustRun, npm } from './run.mjs';
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
  return isInstalled('.', 'all') || isInstalled('.', 'server');
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
