import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const MODULE = fileURLToPath(new URL('../../scripts/delivery/breakingChanges.mjs', import.meta.url));

const RELEASED = `
  type Query { host(name: String, uuid: ID): Host }
  type Host { name: String! tags: [String!]! state: State! }
  enum State { ON OFF }
`;

/** Returns the breaking changes of a schema since RELEASED that a change log with these rows does not declare. */
function undeclared(current: string, ...declared: string[]): string[] {
  const rows = declared.map((cell) => `| ${cell} | what to do |\n`).join('');
  const changelog = [
    '# Changelog\n\n## Unreleased\n\n### Breaking changes\n',
    `| what | what to do |\n| --- | --- |\n${rows}`,
    '### Added\n\n- `Host.name` has a longer form.\n',
    '## 1.0.0 (2026-11-22)\n\n### Breaking changes\n\n| what | what to do |\n| --- | --- |\n| `Host` | - |\n',
  ].join('\n');
  const program = `import { undeclaredChanges } from ${JSON.stringify(MODULE)};
    process.stdout.write(JSON.stringify(await undeclaredChanges(...JSON.parse(process.argv[1]))));`;
  const options = ['--input-type=module', '--eval', program, JSON.stringify([RELEASED, current, changelog])];
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })) as string[];
}

const without = (text: string, other = '') => RELEASED.replace(text, other);

test.each([
  ['a removed field', without('tags: [String!]!'), '`Host.tags`', /^Host\.tags: /],
  ['a field that may be null', without('name: String! ', 'name: String '), '`Host.name`', /^Host\.name: /],
  ['a removed argument', without(', uuid: ID'), '`Query.host(uuid:)`', /^Query\.host\.uuid: /],
  ['a new required argument', without('uuid: ID', 'uuid: ID, at: Int!'), '`Query.host(at:)`', /host\.at: /],
  ['a removed value of an enum', without('ON OFF', 'ON'), '`State.OFF`', /^State\.OFF: /],
])('%s must be declared', (_what, current, coordinate, message) => {
  expect(undeclared(current)).toEqual([expect.stringMatching(message)]);
  expect(undeclared(current, `${coordinate} was hardly used`)).toEqual([]);
});

test('a row declares its element with all its members, and no other element', () => {
  const current = without('tags: [String!]!').replace('ON OFF', 'ON');
  expect(undeclared(current, '`Host` has no `tags`')).toEqual([expect.stringMatching(/^State\.OFF: /)]);
  expect(undeclared(current, '`Host.name`', '`State.OFF`')).toEqual([expect.stringMatching(/^Host\.tags: /)]);
});

test('additions and descriptions need no declaration', () => {
  const current = RELEASED.replace('name: String!', '"The name." name: String! size: Int').replace(
    'uuid: ID',
    'uuid: ID, at: Int',
  );
  expect(undeclared(current)).toEqual([]);
});
