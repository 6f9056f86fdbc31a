import { beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { postJson } from '../support/httpPost.js';
import { invalidInput, useApi } from '../support/api.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { LIMITS } from '../../src/server/graphql/limits.js';
import { createProviders } from '../support/createProviders.js';

const { api } = useApi();

beforeAll(async () => {
  await createProviders(api, { name: 'host' });
});

const post = async (body: string): Promise<unknown> => (await postJson(api.url, body)).json();

/** Returns a document whose fragments F0, F1, ... each spread the next one by `body`. */
const chain = (query: string, length: number, type: string, body: (next: string) => string, last: string) => {
  const parts = Array.from({ length }, (_, at) => `fragment F${at} on ${type} { ${body(`...F${at + 1}`)} }`);
  return `${query} ${parts.join(' ')} fragment F${length} on ${type} { ${last} }`;
};
const ofHost = (selection: string) => `{ resourceProvider(by: { name: "host" }) { ${selection} } }`;
const nested = (depth: number) => ofHost(`${'parent { '.repeat(depth - 2)}name${' }'.repeat(depth - 2)}`);
const aliases = (count: number, field = '__typename') =>
  Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(' ');

describe('documents', () => {
  test.each([
    ['', 'GRAPHQL_PARSE_FAILED'],
    ['SELECT 1', 'GRAPHQL_PARSE_FAILED'],
    ['{ traits {', 'GRAPHQL_PARSE_FAILED'],
    ['{ traits { nome } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ trait(name: "A", nome: "A") { name } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ traits(filter: { nome: "A" }) { name } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ ...Nobody }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ traits }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ trait(name: 1) { name } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ resourceProviders(first: 2147483648) { totalCount } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ aggregate(by: { uuid: "not-a-uuid" }) { uuid } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ aggregate(by: { uuid: 7 }) { uuid } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query A { __typename } query B { __typename }', 'OPERATION_RESOLUTION_FAILURE'],
    ['subscription { __typename }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('the invalid document "%s" is %s', async (document, code) => {
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

  test('aliases: the limit passes, one more does not', async () => {
    expect((await api.query(`{ ${aliases(LIMITS.aliases)} }`)).errors).toBeUndefined();
    await refusal(`{ ${aliases(LIMITS.aliases + 1)} }`);
  });

  const twice = (next: string) => `${next} ${next}`;

  test.each<[what: string, document: string, message?: string]>([
    [
      'depth through fragments',
      chain(ofHost('...F0'), 30, 'ResourceProvider', (next) => `parent { ${next} }`, 'name'),
    ],
    ...[
      ['Query', '{ ...F0 }'],
      ['__Schema', '{ __schema { ...F0 } }'],
    ].map(([type, query]): [string, string, string] => [
      `fragments of ${type} that spread the next one twice, which are not followed`,
      chain(query, 40, type, twice, '__typename'),
      `The document has ${2 ** 41 - 1} fragment spreads; ${LIMITS.spreads} are allowed.`,
    ]),
    ...[1_000, 4_000, 100_000].flatMap((levels): [string, string][] => [
      [`${levels} levels of selections, which do not reach the parser`, '{a'.repeat(levels)],
      [`${levels} levels of lists`, `{ traits(filter: ${'['.repeat(levels)} `],
    ]),
    ['tokens', `{ ${'__typename '.repeat(LIMITS.tokens)} }`, String(LIMITS.tokens)],
    ['aliases in a fragment', `{ ${'...F '.repeat(6)} } fragment F on Query { ${aliases(100)} }`],
    [
      'fragments that double each other, which are measured without unfolding them',
      chain('{ ...F0 }', 60, 'Query', (next) => `a: __typename ${twice(next)}`, '__typename'),
    ],
    [
      'fragments that double each other, which cost what they unfold to',
      chain(
        ofHost('...F0'),
        20,
        'ResourceProvider',
        (next) => `parent { ${next} } ... { parent { ${next} } }`,
        'name',
      ),
    ],
    ['directives', `{ __typename ${'@include(if: true) '.repeat(LIMITS.directives + 1)} }`],
    [
      '10,000 groups',
      `{ allocationCandidates(request: { groups: [${'{ suffix: "a", resources: [{ resourceClass: "VCPU", amount: 1 }] }'.repeat(10_000)}] }) { complete } }`,
    ],
  ])('%s', async (_what, document, message = '') => {
    expect(await refusal(document)).toContain(message);
  });

  test('the longest document that is allowed is answered', async () => {
    const names = '"HW_NUMA_ROOT" '.repeat(LIMITS.tokens - 16);
    const data = await api.read(`{ traits(filter: { nameIn: [${names}] }) { name } }`);
    expect(data).toEqual({ traits: [{ name: 'HW_NUMA_ROOT' }] });
  });

  test('a document with very many fragments is given up, each time it is sent', async () => {
    const spreads = Array.from({ length: 1_000 }, (_, at) => `...F${at}`).join(' ');
    const fragments = Array.from({ length: 1_000 }, (_, at) => `fragment F${at} on Query { __typename }`);
    for (let time = 0; time < 2; time++)
      expect((await api.query(`{ ${spreads} } ${fragments.join(' ')}`)).errors).toEqual([
        {
          message:
            'Validation compares more than 10000 fragments of the document: spread fewer of them in one place.',
          extensions: { code: 'LIMIT_EXCEEDED' },
        },
      ]);
  });

  test('a document with many errors is answered with the first hundred', async () => {
    const { errors } = await api.query(
      `{ ${Array.from({ length: 500 }, (_, at) => `nome${at}`).join(' ')} }`,
    );
    expect(errors).toHaveLength(101);
    expect(errors!.slice(0, 100)).toEqual(
      Array(100).fill(
        expect.objectContaining({ message: expect.stringContaining('Cannot query field "nome') as unknown }),
      ),
    );
    expect(errors![100].message).toBe('Too many validation errors, error limit reached. Validation aborted.');
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

  test('the cost depends on the given variables, not on earlier requests', async () => {
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
    expect((await api.query(`{ ${one} }`)).errors).toBeUndefined();
    await refusal(`{ ${aliases(400, one)} }`);
    const ask =
      'query ($t: [[String!]!]) { resourceProviders(filter: { requiredTraits: $t }) { totalCount } }';
    const lists = (count: number, ...names: string[]) => ({ t: Array<string[]>(count).fill(names) });
    expect(await api.failure(ask, lists(101, 'HW_NUMA_ROOT', 'CUSTOM_X'))).toMatchObject(
      invalidInput('filter.requiredTraits'),
    );
    expect((await api.query(ask, lists(100, 'HW_NUMA_ROOT'))).extensions).toMatchObject({
      cost: { requested: 1 + 10 * 200 + 1_000 },
    });
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

  test('5,000 groups as variables', async () => {
    const resources = [{ resourceClass: 'VCPU', amount: 1 }];
    const groups = Array.from({ length: 5_000 }, (_, i) => ({ suffix: `g${i}`, resources }));
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

  test('values: those of a variable count for each of its references', async () => {
    const query = (references: number) =>
      `query ($ids: [ID!]!) { ${aliases(references, 'nodes(ids: $ids) { id }')} }`;
    const ids = Array<string>(1_000).fill('');
    const { length } = ids;
    expect(await api.failure(query(150), { ids })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      path: ['ids'],
      message: `The operation has ${150 * (length + 1)} values after its variables are inserted; ${OPERATION_LIMITS.values} are allowed. $ids has ${length + 1} values and is used 150 times.`,
    });
  });

  test('values: a mutation has those of its own variables only', async () => {
    const providers = Array.from({ length: 900 }, () => ({ name: 'host' }));
    const query = `mutation ($aggregate: AggregateRef!, $add: [ProviderRef!]!, $name: String!) {
      ${aliases(50, 'deleteTrait(input: { name: $name }) { ... on UserError { code } }')}
      last: updateAggregateMembers(input: { aggregate: $aggregate, add: $add }) { ... on UserError { code } }
    }`;
    const aggregate = { uuid: '0f5a6f52-1b7d-4d32-9d0e-2f8c1a7e4b11' };
    const { data } = await api.query<Record<string, unknown>>(query, {
      aggregate,
      add: providers,
      name: 'CUSTOM_A',
    });
    expect(data).toMatchObject({
      a0: { code: 'NOT_FOUND' },
      a49: { code: 'NOT_FOUND' },
      last: { code: 'INVALID_INPUT' },
    });
  });

  test('invalid ids cost more than objects', async () => {
    const ids = Array<string>(1_000).fill('');
    const { errors } = await api.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(errors).toHaveLength(1_000);
    const query = `query ($ids: [ID!]!) { ${aliases(3, 'nodes(ids: $ids) { id }')} }`;
    expect((await api.query(query, { ids })).errors).toMatchObject([
      { extensions: { code: 'LIMIT_EXCEEDED' } },
    ]);
  });

  test.each([
    ['fields', (count: number) => '__typename '.repeat(count)],
    ['fields in inline fragments', (count: number) => '... { __typename } '.repeat(count)],
  ])('comparisons of %s with equal names', async (_what, equal) => {
    expect((await api.query(`{ ${equal(200)} }`)).errors).toBeUndefined();
    expect(await refusal(`{ ${equal(201)} }`)).toBe(
      `The document has 20100 comparisons of fields with equal names; ${LIMITS.comparisons} are allowed.`,
    );
  });

  test('comparisons of equal fields, each with the same subfields', async () => {
    const equal = (count: number) => `{ ${'traits { name isStandard } '.repeat(count)} }`;
    expect((await api.query(equal(100))).errors).toBeUndefined();
    await refusal(equal(120));
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
