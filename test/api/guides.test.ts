import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

const folder = new URL('../../docs/guides/', import.meta.url);
const EXAMPLE = /```graphql\n(.*?)```\n\n```json\n(.*?)```/gs;

const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const guides = readdirSync(folder).filter((file) => read(file).includes('```graphql'));

describe.each(guides)('docs/guides/%s: every request gives the answer beneath it', (file) => {
  const guide = read(file);
  const examples = [...guide.matchAll(EXAMPLE)].map(
    ([, request, answer], at) => [at + 1, request, answer] as const,
  );
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

  test('each request has an answer', () => {
    expect(examples).toHaveLength(guide.split('```graphql').length - 1);
  });

  test.each(examples)('example %d', async (_number, request, answer) => {
    const { data, errors } = await api.query(request);
    expect(errors).toBeUndefined();
    expect({ data }).toEqual(JSON.parse(answer));
  });
});
