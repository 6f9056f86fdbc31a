import { execFile } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { prepared } from '../support/prepared.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const CLONE = join(dirname(prepared('PLACEMENT_PACKAGE')), 'clone');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const run = (command: string, ...options: string[]) => promisify(execFile)(command, options, { cwd: CLONE });
const release = () => run(process.execPath, 'scripts/release.mjs');

/** What is committed here, in a clone with these packages. */
beforeAll(async () => {
  await promisify(execFile)('git', ['clone', '--quiet', '--no-tags', root, CLONE]);
  symlinkSync(join(root, 'node_modules'), join(CLONE, 'node_modules'));
  appendFileSync(join(CLONE, '.git/info/exclude'), 'node_modules\n');
  for (const [name, value] of [
    ['user.name', 'test'],
    ['user.email', 'test@localhost'],
  ])
    await run('git', 'config', name, value);
});

test('a commit without the tag of its version is no release', async () => {
  await expect(release()).rejects.toThrow(`this commit has no tag v${version}`);
});

/** Commits a change log whose only section has this heading, and the schema as released, and tags the commit. */
async function commitHeading(heading: string): Promise<void> {
  copyFileSync(join(CLONE, 'schema.graphql'), join(CLONE, 'scripts/delivery/released.graphql'));
  writeFileSync(join(CLONE, 'CHANGELOG.md'), `# Changelog\n\n## ${heading}\n\n- A change.\n`);
  await run('git', 'commit', '--quiet', '--allow-empty', '--all', '--message', 'Release');
  await run('git', 'tag', '--force', `v${version}`);
}

test('a version without a section in the change log is no release', async () => {
  await commitHeading('Unreleased');
  await expect(release()).rejects.toThrow('rename "## Unreleased"');
});

test('uncommitted files are in no release', async () => {
  writeFileSync(join(CLONE, 'new-file'), '');
  await expect(release()).rejects.toThrow('new-file');
});

test('a release has packages, their components, notes and checksums, and is reproducible', async () => {
  rmSync(join(CLONE, 'new-file'));
  await commitHeading(`${version} (2026-11-26)`);
  await release();
  const folder = join(CLONE, 'release');
  const names = ['SHA256SUMS', `placement-graphql-${version}.cdx.json`, `placement-graphql-${version}.md`];
  const packages = [`placement-graphql-${version}.tgz`, `placement-graphql_${version}_all.deb`];
  expect(readdirSync(folder).sort()).toEqual([...names, ...packages].sort());
  const verify = () =>
    promisify(execFile)('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
  await verify();

  const parts = JSON.parse(readFileSync(join(folder, names[1]), 'utf8')) as {
    bomFormat: string;
    metadata: { component: { name: string; version: string } };
    components: { name: string; version: string }[];
  };
  expect(parts.bomFormat).toBe('CycloneDX');
  expect(parts.metadata.component).toMatchObject({ name: 'placement-graphql', version });
  const listed = parts.components.map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining(['fastify', 'graphql', 'mariadb']));
  for (const name of ['jest', 'typescript', 'prisma']) expect(listed).not.toContain(name);

  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n');
  await release();
  const again = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n');
  const ofPackages = (lines: string[]) =>
    lines.filter((line) => packages.some((name) => line.endsWith(name)));
  expect(ofPackages(again)).toEqual(ofPackages(sums)); // the list of parts has a number and a date of its own
}, 600_000);
