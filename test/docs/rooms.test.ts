import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/** docs/architecture.md names the rooms; here it is held against the folders and against the dependency rule. */
const root = fileURLToPath(new URL('../../', import.meta.url));

interface Room {
  readonly folder: string;
  readonly sentence: string;
  readonly imports: string;
}

const rooms = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| `(src\/[\w/]+)\/`\s*\|(.*)\|(.*)\|$/.exec(line))
  .filter((row) => row !== null)
  .map(([, folder, sentence, imports]): Room => ({
    folder,
    sentence: sentence.trim(),
    imports: imports.trim(),
  }));

const folders = [
  'src',
  ...readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
].filter((folder) => !folder.startsWith('src/generated'));

/** Of the rules of the dependency check, what each room may import, in words. */
const allowed = new Map(
  (
    createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: { comment?: string }[] }
  ).forbidden
    .map(({ comment }) => /^src\/(\w+)\/ may import (.*)$/.exec(comment ?? ''))
    .filter((match) => match !== null)
    .map(([, room, others]) => [`src/${room}`, others]),
);

test('every folder is a room of the page, and every room is a folder', () => {
  expect(rooms.map(({ folder }) => folder).sort()).toEqual(
    folders.filter((folder) => folder !== 'src').sort(),
  );
});

test.each(rooms)('$folder has one sentence at its door', ({ sentence }) => {
  expect(sentence).toMatch(/^[A-Z][^.]{20,}\.$/);
});

describe('what a room may import is what the dependency rule says', () => {
  const outer = rooms.filter(({ folder }) => folder.split('/').length === 2);
  test.each(outer)('$folder', ({ folder, imports }) => {
    expect(imports).toBe(allowed.get(folder));
  });
  test('rooms within a room have no rule of their own', () => {
    const inner = rooms.filter((room) => !outer.includes(room));
    expect(inner.filter(({ imports }) => imports !== '')).toEqual([]);
    expect([...allowed.keys()].sort()).toEqual(outer.map(({ folder }) => folder).sort());
  });
});

test('files that the pages of docs name by path or name exist', () => {
  const names = new Set(
    ['src', 'test', 'bench', 'scripts', 'prisma', 'docs', 'examples'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) =>
        relative(root, join(entry.parentPath, entry.name)),
      ),
    ),
  );
  const missing = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((page) => page.endsWith('.md') && !page.includes('node_modules'))
    .flatMap((page) =>
      [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/`([\w./-]+\.(?:ts|mjs|prisma))`/g)]
        .map(([, name]) => name)
        .filter((name) => ![...names].some((path) => path === name || path.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`),
    );
  expect(missing).toEqual([]);
});
