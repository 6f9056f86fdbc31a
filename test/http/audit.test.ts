import { expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { useApi } from '../support/api.js';

const { api } = useApi();

const audits = serverAudits({ url: () => api.url });

test('there are audits', () => expect(audits.length).toBeGreaterThan(60));

test.each(audits.map(({ id, name, fn }) => [id, name, fn] as const))('%s %s', async (_id, _name, audit) => {
  const result = await audit();
  expect(result).toMatchObject({ status: 'ok' });
});
