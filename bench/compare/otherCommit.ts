import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { logProgress } from '../progress.js';

const run = promisify(execFile);

/** A compiled checkout of another commit, beside this one. */
export interface OtherCommit {
  /** The abbreviated hash of the commit. */
  readonly name: string;
  /** The path of the compiled program. */
  readonly program: string;
}

/**
 * Checks a commit out below the directory and compiles it. If the lock file differs, the checkout
 * gets its own packages. Later runs reuse the checkout.
 *
 * @throws Error if the commit does not exist, or if it does not compile
 */
export async function checkOut(ref: string, directory: string): Promise<OtherCommit> {
  const commit = (await git('rev-parse', '--verify', `${ref}^{commit}`)).trim();
  const name = commit.slice(0, 10);
  const place = resolve(directory, 'commits', name);
  const compiled = await programOf(place).catch(() => null);
  if (compiled !== null && existsSync(compiled)) return { name, program: compiled };
  logProgress(`compiling ${name}`);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const archive = `${place}.tar`;
  await git('archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', place]);
  await rm(archive);
  await sharePackages(place);
  const script = "import('./scripts/setup/project.mjs').then(({ prepareProject }) => prepareProject())";
  await run(process.execPath, ['-e', script], { cwd: place, maxBuffer: 2 ** 26 });
  return { name, program: await programOf(place) };
}

/** Returns the program of a checkout, which has moved since 1.0. */
async function programOf(place: string): Promise<string> {
  const { bin } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  return join(place, Object.values(bin)[0]);
}

/**
 * Links the packages of this checkout if the lock files are equal. Otherwise the preparation of the
 * other checkout installs its own.
 */
async function sharePackages(place: string): Promise<void> {
  const lock = 'package-lock.json';
  const [own, other] = await Promise.all([readFile(lock, 'utf8'), readFile(join(place, lock), 'utf8')]);
  if (own !== other) return;
  await symlink(resolve('node_modules'), join(place, 'node_modules'));
}

async function git(...options: string[]): Promise<string> {
  return (await run('git', options)).stdout;
}
