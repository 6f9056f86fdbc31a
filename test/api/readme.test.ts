import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadDemoData } from '../../src/cli/demo/demo.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp('```' + language + '\\n(.*?)```', 's').exec(readme)![1];

let database: TestDatabase;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  await loadDemoData(database, { hosts: 100 });
  api = await startApi(database);
});

afterAll(async () => {
  await api.close();
  await database.close();
});

test("the README's query gives the README's answer", async () => {
  const { data, errors } = await api.query(block('graphql'));
  expect(errors).toBeUndefined();
  expect({ data }).toEqual(JSON.parse(block('json')));
});
