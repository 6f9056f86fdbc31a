import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesIn, read, root } from './pages.js';

/** Compares the modules of docs/architecture.md with the folders of src and with the dependency rule. */

const modules = read('docs/architecture.md')
  .split('\n')
  .map((line) => /^\| `src\/(\w+)\/`\s*\|(.*)\|(.*)\|$/.exec(line))
  .filter((row) => row !== null)
  .map(([, folder, contents, imports]) => ({ folder, contents: contents.trim(), imports: imports.trim() }));

/** What each module may import, in the words of the dependency rule. */
const allowed = new Map(
  (
    createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: { comment?: string }[] }
  ).forbidden
    .map(({ comment }) => /^src\/(\w+)\/ may import (.*)$/.exec(comment ?? ''))
    .filter((match) => match !== null)
    .map(([, module, others]) => [module, others]),
);

test('every folder of src is a module of the page and of the dependency rule', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name)
    .sort();
  expect(modules.map(({ folder }) => folder).sort()).toEqual(folders);
  expect([...allowed.keys()].sort()).toEqual(folders);
});

test.each(modules)('$folder: one sentence, and the imports of the dependency rule', (module) => {
  expect(module.contents).toMatch(/^[A-Z].{20,}\.$/);
  expect(module.imports).toBe(allowed.get(module.folder));
});

test('files that the pages of docs name by path or name exist', () => {
  const names = ['src', 'test', 'bench', 'scripts', 'prisma', 'docs', 'examples'].flatMap((folder) =>
    filesIn(folder, /\.(ts|mjs|prisma)$/),
  );
  const missing = filesIn('docs', /\.md$/).flatMap((page) =>
    [...read(page).matchAll(/`([\w./-]+\.(?:ts|mjs|prisma))`/g)]
      .map(([, name]) => name)
      .filter((name) => !names.some((path) => path === name || path.endsWith(`/${name}`)))
      .map((name) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});

const page = read('docs/architecture.md');
const [, shapes, answers] = /## Shapes\n([^]*)## Where to look\n([^]*)/.exec(page)!;

/** The names that the page declares to be in a file: `name` (`file`). */
const named = [...page.matchAll(/`(\w+)`\s+\(`([\w/.-]+\.ts)`\)/g)].map(([, name, file]) => ({ name, file }));

test.each(named)('$file declares $name', ({ name, file }) => {
  const [path] = filesIn('src', /\.ts$/).filter((each) => each.endsWith(`/${file}`));
  const declaration = new RegExp(
    `^(export )?(async )?(function\\*?|class|interface|type|const) ${name}\\b|^  (async )?${name}[(<]`,
    'm',
  );
  expect(read(path)).toMatch(declaration);
});

test('a consumer, a provider and an allocation have at most five shapes, all with a purpose', () => {
  const rows = [...shapes.matchAll(/^\| `(\w+)` .*\| +([A-Z].*\.) +\|$/gm)].map(([, name]) => name);
  expect(rows.length).toBeGreaterThan(10);
  for (const noun of ['Consumer', 'Provider', 'Allocation'])
    expect(rows.filter((name) => name.includes(noun)).length).toBeLessThanOrEqual(5);
});

test('each question has an answer of at most three sentences that names a declaration', () => {
  const each = answers.split(/^- \*\*/m).slice(1);
  expect(each).toHaveLength(5);
  for (const answer of each) {
    expect(answer).toMatch(/`\w+`\s+\(`[\w/.-]+\.ts`\)/);
    const [, text] = answer.split('?** ');
    expect(text.match(/\.(?=\s|$)/g)!.length).toBeLessThanOrEqual(3);
  }
});
