import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { pagesOf } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Pages with tables that tests compare with the code, cell by cell, each with the heading above its table; null: all tables. */
const GENERATED: Readonly<Record<string, string | null>> = {
  'docs/reference/access.md': null,
  'docs/reference/errors.md': null,
  'docs/reference/settings.md': null,
  'docs/reference/command-line.md': '## Commands\n',
  'docs/guides/observing.md': '## Metrics\n',
};
const MOST_WORDS = 45_000;

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

function writtenWords(page: string, text: string): number {
  if (!(page in GENERATED)) return words(text);
  const heading = GENERATED[page];
  const [part] = heading === null ? [text] : text.split(heading)[1].split('\n## ');
  const tables = part.split('\n').filter((line) => line.startsWith('|'));
  return words(text) - words(tables.join('\n'));
}

test('the written text has at most 45,000 words', () => {
  const counts = pagesOf(root).map((page) => writtenWords(page, readFileSync(join(root, page), 'utf8')));
  expect(counts.length).toBeGreaterThan(60);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_WORDS);
});

test('docs/architecture.md has at most 150 lines', () => {
  expect(readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(
    150,
  );
});
