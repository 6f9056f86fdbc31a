import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { NO_LOG, type LogFields } from '../../src/model/observation.js';
import { postJson } from '../support/httpPost.js';
import { OWN } from './cloud.js';
import { useGuardedApi } from './guardedApi.js';
import { TOKENS, type Name } from './viewers.js';

const lines: LogFields[] = [];
const log = { ...NO_LOG, record: (fields: LogFields) => 'audit' in fields && lines.push(fields) };
const { api } = useGuardedApi({ log });

beforeEach(() => void lines.splice(0));

const send = async (viewer: Name, query: string): Promise<void> => {
  const headers = { authorization: `Bearer ${TOKENS[viewer]}`, 'x-request-id': 'request-1' };
  const response = await postJson(api.url, { query }, headers);
  expect(response.status).toBe(200);
};

const create = (name: string): string =>
  `createResourceProvider(input: { name: "${name}", uuid: "${randomUUID()}" }) { __typename }`;

test('every write has a line: who, what, outcome, request', async () => {
  await send('admin', `mutation { a: ${create('host')} b: ${create('host')} }`);
  const line = (outcome: string) => ({
    audit: {
      user: 'admin',
      project: null,
      mutation: 'createResourceProvider',
      outcome,
      input: expect.stringContaining('"name":"host"') as unknown,
    },
    requestId: 'request-1',
  });
  expect(lines).toEqual([line('OK'), line('DUPLICATE_NAME')]);
});

test.each<[Name, string, string]>([
  ['service', 'deleteTrait(input: { name: "CUSTOM_NONE" }) { __typename }', 'NOT_FOUND'],
  ['service', 'createTrait(input: { name: "no" }) { __typename }', 'INVALID_INPUT'],
  ['reader', 'createTrait(input: { name: "CUSTOM_A" }) { __typename }', 'FORBIDDEN'],
  ['admin', 'reshape(input: { inventories: [], allocations: [] }) { __typename }', 'FORBIDDEN'],
])('%s: %s is %s', async (viewer, mutation, outcome) => {
  await send(viewer, `mutation { ${mutation} }`);
  expect(lines).toMatchObject([{ audit: { user: viewer, outcome }, requestId: 'request-1' }]);
});

test('the audit log names the project of the credentials', async () => {
  await send('reader of a project', 'mutation { createTrait(input: { name: "CUSTOM_A" }) { __typename } }');
  expect(lines).toMatchObject([{ audit: { user: 'reader-of-a-project', project: OWN } }]);
});

test('of a long input the log has the beginning', async () => {
  await send(
    'service',
    `mutation { createTrait(input: { name: "CUSTOM_${'A'.repeat(5_000)}" }) { __typename } }`,
  );
  const [{ audit }] = lines as unknown as { audit: { input: string } }[];
  expect(audit.input).toHaveLength(2_001);
  expect(audit.input).toMatch(/^\{"name":"CUSTOM_A+…$/);
});

test('reads have none', async () => {
  await send('admin', '{ traits { name } }');
  expect(lines).toEqual([]);
});
