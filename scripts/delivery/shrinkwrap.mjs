import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, npm, root } from '../setup/run.mjs';

/** Returns the package.json of a folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Removes from the unpacked package what only a checkout needs, and writes the tested versions of its dependencies into
 * npm-shrinkwrap.json, by which npm installs a published package. The overrides of package.json would not hold, because
 * npm reads only those of the installing project. npm itself drops from the lock file what only development needs:
 * optional peers, such as Prisma's command line, count there as both and would be installed.
 */
export async function writeShrinkwrap(folder) {
  const { ...manifest } = readManifest(folder);
  delete manifest.scripts;
  delete manifest.devDependencies;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = join(folder, 'package-lock.json');
  cpSync(join(root, 'package-lock.json'), lock);
  const options = ['--package-lock-only', '--ignore-scripts', '--prefer-offline', '--no-audit'];
  await mustRun(...npm('install', '--prefix', folder, ...options));
  renameSync(lock, join(folder, 'npm-shrinkwrap.json'));
}
