import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { FOLDER, referencePages } from '../../scripts/docs/reference/pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = referencePages(root);

test('docs/reference/api has these pages and no other', () => {
  expect(readdirSync(join(root, FOLDER)).sort()).toEqual([...pages.keys()].sort());
});

test.each([...pages])('docs/reference/api/%s is what schema.graphql says (npm run schema)', (file, text) => {
  expect(readFileSync(join(root, FOLDER, file), 'utf8')).toBe(text);
});

test.each(['queries', 'mutations', 'subscriptions'])('each of the %s has an example', (kind) => {
  const sections = pages.get(`${kind}.md`)!.split('\n## ').slice(1);
  expect(sections.length).toBeGreaterThan(1);
  expect(
    sections.filter((section) => !section.includes('```graphql')).map((section) => section.split('\n')[0]),
  ).toEqual([]);
});
