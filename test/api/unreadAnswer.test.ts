import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { encodeGlobalID } from '@pothos/plugin-relay';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
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
function failAfterCommit({ isForever = true } = {}): void {
  let isCommitted = false;
  proxy.onRequest = (data) => {
    if (data.toString('latin1').endsWith('\x03COMMIT')) isCommitted = true;
    else if (isCommitted) {
      proxy.isUp = !isForever;
      if (!isForever) proxy.onRequest = null;
      proxy.cutAll();
    }
  };
}

afterEach(() => {
  proxy.onRequest = null;
  proxy.isUp = true;
});

test('a committed write whose provider cannot be read is a CommittedError and OUTCOME_UNKNOWN', async () => {
  const name = randomUUID();
  const uuid = (await createProviders(api, { name }))[name];
  failAfterCommit();
  const { data, errors } = await api.query(
    `mutation ($input: UpdateResourceProviderInput!) {
       updateResourceProvider(input: $input) {
         __typename
         ... on UpdateResourceProviderPayload { resourceProvider { name } }
         ... on CommittedError { ids }
       }
     }`,
    { input: { resourceProvider: { uuid }, inventories: { add: { resourceClass: 'VCPU', total: 7 } } } },
  );
  const ids = [encodeGlobalID('ResourceProvider', uuid)];
  expect(data).toEqual({ updateResourceProvider: { __typename: 'CommittedError', ids } });
  expect(errors).toMatchObject([
    { extensions: { code: 'OUTCOME_UNKNOWN', committed: true, ids, reason: 'DATABASE_UNAVAILABLE' } },
  ]);
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
        message: expect.stringContaining('The write was committed') as unknown,
        extensions: {
          code: 'OUTCOME_UNKNOWN',
          committed: true,
          ids: [encodeGlobalID('Consumer', consumer)],
          reason: 'DATABASE_UNAVAILABLE',
        },
      },
    ]);
    expect(errors![0].path).toContain('consumers');
    const rows = await database.pool.query<unknown>('SELECT used FROM allocations WHERE consumer_id = ?', [
      consumer,
    ]);
    expect(rows).toEqual([{ used: 3 }]);
  },
);

const named = (trait: string) => `createTrait(input: { name: "${trait}" }) { __typename }`;

test('later mutations run after a payload could not be read', async () => {
  const name = randomUUID();
  const uuid = (await createProviders(api, { name }))[name];
  failAfterCommit({ isForever: false });
  const { data, errors } = await api.query(
    `mutation ($uuid: UUID!) {
       first: updateResourceProvider(input: { resourceProvider: { uuid: $uuid }, traits: { add: "HW_NUMA_ROOT" } }) {
         __typename ... on UpdateResourceProviderPayload { resourceProvider { name } }
       }
       later: ${named('CUSTOM_LATER')}
     }`,
    { uuid },
  );
  expect(data).toEqual({
    first: { __typename: 'CommittedError' },
    later: { __typename: 'CreateTraitPayload' },
  });
  expect(errors).toMatchObject([
    { path: ['first', 'resourceProvider'], extensions: { ids: [encodeGlobalID('ResourceProvider', uuid)] } },
  ]);
});

test('a write whose payload could not be read has one entry in `errors`, even if a later mutation fails', async () => {
  const name = randomUUID();
  const uuid = (await createProviders(api, { name }))[name];
  failAfterCommit();
  const { data, errors } = await api.query(
    `mutation ($uuid: UUID!) {
       first: updateResourceProvider(input: { resourceProvider: { uuid: $uuid }, traits: { add: "HW_NUMA_ROOT" } }) {
         ... on UpdateResourceProviderPayload { resourceProvider { name } }
       }
       later: ${named('CUSTOM_NEVER')}
     }`,
    { uuid },
  );
  expect(data).toBeNull();
  expect(errors).toMatchObject([
    { path: ['first', 'resourceProvider'], extensions: { committed: true, reason: 'DATABASE_UNAVAILABLE' } },
    { path: ['later'], extensions: { code: 'DATABASE_UNAVAILABLE' } },
  ]);
});

test('if a mutation fails without a result, `errors` names the writes that earlier ones have committed', async () => {
  const impatient = await startApi(proxy, {
    hasBackground: false,
    limits: { ...OPERATION_LIMITS, deadline: 5_000 },
  });
  failAfterCommit();
  const { data, errors } = await impatient.query(
    `mutation { a: ${named('CUSTOM_A')} b: ${named('CUSTOM_B')} c: ${named('CUSTOM_C')} }`,
  );
  expect(data).toBeNull();
  expect(errors).toMatchObject([
    { path: ['b'], extensions: { code: 'TIMEOUT' } },
    {
      path: ['a'],
      extensions: { code: 'OUTCOME_UNKNOWN', committed: true, ids: [encodeGlobalID('Trait', 'CUSTOM_A')] },
    },
  ]);
  proxy.onRequest = null;
  proxy.isUp = true;
  await impatient.close();
});
