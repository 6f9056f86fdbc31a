import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { REJECTIONS } from '../../src/model/errors.js';
import { REQUEST_ERRORS } from '../../src/api/requestErrors.js';

const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8');
const rows = (heading: string): string[][] => {
  const section = page.split('## ').find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` *\|(.*)\|$/gm)].map(([, code, rest]) => [
    code,
    ...rest.split('|').map((cell) => cell.trim()),
  ]);
};

test('the page lists every rejection of a mutation as the vocabulary does, in its order', () => {
  expect(rows('Rejections')).toEqual(
    Object.entries(REJECTIONS).map(([code, { meaning, retryable }]) => [
      code,
      meaning,
      retryable ? 'yes' : 'no',
    ]),
  );
});

test('the page lists every code of `errors`', () => {
  expect(rows('Errors of a request')).toEqual(
    Object.entries(REQUEST_ERRORS).map(([code, { meaning }]) => [code, meaning]),
  );
});
