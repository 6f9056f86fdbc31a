import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { readReleases } from '../support/releases.js';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const released = read('released.graphql');

/** The schema coordinates that the table of breaking changes names in the section of what is not released yet. */
function announced(changelog: string): Set<string> {
  const [, unreleased = ''] = /^## Unreleased\n(.*?)(?=^## |(?![^]))/ms.exec(changelog) ?? [];
  const [, table = ''] = /^### Breaking changes\n(.*?)(?=^### |(?![^]))/ms.exec(unreleased) ?? [];
  return new Set([...table.matchAll(/`([^`]+)`/g)].map(([, words]) => words));
}

/** `Type`, `Type.field` or `Type.field(argument:)`. */
function coordinate(path: string): string {
  const [type, field, argument] = path.split('.');
  if (argument !== undefined) return `${type}.${field}(${argument}:)`;
  return field === undefined ? type : `${type}.${field}`;
}

/** What breaks clients of the released schema and is not announced. */
async function unannounced(from: string, to: string, changelog: string): Promise<string[]> {
  const names = announced(changelog);
  const changes = await diff(buildSchema(from), buildSchema(to));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ path = '', message }) => ({ name: coordinate(path), message }))
    .filter(({ name }) => !names.has(name) && !names.has(name.split('.')[0]))
    .map(({ name, message }) => `${name}: ${message}`);
}

test('released.graphql is the schema of the last release', () => {
  expect(released).toMatch(new RegExp(`^# The schema of ${readReleases().at(-1)!.version},`));
});

test('each breaking change since the last release is named in the table of CHANGELOG.md, by its schema coordinate', async () => {
  expect(await unannounced(released, read('../../schema.graphql'), read('../../CHANGELOG.md'))).toEqual([]);
});

const before = `
  type Query { host(name: String): Host hosts: [Host!] }
  type Host { name: String! size: Int }
  enum Colour { RED BLUE }`;
const after = `
  type Query { host(name: String!): Host hosts: [Host!]! }
  type Host { name: String! }
  enum Colour { RED }`;
const changelog = (rows: string): string =>
  `# Changelog\n\n## Unreleased\n\n### Breaking changes\n\n${rows}\n\n### Added\n\n- \`Host.size\`\n`;

test('what is not announced is told', async () => {
  expect(await unannounced(before, after, changelog('| `Host` |'))).toEqual([
    expect.stringMatching(/^Query\.host\(name:\): /),
    expect.stringMatching(/^Colour\.BLUE: /),
  ]);
});

test('an announcement names the field, the argument or the value', async () => {
  const rows = '| `Colour.BLUE`, `Query.host(name:)` and `Host.size` | read `schema.graphql` |';
  expect(await unannounced(before, after, changelog(rows))).toEqual([]);
});
