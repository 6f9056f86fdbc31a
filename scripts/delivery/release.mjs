import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from '../setup/progress.mjs';
import { mustRun, root } from '../setup/run.mjs';
import { releaseNotes } from './changelog.mjs';
import { buildDeb } from './deb.mjs';
import { readManifest } from './shrinkwrap.mjs';
import { writeSbom } from './sbom.mjs';
import { packInto } from './tree.mjs';

const FOLDER = join(root, 'release');

/**
 * Builds what is published of the version whose tag the current commit has: the packages, the list of their parts, the notes, checksums.
 * @throws Error when tag, package.json and CHANGELOG.md do not agree, or something is not committed
 */
export async function release() {
  const { version } = readManifest(root);
  await assertTagged(version);
  const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const archive = await packInto(FOLDER);
  await buildDeb(archive, FOLDER);
  await step('listing all parts', () =>
    writeSbom(archive, join(FOLDER, `placement-graphql-${version}.cdx.json`)),
  );
  writeFileSync(join(FOLDER, `placement-graphql-${version}.md`), notes);
  writeFileSync(join(FOLDER, 'SHA256SUMS'), checksums());
  return FOLDER;
}

async function assertTagged(version) {
  const changed = (await mustRun('git', ['status', '--porcelain'])).trim();
  if (changed !== '') throw new Error(`commit this first, or remove it:\n${changed}`);
  const tags = (await mustRun('git', ['tag', '--points-at', 'HEAD'])).trim().split('\n');
  if (!tags.includes(`v${version}`))
    throw new Error(`package.json has version ${version}, but this commit has no tag v${version}`);
}

/** As sha256sum writes and checks them. */
function checksums() {
  const hash = (name) =>
    createHash('sha256')
      .update(readFileSync(join(FOLDER, name)))
      .digest('hex');
  return readdirSync(FOLDER)
    .sort()
    .map((name) => `${hash(name)}  ${name}\n`)
    .join('');
}
