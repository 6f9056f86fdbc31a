import { postJson } from '../support/httpPost.js';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { getIntrospectionQuery } from 'graphql';
import { OPERATION_LIMITS } from '../../src/runtime/operationLimits.js';
import { LIMITS } from '../../src/server/limits.js';
import { createProviders } from '../support/createProviders.js';

const { api } = useApi();

beforeAll(async () => {
  await createProviders(api, { name: 'host' });
});

/** Whatever a test sent: the server lives, answers, and has met nothing unexpected. */
afterEach(async () => {
  expect(await api.query('{ resourceProvider(by: { name: "host" }) { name } }')).toMatchObject({
    data: { resourceProvider: { name: 'host' } },
  });
});

const post = async (body: string): Promise<unknown> => (await postJson(api.url, body)).json();

const nested = (depth: number) =>
  `{ resourceProvider(by: { name: "host" }) ${'{ parent '.repeat(depth - 2)}{ name }${' }'.repeat(depth - 2)} }`;

describe('documents', () => {
  test.each([
    ['that are empty', '', 'GRAPHQL_PARSE_FAILED'],
    ['that are no GraphQL', 'SELECT 1', 'GRAPHQL_PARSE_FAILED'],
    ['that end too early', '{ traits {', 'GRAPHQL_PARSE_FAILED'],
    ['with an unknown field', '{ traits { nome } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['with an unknown argument', '{ trait(name: "A", nome: "A") { name } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with an unknown input field',
      '{ traits(filter: { nome: "A" }) { name } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['with an unknown fragment', '{ ...Nobody }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'whose fragments spread each other',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['without a selection', '{ traits }', 'GRAPHQL_VALIDATION_FAILED'],
    ['with a value of the wrong type', '{ trait(name: 1) { name } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with an amount of 2^31',
      '{ resourceProviders(first: 2147483648) { totalCount } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['with a bad UUID', '{ aggregate(by: { uuid: "not-a-uuid" }) { uuid } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['with a number for a UUID', '{ aggregate(by: { uuid: 7 }) { uuid } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with two operations and no name',
      'query A { __typename } query B { __typename }',
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['with a subscription to nothing', 'subscription { __typename }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('%s are refused', async (_what, document, code) => {
    const { errors } = await api.query(document);
    expect(errors).toMatchObject([{ extensions: { code } }]);
    expect(JSON.stringify(errors)).not.toMatch(/node_modules|\.[jt]s:/);
  });

  test.each([
    ['a UUID', 'query ($v: UUID!) { aggregate(by: { uuid: $v }) { uuid } }', 'zz-top'],
    [
      'a UUID with a digit too many',
      'query ($v: UUID!) { aggregate(by: { uuid: $v }) { uuid } }',
      '0f5a6f52-1b7d-4d32-9d0e-2f8c1a7e4b111',
    ],
    ['an Int', 'query ($v: Int) { resourceProviders(first: $v) { totalCount } }', 2147483648],
    ['a list', 'query ($v: [ID!]!) { nodes(ids: $v) { id } }', [null]],
    ['something required', 'query ($v: String!) { trait(name: $v) { name } }', undefined],
    ['an input object', 'query ($v: TraitFilter) { traits(filter: $v) { name } }', { nome: 1 }],
  ])('a variable that does not fit %s is refused by name', async (_what, document, v) => {
    const { code, message } = await api.failure(document, { v });
    expect(code).toBe('BAD_USER_INPUT');
    expect(message).toContain('$v');
    if (typeof v === 'string') expect(message).toContain(v);
  });
});

describe('limits', () => {
  const refusal = async (document: string, variables?: object) => {
    const { code, message } = await api.failure(document, variables);
    expect(code).toBe('LIMIT_EXCEEDED');
    return message;
  };

  test('depth: the limit passes, one more does not', async () => {
    expect((await api.query(nested(LIMITS.depth))).errors).toBeUndefined();
    expect(await refusal(nested(LIMITS.depth + 1))).toContain(String(LIMITS.depth));
  });

  test('depth counts through fragments', async () => {
    const parts = Array.from(
      { length: 30 },
      (_, i) => `fragment F${i} on ResourceProvider { parent { ...F${i + 1} } }`,
    );
    await refusal(
      `{ resourceProvider(by: { name: "host" }) { ...F0 } } ${parts.join(' ')} fragment F30 on ResourceProvider { name }`,
    );
  });

  test.each([
    ['Query', '{ ...F0 }'],
    ['__Schema', '{ __schema { ...F0 } }'],
  ])('fragments of %s that spread the next one twice are counted, not followed', async (type, query) => {
    const parts = Array.from(
      { length: 40 },
      (_, i) => `fragment F${i} on ${type} { ...F${i + 1} ...F${i + 1} }`,
    );
    expect(await refusal(`${query} ${parts.join(' ')} fragment F40 on ${type} { __typename }`)).toBe(
      `The document has ${2 ** 41 - 1} fragment spreads; ${LIMITS.spreads} are allowed.`,
    );
  });

  test.each([1_000, 4_000, 100_000])('%d levels do not reach the parser', async (levels) => {
    await refusal('{a'.repeat(levels));
    await refusal(`{ traits(filter: ${'['.repeat(levels)} `);
  });

  test('tokens', async () => {
    expect(await refusal(`{ ${'__typename '.repeat(LIMITS.tokens)} }`)).toContain(String(LIMITS.tokens));
  });

  test('the longest document that is allowed is answered', async () => {
    const names = '"HW_NUMA_ROOT" '.repeat(LIMITS.tokens - 16);
    const data = await api.read(`{ traits(filter: { nameIn: [${names}] }) { name } }`);
    expect(data).toEqual({ traits: [{ name: 'HW_NUMA_ROOT' }] });
  });

  test('a document that would take long to validate is given up', async () => {
    // valid, but every field would be compared with every other
    const { errors } = await api.query(`{ ${'__typename '.repeat(LIMITS.tokens - 2)} }`);
    expect(errors).toEqual([
      { message: 'Validation aborted.', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ]);
  });

  test('of a document with very many mistakes the first hundred are told', async () => {
    const { errors } = await api.query(`{ ${'nome '.repeat(500)} }`);
    expect(errors).toHaveLength(101);
    expect(errors!.slice(0, 100)).toEqual(
      Array(100).fill(
        expect.objectContaining({ message: expect.stringContaining('Cannot query field "nome"') as unknown }),
      ),
    );
    expect(errors![100].message).toBe('Too many validation errors, error limit reached. Validation aborted.');
  });

  test('aliases, also those in fragments that are spread often', async () => {
    const aliases = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: __typename`).join(' ');
    expect((await api.query(`{ ${aliases(LIMITS.aliases)} }`)).errors).toBeUndefined();
    await refusal(`{ ${aliases(LIMITS.aliases + 1)} }`);
    await refusal(`{ ${'...Many '.repeat(6)} } fragment Many on Query { ${aliases(100)} }`);
  });

  test('fragments that double each other are measured without unfolding them', async () => {
    const parts = Array.from(
      { length: 60 },
      (_, i) => `fragment F${i} on Query { a: __typename ...F${i + 1} ...F${i + 1} }`,
    );
    await refusal(`{ ...F0 } ${parts.join(' ')} fragment F60 on Query { __typename }`);
  });

  test('fragments that double each other cost what they unfold to', async () => {
    const parts = Array.from(
      { length: 20 },
      (_, i) =>
        `fragment F${i} on ResourceProvider { parent { ...F${i + 1} } ... { parent { ...F${i + 1} } } }`,
    );
    await refusal(
      `{ resourceProvider(by: { name: "host" }) { ...F0 } } ${parts.join(' ')} fragment F20 on ResourceProvider { name }`,
    );
  });

  test('directives', async () => {
    await refusal(`{ __typename ${'@include(if: true) '.repeat(LIMITS.directives + 1)} }`);
  });

  test('cost, which an answer within the limit reports', async () => {
    const { extensions } = await api.query(
      '{ resourceProviders(first: 10) { nodes { name children { name } } } }',
    );
    expect(extensions).toEqual({ cost: { requested: 1 + 10 * (1 + 4), actual: 1 + 10 * (1 + 4) } });
    const many = `{ resourceProviders(first: 1000) { nodes { children { descendants { descendants { descendants { name } } } } } } }`;
    const { errors, extensions: refused } = await api.query(many);
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
    expect(refused?.cost?.requested).toBeGreaterThan(OPERATION_LIMITS.cost);
    expect(refused?.cost?.actual).toBe(0);
  });

  test('cost counts what variables ask for', async () => {
    const ask = 'query ($first: Int) { resourceProviders(first: $first) { nodes { name } } }';
    const costs = [];
    for (const first of [1, 100, 1000])
      costs.push((await api.query(ask, { first })).extensions?.cost?.requested);
    expect(costs).toEqual([2, 101, 1001]);
  });

  test('cost is that of the variables given, whatever was asked before', async () => {
    const ask = `query ($by: ProviderRef!, $first: Int = 10, $ids: [ID!] = []) {
      resourceProvider(by: $by) { name }
      resourceProviders(first: $first) { nodes { name } }
      nodes(ids: $ids) { id }
    }`;
    const by = { name: 'host' };
    const costOf = async (variables: object) => (await api.query(ask, variables)).extensions?.cost?.requested;
    expect(await costOf({ by })).toBe(1 + 1 + 10);
    expect(await costOf({ by, first: 20 })).toBe(1 + 1 + 20);
    expect(await costOf({ by: 'host', first: 20 })).toBeUndefined();
    expect(await costOf({ by, first: 20, ids: ['MTo='] })).toBe(1 + 1 + 20 + 1);
    expect(await costOf({ by, ids: ['MTo=', 'MTo='] })).toBe(1 + 1 + 10 + 2);
    expect(await costOf({ by: { name: 'another' } })).toBe(1 + 1 + 10);
  });

  test('cost counts the conditions of a filter, and consumers of a class', async () => {
    const one = 'consumers(first: 1, filter: { resourceClass: "VCPU" }) { totalCount }';
    const aliases = Array.from({ length: 400 }, (_, at) => `a${at}: ${one}`).join(' ');
    expect((await api.query(`{ ${one} }`)).errors).toBeUndefined();
    await refusal(`{ ${aliases} }`);
    const ask =
      'query ($t: [[String!]!]) { resourceProviders(filter: { requiredTraits: $t }) { totalCount } }';
    const lists = (count: number) => ({
      t: Array.from({ length: count }, () => ['HW_NUMA_ROOT', 'CUSTOM_X']),
    });
    expect((await api.query(ask, lists(101))).errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', path: ['filter', 'requiredTraits'] } },
    ]);
    expect(
      (
        await api.query(ask.replace('CUSTOM_X', ''), {
          t: Array.from({ length: 100 }, () => ['HW_NUMA_ROOT']),
        })
      ).extensions,
    ).toMatchObject({ cost: { requested: 1 + 10 * 200 + 1_000 } });
  });

  test('cost is that of the operation that runs', async () => {
    const query =
      'query Big { resourceProviders(first: 1000) { nodes { root { name } } } } query Small { __typename }';
    expect(await post(JSON.stringify({ query, operationName: 'Small' }))).toEqual({
      data: { __typename: 'Query' },
      extensions: { cost: { requested: 1, actual: 1 } },
    });
  });

  test('introspection passes them', async () => {
    const data = await api.read(
      getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    );
    expect(data).toHaveProperty('__schema');
  });

  test('introspection that goes round in circles is refused', async () => {
    expect(
      await api.failure(`{ __schema { types { ${'fields { type { '.repeat(5)} name ${'} }'.repeat(5)} } } }`),
    ).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  test('10,000 groups, as text and as variables', async () => {
    const group = '{ suffix: "a", resources: [{ resourceClass: "VCPU", amount: 1 }] }';
    const one = `{ allocationCandidates(request: { groups: [${group.repeat(10_000)}] }) { complete } }`;
    await refusal(one);
    const groups = Array.from({ length: 10_000 }, (_, i) => ({
      suffix: `g${i}`,
      resources: [{ resourceClass: 'VCPU', amount: 1 }],
    }));
    expect(
      await api.failure(
        'query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) { complete } }',
        { request: { groups } },
      ),
    ).toMatchObject(invalidInput('groups'));
  });

  test('a provider tree in variables: as deep as is allowed, and deeper', async () => {
    const apply = `mutation ($input: ApplyProviderTreeInput!) {
      applyProviderTree(input: $input) { __typename ... on ApplyProviderTreePayload { changes { kind } } }
    }`;
    const ask = (levels: number) => {
      const open = Array.from({ length: levels }, (_, level) => `{"name":"level-${level}","children":[`);
      const root = `${open.join('')}${']}'.repeat(levels)}`;
      const body = `{"query":${JSON.stringify(apply)},"variables":{"input":{"dryRun":true,"root":${root}}}}`;
      return post(body);
    };
    // the variables and the input are objects, too
    const levels = (LIMITS.variableNesting - 2) / 2;
    expect(await ask(levels)).toMatchObject({ data: { applyProviderTree: { changes: { length: levels } } } });
    for (const more of [1, 100, 10_000]) {
      expect(await ask(levels + more)).toMatchObject({
        errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }],
      });
    }
  });

  test('very deep and very long variables', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const body = `{"query": "query ($v: [ID!]!) { nodes(ids: $v) { id } }", "variables": {"v": [${deep}]}}`;
    expect(await post(body)).toMatchObject({ errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] });
    const long = await api.query('query ($v: String!) { trait(name: $v) { name } }', {
      v: 'x'.repeat(900_000),
    });
    expect(long).toMatchObject({ data: { trait: null } });
  });
});
