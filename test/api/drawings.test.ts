import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DRAWINGS, drawings } from '../../scripts/docs/drawings/drawings.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database);
});

afterAll(async () => {
  await api.close();
  await database.close();
});

test('the drawings of the documents are what the server answers (npm run docs:drawings)', async () => {
  const drawn = await drawings(fileURLToPath(new URL('../../', import.meta.url)), async (document) => {
    const { data, errors } = await api.query(document);
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  });
  const read = (file: string): string =>
    readFileSync(new URL(`../../${DRAWINGS}/${file}`, import.meta.url), 'utf8');
  expect(drawn.size).toBeGreaterThan(9);
  for (const [file, text] of drawn) expect(read(file)).toBe(text);
});
