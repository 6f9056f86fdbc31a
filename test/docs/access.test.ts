import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { accessTable } from '../../src/schema/access/table.js';
import { buildSchema } from '../../src/schema/schema.js';

/** The cells of a table, whatever the width of its columns. */
const cells = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[ |-]*$/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .join('|'),
    );

test('docs/reference/access.md has the table of who may use what (npm run schema)', () => {
  const page = readFileSync(new URL('../../docs/reference/access.md', import.meta.url), 'utf8');
  expect(cells(page)).toEqual(cells(accessTable(buildSchema())));
  expect(cells(page).length).toBeGreaterThan(300);
});
