import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { prepare } from '../setup/prepare.mjs';
import { step } from '../setup/progress.mjs';
import { declare, prepareProject } from '../setup/project.mjs';
import { mustRun, npm, root, withFolder } from '../setup/run.mjs';

/** Builds the package that npm publishes. @returns the path of the archive */
export async function packInto(folder) {
  mkdirSync(folder, { recursive: true });
  await prepare(prepareProject, declare);
  const pack = async (from, to) => {
    const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', to, '--loglevel', 'error'];
    const output = await mustRun(...npm(...options, '--prefix', from, from));
    return join(to, JSON.parse(output.slice(output.indexOf('[\n')))[0].filename);
  };
  return step('packing', () =>
    withFolder('placement-package-', async (staging) => {
      await unpack(await pack(root, staging), join(staging, 'package'));
      await writeShrinkwrap(join(staging, 'package'));
      return pack(join(staging, 'package'), folder);
    }),
  );
}

async function unpack(archive, folder) {
  mkdirSync(folder, { recursive: true });
  await mustRun('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', '--no-same-owner']);
}

/** Unpacks the package into an empty folder and installs its dependencies: it then runs without npm or a network. */
export async function installInto(folder, archive) {
  await unpack(archive, folder);
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await step('installing production packages', () => mustRun(...npm('ci', '--prefix', folder, ...options)));
  rmSync(join(folder, 'node_modules/.package-lock.json'));
  removeOtherCompilers(folder);
  chmodSync(join(folder, 'dist/main.js'), 0o755); // as npm does for an installed command
}

/** Prisma's query compilers that the server does not use are two thirds of the installed size. */
const OTHER_COMPILER = /^query_compiler_(?!small_bg\.mysql\.)/;

function removeOtherCompilers(folder) {
  const runtime = join(folder, 'node_modules/@prisma/client/runtime');
  for (const file of readdirSync(runtime)) if (OTHER_COMPILER.test(file)) rmSync(join(runtime, file));
}

/** Returns the package.json of a folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Removes the parts that only a checkout needs from the unpacked package. Writes the tested
 * versions of its dependencies into npm-shrinkwrap.json, which npm reads to install a published
 * package. The overrides of package.json would not apply, because npm reads only those of the
 * installing project. npm itself removes development packages from the lock file. Otherwise npm
 * would also install optional peers such as Prisma's command line, which the lock file marks as
 * development and optional.
 */
async function writeShrinkwrap(folder) {
  const manifest = readManifest(folder);
  delete manifest.scripts;
  delete manifest.devDependencies;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = join(folder, 'package-lock.json');
  cpSync(join(root, 'package-lock.json'), lock);
  const options = ['--package-lock-only', '--ignore-scripts', '--prefer-offline', '--no-audit'];
  await mustRun(...npm('install', '--prefix', folder, ...options));
  renameSync(lock, join(folder, 'npm-shrinkwrap.json'));
}
