import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from '../setup/progress.mjs';
import { mustRun, npm, root, withFolder } from '../setup/run.mjs';
import { RELEASED_SCHEMA, sectionOf } from './breakingChanges.mjs';
import { buildDeb } from './deb.mjs';
import { installInto, packInto, readManifest } from './tree.mjs';

const FOLDER = join(root, 'release');

/**
 * Builds the files of a release in release/: the packages, the list of their parts, the notes and the checksums.
 * @throws Error if tag, package.json, CHANGELOG.md and the released schema disagree, or the checkout has uncommitted changes
 */
export async function release() {
  const { version } = readManifest(root);
  await assertTagged(version);
  assertSchemaReleased();
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

/** Later versions are compared with this schema. */
function assertSchemaReleased() {
  const [released, current] = [RELEASED_SCHEMA, 'schema.graphql'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  if (released !== current)
    throw new Error(
      `${RELEASED_SCHEMA} is not the schema of this version: cp schema.graphql ${RELEASED_SCHEMA}`,
    );
}

/** Returns the checksums in the format of sha256sum. */
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

/** Writes the packages that are installed with the packed package as CycloneDX. */
function writeSbom(archive, file) {
  return withFolder('placement-sbom-', async (temporary) => {
    const folder = join(temporary, 'placement-graphql'); // npm names the whole after its folder
    await installInto(folder, archive);
    const options = ['--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application', '--loglevel=error'];
    const output = await mustRun(...npm('sbom', '--prefix', folder, ...options));
    writeFileSync(file, output.slice(output.indexOf('{\n')));
  });
}

/**
 * Returns the section of CHANGELOG.md below `## VERSION (YYYY-MM-DD)`.
 * @throws Error if the section is missing or empty
 * @public
 */
export function releaseNotes(changelog, version) {
  const isOfVersion = (line) => line === `## ${version}` || line.startsWith(`## ${version} `);
  const heading = changelog.split('\n').find(isOfVersion);
  if (heading === undefined)
    throw new Error(`CHANGELOG.md has no section "## ${version} (date)": rename "## Unreleased"`);
  if (!/^## \S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading))
    throw new Error(`the heading "${heading}" of CHANGELOG.md has no date: "## ${version} (YYYY-MM-DD)"`);
  const notes = sectionOf(changelog, heading, /^## /).join('\n').trim();
  if (notes === '') throw new Error(`the section ${version} of CHANGELOG.md is empty`);
  return `${notes}\n`;
}
