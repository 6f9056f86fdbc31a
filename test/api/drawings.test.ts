import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { DRAWINGS, drawings } from '../../docs/generate/drawings/drawings.js';

const { api } = useApi();

test('the drawings of the documents are what the server answers (npm run docs:drawings)', async () => {
  const drawn = await drawings(fileURLToPath(new URL('../../', import.meta.url)), async (document) => {
    const data = await api.read(document);
    return data;
  });
  const read = (file: string): string =>
    readFileSync(new URL(`../../${DRAWINGS}/${file}`, import.meta.url), 'utf8');
  expect(drawn.size).toBeGreaterThan(9);
  for (const [file, text] of drawn) expect(read(file)).toBe(text);
});
