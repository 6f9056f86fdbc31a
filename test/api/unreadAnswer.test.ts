import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startApi, type Api } from '../support/api.js';
import { takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { TcpProxy } from '../support/tcpProxy.js';

let database: TestDatabase;
let proxy: TcpProxy;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  proxy = await TcpProxy.before(database.url);
  api = await startApi(proxy, { hasBackground: false });
});
afterAll(async () => {
  proxy.cutAll();
  await api.close();
  proxy.close();
  await database.close();
});

/** Cuts the connections when the first statement after the COMMIT of a write is sent. */
function failAfterCommit(): void {
  let isCommitted = false;
  proxy.onRequest = (data) => {
    if (data.toString('latin1').endsWith('\x03COMMIT')) isCommitted = true;
    else if (isCommitted) {
      proxy.isUp = false;
      proxy.cutAll();
    }
  };
}

afterEach(() => {
  proxy.onRequest = null;
  proxy.isUp = true;
});

test('a committed write whose provider cannot be read is OUTCOME_UNKNOWN', async () => {
  const name = randomUUID();
  const uuid = (await createProviders(api, { name }))[name];
  failAfterCommit();
  expect(
    await api.failure(
      `mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) { __typename } }`,
      { input: { resourceProvider: { uuid }, inventories: { add: { resourceClass: 'VCPU', total: 7 } } } },
    ),
  ).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  const rows = await database.pool.query<unknown>('SELECT total FROM inventories');
  expect(rows).toEqual([{ total: 7 }]);
});

test.each(['allocations { amount }', 'createdAt'])(
  'a write whose payload cannot be read (%s) is OUTCOME_UNKNOWN',
  async (field) => {
    const name = randomUUID();
    const host = (await createProviders(api, { name, inventories: { DISK_GB: 7 } }))[name];
    const consumer = randomUUID();
    failAfterCommit();
    const { errors } = await api.query(
      `mutation ($input: SetAllocationsInput!) {
         setAllocations(input: $input) { ... on SetAllocationsPayload { consumers { ${field} } } }
       }`,
      { input: { consumers: [takes(consumer, null, { [host]: { DISK_GB: 3 } })] } },
    );
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('The write has taken place') as unknown,
        extensions: { code: 'OUTCOME_UNKNOWN' },
      },
    ]);
    expect(errors![0].path).toContain('consumers');
    const rows = await database.pool.query<unknown>('SELECT used FROM allocations WHERE consumer_id = ?', [
      consumer,
    ]);
    expect(rows).toEqual([{ used: 3 }]);
  },
);
