import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
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

const audits = serverAudits({ url: () => api.url });

test('there are audits', () => expect(audits.length).toBeGreaterThan(60));

test.each(audits.map(({ id, name, fn }) => [id, name, fn] as const))('%s %s', async (_id, _name, audit) => {
  const result = await audit();
  expect(result).toMatchObject({ status: 'ok' });
});
