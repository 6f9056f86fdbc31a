import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { Loaders } from '../../src/api/loaders/loaders.js';
import { Operations } from '../../src/model/operation/operation.js';
import { entriesIn, longestListIn } from '../../src/api/cost/operationCost.js';
import { writtenProvider } from '../../src/api/mutation.js';
import { useApi, type Answer } from '../support/api.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { cases } from '../support/length.js';

const HOSTS = 30;
const AGGREGATE = randomUUID();

const { api, database } = useApi();

beforeAll(async () => {
  for (let at = 0; at < HOSTS; at++) {
    const name = `host-${String(at).padStart(2, '0')}`;
    const root = { name, aggregates: [{ uuid: AGGREGATE }] };
    await api.mutate('applyProviderTree', { root });
  }
});

/** Names that every plain object has, and ordinary ones. */
const NAMES = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty', 'first', 'v'];

interface Draw {
  readonly name: string;
  readonly argument: 'first' | 'last';
  readonly written: 'literal' | 'variable';
  readonly value: number | null | undefined;
  readonly standard: number | null | undefined;
}

const drawn = fc.record<Draw>({
  name: fc.constantFrom(...NAMES),
  argument: fc.constantFrom('first', 'last'),
  written: fc.constantFrom('literal', 'variable', 'variable'),
  value: fc.constantFrom(undefined, undefined, null, -1, 0, 1, 7, 1_000, 2_000),
  standard: fc.constantFrom(undefined, undefined, null, 0, 3, 50),
});

/** A document of pages within pages; variables of one name are one variable. */
function documentOf(draws: readonly Draw[]): { query: string; variables: Record<string, number | null> } {
  const definitions = new Map<string, string>();
  const values = new Map<string, number | null>();
  const page = ([draw, ...inner]: readonly Draw[]): string => {
    const { name, argument, written, value, standard } = draw;
    if (written === 'variable' && !definitions.has(name)) {
      definitions.set(name, `$${name}: Int${standard === undefined ? '' : ` = ${standard}`}`);
      if (value !== undefined) values.set(name, value);
    }
    const given = written === 'variable' ? `$${name}` : (value ?? 5);
    const below = inner.length > 0 ? `aggregates { ${page(inner)} }` : '';
    return `resourceProviders(${argument}: ${given}) { nodes { uuid ${below} } }`;
  };
  const body = page(draws);
  const head = definitions.size > 0 ? `query (${[...definitions.values()].join(', ')})` : '';
  return { query: `${head} { ${body} }`, variables: Object.fromEntries(values) };
}

const objectsIn = (answer: unknown): number => JSON.stringify(answer).split('"uuid"').length - 1;

describe('the price of an operation', () => {
  test.each(NAMES)('uses the default of the argument if $%s is unset', async (name) => {
    const { data, extensions } = await api.query(
      `query ($${name}: Int) { resourceProviders(first: $${name}) { nodes { uuid } } }`,
    );
    expect(objectsIn(data)).toBe(HOSTS);
    expect(extensions).toEqual({ cost: { requested: 101, actual: 101 } });
  });

  test('is at least the number of objects that are read', async () => {
    let read = 0;
    const property = async (draws: readonly Draw[]): Promise<void> => {
      const { query, variables } = documentOf(draws);
      const { data, extensions }: Answer<unknown> = await api.query(query, variables);
      const objects = objectsIn(data ?? null);
      if (objects > 0) read++;
      expect(extensions?.cost?.requested ?? 0).toBeGreaterThanOrEqual(objects);
    };
    const draws = fc.array(drawn, { minLength: 1, maxLength: 3 });
    const numRuns = cases(300, 120);
    await assertEnough(fc.asyncProperty(draws, property), { numRuns }, () => read > numRuns / 6);
  }, 120_000);

  test('counts every introspected object', async () => {
    const { data, extensions } = await api.query(
      '{ __schema { types { name fields { name args { name } } } } }',
    );
    const objects = JSON.stringify(data).split('"name"').length - 1;
    expect(extensions!.cost!.requested).toBeGreaterThan(objects);
    const whole = await api.query(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }));
    expect(whole.errors).toBeUndefined();
  });

  test.each([
    `{ ${Array.from({ length: 500 }, (_, at) => `a${at}: __schema { types { name } }`).join(' ')} }`,
    '{ a: __type(name: "Query") { name } ...Again } fragment Again on Query { b: __type(name: "Trait") { name } }',
    `{ __schema { ${Array.from({ length: 100 }, (_, at) => `a${at}: types { fields { args { name } } }`).join(' ')} } }`,
  ])('of repeated introspection is above every limit (%#)', async (document) => {
    const { data, errors } = await api.query(document);
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
  });
});

test.each([
  [{ consumers: [{ allocations: [{ resources: [{}, {}] }] }, {}] }, 5, 2],
  [{ traits: ['A', 'B', 'C'] }, 3, 3],
  [{ requiredTraits: [['A', 'B'], ['C']] }, 5, 2],
  ['text', 0, 0],
  [null, 0, 0],
  [undefined, 0, 0],
])('%j has %d entries, and %d in its longest list', (input, entries, longest) => {
  expect([entriesIn(input), longestListIn(input)]).toEqual([entries, longest]);
});

test('a write whose provider is deleted before it is read again is not answered with NOT_FOUND', async () => {
  const { reads } = database;
  const operation = new Operations().begin();
  const loaders = new Loaders(database, reads, operation);
  await expect(writtenProvider(loaders, randomUUID())).rejects.toThrow('deleted since');
  operation.end();
});

test('an invalid argument below a list is a typed error, and the rest of the answer is kept', async () => {
  const { data, errors } = await api.query(`{
    invalid: resourceProvider(by: { name: "host-00" }) {
      aggregates { resourceProviders(after: "aWQ6NDc") { totalCount } }
    }
    valid: resourceProvider(by: { name: "host-01" }) { aggregates { resourceProviders { totalCount } } }
  }`);
  expect(data).toEqual({
    invalid: null,
    valid: { aggregates: [{ resourceProviders: { totalCount: HOSTS } }] },
  });
  expect(errors).toMatchObject([
    {
      path: ['invalid', 'aggregates', 0, 'resourceProviders'],
      extensions: { code: 'INVALID_INPUT', path: ['after'] },
    },
  ]);
});
