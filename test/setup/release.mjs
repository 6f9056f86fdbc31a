import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from '../../scripts/setup/progress.mjs';
import { mustRun, npm, root, run } from '../../scripts/setup/run.mjs';

/**
 * Builds the program of the last release (prisma/releases.json) from the history of this checkout, into its own folder.
 * Returns the folder; null, with the reason on stderr, if the history does not go back far enough.
 */
export async function prepareRelease() {
  const { version, commit } = JSON.parse(readFileSync(join(root, 'prisma/releases.json'), 'utf8')).at(-1);
  const folder = join(root, '.cache', `release-${version}`);
  const stamp = join(folder, '.built-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === commit) return folder;
  const known = await run('git', ['cat-file', '-e', `${commit}^{commit}`]);
  if (known.code !== 0) {
    console.error(
      `the history of this checkout lacks ${commit}, from which ${version} was built: git fetch --unshallow`,
    );
    return null;
  }
  await step(`building version ${version}`, () => build(commit, folder));
  writeFileSync(stamp, commit);
  return folder;
}

async function build(commit, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await mustRun('git', ['archive', '--format=tar', `--output=${archive}`, commit]);
  await mustRun('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  if (hasPackagesOf(folder)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else await install(folder);
  await install(join(folder, 'scripts'));
  await mustRun(process.execPath, [join(folder, 'scripts/setup/compile.mjs')]);
}

const install = (folder) =>
  mustRun(...npm('ci', '--include=dev', '--no-audit', '--no-fund', '--prefix', folder));

/** Returns whether the packages of this checkout have the versions that the release requires. */
function hasPackagesOf(folder) {
  const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
  const { dependencies, devDependencies } = read(join(folder, 'package.json'));
  return Object.entries({ ...dependencies, ...devDependencies }).every(([name, version]) => {
    const file = join(root, 'node_modules', name, 'package.json');
    return existsSync(file) && read(file).version === version;
  });
}
