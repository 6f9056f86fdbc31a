import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { logProgress } from '../progress.js';

const run = promisify(execFile);

/** A compiled checkout of another commit, beside this one. */
export interface OtherCommit {
  /** Its short name. */
  readonly name: string;
  /** The compiled program. */
  readonly program: string;
}

/**
 * Checks a commit out under the directory, with packages of its own where its lock file is another one, and compiles it; what is there
 * from another run is used again.
 *
 * @throws Error where there is no such commit, or it cannot be compiled
 */
export async function checkOut(ref: string, directory: string): Promise<OtherCommit> {
  const commit = (await git('rev-parse', '--verify', `${ref}^{commit}`)).trim();
  const name = commit.slice(0, 10);
  const place = resolve(directory, 'commits', name);
  const program = join(place, 'dist/cli/main.js');
  if (existsSync(program)) return { name, program };
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
  return { name, program };
}

/** The packages of this checkout, where they are the same: otherwise preparing it installs its own. */
async function sharePackages(place: string): Promise<void> {
  const lock = 'package-lock.json';
  const [own, other] = await Promise.all([readFile(lock, 'utf8'), readFile(join(place, lock), 'utf8')]);
  if (own !== other) return;
  await symlink(resolve('node_modules'), join(place, 'node_modules'));
}

async function git(...options: string[]): Promise<string> {
  return (await run('git', options)).stdout;
}
