import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { FOLDER, referencePages } from '../../docs/generate/reference/pages.js';
import { accessTable } from '../../docs/generate/access.js';
import { operationsOf, testedDocuments } from '../../docs/generate/documents.js';
import { buildSchema } from '../../src/api/schema.js';
import { settingRows } from '../support/settingsTable.js';
import { read, root } from './pages.js';

const pages = referencePages(root);
const schema = buildSchema();

/** The cells of a Markdown table, whatever the width of its columns. */
const cells = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[ |-]*$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

test('the generated code that is checked in is up to date', async () => {
  const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['scripts/generate.mjs', '--check'],
    options,
  );
  expect(stderr).toBe('');
}, 240_000); // Prisma's generator takes minutes on a busy machine

test('docs/reference/access.md has the table of who may use what (npm run schema)', () => {
  const table = cells(read('docs/reference/access.md'));
  expect(table).toEqual(cells(accessTable(schema)));
  expect(table.length).toBeGreaterThan(300);
});

test('docs/reference/settings.md lists every setting with its default', () => {
  const rows = cells(read('docs/reference/settings.md')).filter(([name]) => name.startsWith('`'));
  expect(rows).toEqual(settingRows());
});

test('docs/reference/api has the pages that schema.graphql describes, and no other (npm run schema)', () => {
  const found = readdirSync(join(root, FOLDER)).map((file) => [file, read(join(FOLDER, file))]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(pages));
});

test.each(['queries', 'mutations', 'subscriptions'])('each of the %s has an example', (kind) => {
  const sections = pages.get(`${kind}.md`)!.split('\n## ').slice(1);
  expect(sections.length).toBeGreaterThan(1);
  expect(
    sections.filter((section) => !section.includes('```graphql')).map((section) => section.split('\n')[0]),
  ).toEqual([]);
});

test('a guide, an example or the command line uses every operation', () => {
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  const documents = testedDocuments(root);
  const used = new Set(documents.flatMap(({ document }) => operationsOf(document, schema)));
  const operations = roots.flatMap((type) =>
    Object.keys(type.getFields()).map((field) => `${type.name}.${field}`),
  );
  expect(operations.filter((operation) => !used.has(operation))).toEqual([]);
});
