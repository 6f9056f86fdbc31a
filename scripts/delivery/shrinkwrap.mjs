import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, npm, root } from '../setup/run.mjs';
import { readManifest, writeProductionManifest } from './manifest.mjs';

const SHRINKWRAP = join(root, 'npm-shrinkwrap.json');

/**
 * Writes the versions of production packages as package-lock.json has them into the file by which npm installs a published package. So
 * it runs with what it was tested with; the overrides of package.json alone would not hold, because npm reads those of the
 * installing project only. npm itself leaves out what nothing but development needs: an optional peer, such as Prisma's command line
 * tool, counts as both in package-lock.json and would be installed with the rest.
 */
export async function writeShrinkwrap() {
  const folder = mkdtempSync(join(tmpdir(), 'placement-shrinkwrap-'));
  try {
    writeProductionManifest(folder, readManifest(root));
    cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
    await mustRun(
      ...npm(
        'install',
        '--prefix',
        folder,
        '--package-lock-only',
        '--ignore-scripts',
        '--prefer-offline',
        '--no-audit',
      ),
    );
    cpSync(join(folder, 'package-lock.json'), SHRINKWRAP);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function removeShrinkwrap() {
  rmSync(SHRINKWRAP, { force: true });
}
