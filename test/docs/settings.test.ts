import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { settingRows } from '../support/settingsTable.js';

test('docs/reference/settings.md lists every setting as it is', () => {
  const page = readFileSync(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(settingRows());
});
