import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrate } from '../../src/store/migrations/migrator.js';
import { createPlacement, type Placement } from '../../src/server/direct/placement.js';
import { useApi } from '../support/api.js';
import { emptyDatabase, testDatabase } from '../support/database.js';
import { postJson } from '../support/httpPost.js';

let placement: Placement;
afterAll(() => placement.close()); // before the database is dropped
const { database, api } = useApi();
beforeAll(() => void (placement = createPlacement({ databaseUrl: database.url })));

const CREATE = `mutation ($name: String!) {
  createResourceProvider(input: { name: $name }) {
    __typename
    ... on CreateResourceProviderPayload { resourceProvider { name generation } }
    ... on UserError { code message }
  }
}`;

describe('executing documents', () => {
  test('reads what it writes, and what the server writes', async () => {
    const created = await placement.execute({ document: CREATE, variables: { name: 'direct' } });
    expect(created).toMatchObject({
      data: {
        createResourceProvider: {
          __typename: 'CreateResourceProviderPayload',
          resourceProvider: { name: 'direct', generation: 0 },
        },
      },
    });
    await api.query(CREATE, { name: 'served' });
    const { data, errors } = await placement.execute<{ resourceProviders: { nodes: { name: string }[] } }>({
      document: '{ resourceProviders { nodes { name } } }',
    });
    expect(errors).toBeUndefined();
    expect(data?.resourceProviders.nodes.map(({ name }) => name)).toEqual(['direct', 'served']);
  });

  test('candidates are searched in what is stored now', async () => {
    const document = `{ allocationCandidates(request: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) {
      complete allocationRequests { allocations { resourceProvider { name } } } } }`;
    expect((await placement.execute({ document })).data).toEqual({
      allocationCandidates: { complete: true, allocationRequests: [] },
    });
  });

  const deep = `{ resourceProvider(by: { name: "direct" }) ${'{ parent '.repeat(30)}{ name }${' }'.repeat(30)} }`;
  const wide = 'query ($by: ProviderRef!) { resourceProvider(by: $by) { name } }';
  /** A title, the code of the error if there is one, and the request. */
  const cases: [string, string | null, string, object?, string?][] = [
    ['a refusal that is data', null, CREATE, { name: 'direct' }],
    [
      'an argument that is refused',
      'INVALID_INPUT',
      '{ traits(filter: { startsWith: "HW_CPU_X86_AVX2" }) { name } resourceProviders(first: 9999) { nodes { name } } }',
    ],
    ['a document that is not GraphQL', 'GRAPHQL_PARSE_FAILED', '{ resourceProviders {'],
    ['an unknown field', 'GRAPHQL_VALIDATION_FAILED', '{ resourceProviders { nodes { color } } }'],
    ['a variable that does not fit', 'BAD_USER_INPUT', wide, { by: { uuid: 'no uuid' } }],
    ['a missing variable', 'BAD_USER_INPUT', wide, {}],
    [
      'two operations without a choice',
      'OPERATION_RESOLUTION_FAILURE',
      'query A { __typename } query B { __typename }',
    ],
    [
      'the second of two operations',
      null,
      'query A { a: __typename } query B { b: __typename }',
      undefined,
      'B',
    ],
    ['a document beyond the limits', 'LIMIT_EXCEEDED', deep],
    [
      'an operation that costs too much',
      'LIMIT_EXCEEDED',
      `{ resourceProviders(first: 1000) { nodes { descendants { descendants { descendants { descendants { name } } } } } } }`,
    ],
  ];
  test.each(cases)('%s: the same answer as over HTTP', async (_title, code, ...request) => {
    const [document, variables, operationName] = request;
    const response = await postJson(api.url, { query: document, variables, operationName });
    const direct = await placement.execute({ document, variables, operationName });
    expect(direct).toEqual(await response.json());
    expect(direct.errors?.[0].extensions?.code ?? null).toBe(code);
  });

  test('unexpected errors are logged, and the answer has no details', async () => {
    const broken = await testDatabase();
    const seen: unknown[] = [];
    const blind = createPlacement({ databaseUrl: broken.url, log: (error) => seen.push(error) });
    await blind.execute({ document: '{ __typename }' });
    await broken.pool.query('DROP TABLE resource_provider_traits');
    const { errors } = await blind.execute({
      document: '{ resourceProviders(filter: { requiredTraits: [["HW_CPU_X86_AVX2"]] }) { nodes { name } } }',
    });
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(JSON.stringify(errors)).not.toContain('resource_provider_traits');
    expect(seen).toHaveLength(1);
    await blind.close();
    await broken.close();
  });

  test('a request may be longer than the server accepts', async () => {
    const names = Array.from({ length: 40_000 }, (_, n) => `CUSTOM_SOME_TRAIT_THAT_IS_NOT_THERE_${n}`);
    const { data, errors } = await placement.execute({
      document: 'query ($names: [String!]) { traits(filter: { nameIn: $names }) { name } }',
      variables: { names },
    });
    expect(errors).toBeUndefined();
    expect(data).toEqual({ traits: [] });
  });
});

describe('the database', () => {
  const ask = async (databaseUrl: string): Promise<unknown> => {
    const asking = createPlacement({ databaseUrl });
    try {
      return await asking.execute({ document: '{ __typename }' });
    } finally {
      await asking.close();
    }
  };

  test('that cannot be reached is named, without the password', async () => {
    await expect(ask('mysql://me:secret@127.0.0.1:1/gone')).rejects.toThrow(
      /^cannot use the database gone on 127\.0\.0\.1:1: (?!.*secret)/,
    );
  });

  test('that does not exist is not created', async () => {
    const url = database.url.replace(/\/[^/?]+(\?|$)/, '/not_there_at_all$1');
    await expect(ask(url)).rejects.toThrow(/^cannot use the database not_there_at_all on /);
    await expect(ask(url)).rejects.toThrow(/Unknown database/);
  });

  test('that is empty has to be migrated first, stays empty, and is used afterwards', async () => {
    const empty = await emptyDatabase();
    const patient = createPlacement({ databaseUrl: empty.url });
    await expect(patient.execute({ document: '{ __typename }' })).rejects.toThrow(
      /has not been migrated .* `placement-graphql migrate`$/,
    );
    expect(await empty.pool.query('SHOW TABLES')).toEqual([]);
    await migrate(empty);
    const { data } = await patient.execute({ document: '{ __typename }' });
    expect(data).toEqual({ __typename: 'Query' });
    await patient.close();
    await empty.close();
  });

  test('that lacks a migration, or has one of a newer version, is refused', async () => {
    const other = await testDatabase();
    await other.pool.query('UPDATE _prisma_migrations SET migration_name = "99990101000000_later" LIMIT 1');
    await expect(ask(other.url)).rejects.toThrow(/the database is newer than this program/);
    await other.pool.query('DELETE FROM _prisma_migrations');
    await expect(ask(other.url)).rejects.toThrow(/has not been migrated/);
    await other.close();
  });

  test('with an invalid URL is rejected immediately', () => {
    expect(() => createPlacement({ databaseUrl: 'postgres://here/name' })).toThrow(
      /a database URL looks like/,
    );
  });
});

test('the option seconds limits the duration of an operation', async () => {
  const brief = createPlacement({ databaseUrl: database.url, seconds: 0.001 });
  const document = '{ resourceProviders { nodes { name } } }';
  expect((await brief.execute({ document })).errors).toMatchObject([
    { message: 'The operation exceeded its time limit of 0.001 s.', extensions: { code: 'TIMEOUT' } },
  ]);
  await brief.close();
  for (const seconds of [0, -1, NaN, 3_601]) {
    expect(() => createPlacement({ databaseUrl: database.url, seconds })).toThrow(
      `seconds must be above 0 and at most 3600, not ${seconds}`,
    );
  }
});

test('close waits for statements, may be called twice, and is final', async () => {
  const short = createPlacement({ databaseUrl: database.url });
  await short.execute({ document: '{ __typename }' });
  await Promise.all([short.close(), short.close()]);
  await expect(short.execute({ document: '{ __typename }' })).rejects.toThrow(/closed/);
});
