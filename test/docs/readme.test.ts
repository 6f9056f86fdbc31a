import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const [comparison] = read('README.md').split('## Comparison with OpenStack Placement\n')[1].split('\n## ');

test('the speed table of README.md has a date, a machine and the rows of npm run bench -- --beside', () => {
  expect(comparison).toMatch(/\b20\d\d-\d\d-\d\d\b/);
  expect(comparison).toMatch(/\d+ x \w+/);
  const rows = [...comparison.matchAll(/^\| ([^|]+?) +\| +[\d,.]+ +\|/gm)].map(([, what]) => what);
  const printed = read('bench/beside/beside.ts').replace('${CLIENTS}', '16');
  expect(rows.filter((what) => !printed.includes(`'${what}'`) && !printed.includes(`\`${what}\``))).toEqual(
    [],
  );
  expect(rows).toHaveLength(5);
});
