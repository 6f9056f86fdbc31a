import { beforeAll, expect, test } from '@jest/globals';

interface BreakingChanges {
  undeclaredChanges(released: string, current: string, changelog: string): Promise<string[]>;
}

let module: BreakingChanges;
beforeAll(async () => {
  const { href } = new URL('../../scripts/delivery/breakingChanges.mjs', import.meta.url);
  module = (await import(href)) as BreakingChanges;
});

const RELEASED = `
  type Query { host(name: String, uuid: ID): Host }
  type Host { name: String! tags: [String!]! state: State! }
  enum State { ON OFF }
`;

/** Returns the breaking changes of a schema since RELEASED that a change log with these rows does not declare. */
function undeclared(current: string, ...declared: string[]): Promise<string[]> {
  const rows = declared.map((cell) => `| ${cell} | what to do |\n`).join('');
  const changelog = [
    '# Changelog\n\n## Unreleased\n\n### Breaking changes\n',
    `| what | what to do |\n| --- | --- |\n${rows}`,
    '### Added\n\n- `Host.name` has a longer form.\n',
    '## 1.0.0 (2026-11-22)\n\n### Breaking changes\n\n| what | what to do |\n| --- | --- |\n| `Host` | - |\n',
  ].join('\n');
  return module.undeclaredChanges(RELEASED, current, changelog);
}

const without = (text: string, other = '') => RELEASED.replace(text, other);

test.each([
  ['a removed field', without('tags: [String!]!'), '`Host.tags`', /^Host\.tags: /],
  ['a field that may be null', without('name: String! ', 'name: String '), '`Host.name`', /^Host\.name: /],
  ['a removed argument', without(', uuid: ID'), '`Query.host(uuid:)`', /^Query\.host\.uuid: /],
  ['a new required argument', without('uuid: ID', 'uuid: ID, at: Int!'), '`Query.host(at:)`', /host\.at: /],
  ['a removed value of an enum', without('ON OFF', 'ON'), '`State.OFF`', /^State\.OFF: /],
])('%s must be declared', async (_what, current, coordinate, message) => {
  expect(await undeclared(current)).toEqual([expect.stringMatching(message)]);
  expect(await undeclared(current, `${coordinate} was hardly used`)).toEqual([]);
});

test('a row declares its element with all its members, and no other element', async () => {
  const current = without('tags: [String!]!').replace('ON OFF', 'ON');
  expect(await undeclared(current, '`Host` has no `tags`')).toEqual([expect.stringMatching(/^State\.OFF: /)]);
  expect(await undeclared(current, '`Host.name`', '`State.OFF`')).toEqual([
    expect.stringMatching(/^Host\.tags: /),
  ]);
});

test('additions and descriptions need no declaration', async () => {
  const current = RELEASED.replace('name: String!', '"The name." name: String! size: Int').replace(
    'uuid: ID',
    'uuid: ID, at: Int',
  );
  expect(await undeclared(current)).toEqual([]);
});
