import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { step } from '../setup/progress.mjs';
import { mustRun, npm } from '../setup/run.mjs';
import { readManifest, writeProductionManifest } from './manifest.mjs';

/** The package as npm publishes it. @returns the path of the archive */
export async function packInto(folder) {
  mkdirSync(folder, { recursive: true });
  const output = await step('packing', () =>
    mustRun(...npm('pack', '--json', '--pack-destination', folder, '--loglevel', 'error')),
  );
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[\n')));
  return join(folder, filename);
}

/**
 * Unpacks the package into an empty folder, and installs the packages that it needs beside it: what runs without npm or a network,
 * wherever the folder is moved to.
 */
export async function installInto(folder, archive) {
  mkdirSync(folder, { recursive: true });
  await mustRun('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', '--no-same-owner']);
  writeProductionManifest(folder, readManifest(folder));
  await step('installing production packages', () =>
    mustRun(
      ...npm(
        'ci',
        '--prefix',
        folder,
        '--omit=dev',
        '--ignore-scripts',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
      ),
    ),
  );
  rmSync(join(folder, 'node_modules/.package-lock.json'));
  removeOtherCompilers(folder);
  chmodSync(join(folder, 'dist/cli/main.js'), 0o755); // npm does so for what it installs as a command
}

/** Prisma's query compilers for databases that this server does not work on are two thirds of all that is installed. */
const OTHER_COMPILER = /^query_compiler_\w+\.(cockroachdb|postgresql|sqlite|sqlserver)\./;

function removeOtherCompilers(folder) {
  const runtime = join(folder, 'node_modules/@prisma/client/runtime');
  for (const file of readdirSync(runtime)) if (OTHER_COMPILER.test(file)) rmSync(join(runtime, file));
}
