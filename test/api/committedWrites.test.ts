import { randomUUID } from 'node:crypto';
import { encodeGlobalID } from '@pothos/plugin-relay';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isAbstractType, isObjectType, type GraphQLNamedType } from 'graphql';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { buildSchema } from '../../src/api/schema.js';
import { startApi, useApi, type Api } from '../support/api.js';
import { LONG, longNames } from '../support/longLists.js';

const COST = 500;

const { database, api } = useApi();
/** A server on the same database whose operations may cost less than the children of `wide`. */
let frugal: Api;
const wide = randomUUID();
const narrow = randomUUID();

beforeAll(async () => {
  frugal = await startApi(database, { limits: { ...OPERATION_LIMITS, cost: COST } });
  const children = longNames('child-').map((name) => ({ name }));
  await api.mutate('applyProviderTree', { root: { uuid: wide, name: 'wide', children } });
  const few = children.slice(0, 20).map(({ name }) => ({ name: `narrow-${name}` }));
  await api.mutate('applyProviderTree', { root: { uuid: narrow, name: 'narrow', children: few } });
});
afterAll(() => frugal.close());

const renamed = (alias: string, name: string, selection: string, uuid = wide): string => `
  ${alias}: updateResourceProvider(input: { resourceProvider: { uuid: "${uuid}" }, name: "${name}" }) {
    __typename
    ... on UpdateResourceProviderPayload { resourceProvider { ${selection} } }
    ... on CommittedError { ids message }
    ... on UserError { code }
  }`;

const nameOfWide = async (): Promise<unknown> => {
  const { resourceProvider } = await api.read<{ resourceProvider: { name: string } }>(
    '{ resourceProvider(by: { uuid: "' + wide + '" }) { name } }',
  );
  return resourceProvider.name;
};

describe('a payload that costs more than the rest of the budget', () => {
  const ids = [encodeGlobalID('ResourceProvider', wide)];

  test('does not hide the commit, and later mutations run and are answered', async () => {
    const { data, errors } = await frugal.query(
      `mutation { ${renamed('a', 'first', 'children { name }')}
        b: createTrait(input: { name: "CUSTOM_LATER" }) { ... on CreateTraitPayload { created trait { name } } }
        ${renamed('c', 'second', 'name parent { name }')} }`,
    );
    const message = 'The write was committed, but its payload could not be read.';
    expect(data).toEqual({
      a: { __typename: 'CommittedError', ids, message, code: 'COMMITTED' },
      b: { created: true, trait: { name: 'CUSTOM_LATER' } },
      c: { __typename: 'UpdateResourceProviderPayload', resourceProvider: { name: 'second', parent: null } },
    });
    expect(errors).toMatchObject([
      {
        path: ['a', 'resourceProvider', 'children'],
        message: expect.stringMatching(
          new RegExp(
            `${message} The operation costs \\d+; ${COST} is allowed. Read .*inTree.* instead of children.`,
          ),
        ) as unknown,
        extensions: { code: 'OUTCOME_UNKNOWN', committed: true, ids, reason: 'LIMIT_EXCEEDED' },
      },
    ]);
    expect(await nameOfWide()).toBe('second');
  });

  test('leaves later mutations the cost that was estimated for them', async () => {
    // uses up the budget object by object
    const costly = 'children { parent { children { parent { name } } } }';
    const unread = { __typename: 'CommittedError', ids: [encodeGlobalID('ResourceProvider', narrow)] };
    const { data, errors } = await frugal.query(
      `mutation { ${renamed('a', 'budget a', costly, narrow)}
        ${renamed('b', 'budget b', costly, narrow)}
        c: createTrait(input: { name: "bad" }) { ... on UserError { message code } }
        d: createTrait(input: { name: "CUSTOM_BUDGET" }) { ... on CreateTraitPayload { created } }
        ${renamed('e', 'budget e', costly, narrow)}
        ${renamed('f', 'budget f', 'name', narrow)} }`,
    );
    expect(data).toMatchObject({
      a: unread,
      b: unread,
      c: { message: expect.stringContaining('"bad"') as unknown, code: 'INVALID_INPUT' },
      d: { created: true },
      e: unread,
      f: { __typename: 'UpdateResourceProviderPayload', resourceProvider: { name: 'budget f' } },
    });
    expect(errors!.map(({ path }) => path![0])).toEqual(['a', 'b', 'e']);
    for (const { extensions } of errors!) expect(extensions).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  });

  test('is a CommittedError even if a nullable field could not be read', async () => {
    const { data, errors } = await frugal.query(
      `mutation { applyProviderTree(input: { root: { uuid: "${wide}", name: "second", traits: ["HW_NUMA_ROOT"] } }) {
        __typename
        ... on ApplyProviderTreePayload { root { children { name } } }
        ... on CommittedError { ids }
      } }`,
    );
    expect(data).toMatchObject({ applyProviderTree: { __typename: 'CommittedError' } });
    expect(errors).toMatchObject([{ extensions: { committed: true, reason: 'LIMIT_EXCEEDED' } }]);
  });

  test('is an error without a commit if nothing was written', async () => {
    const { data, errors } = await frugal.query(
      `mutation { applyProviderTree(input: { dryRun: true, root: { uuid: "${wide}", name: "third" } }) {
        __typename ... on ApplyProviderTreePayload { root { children { name } } } } }`,
    );
    expect(data).toEqual({ applyProviderTree: { __typename: 'ApplyProviderTreePayload', root: null } });
    expect(errors).toHaveLength(1);
    expect(errors![0].extensions).toEqual({ code: 'LIMIT_EXCEEDED', cost: expect.any(Number) as unknown });
    expect(await nameOfWide()).toBe('second');
  });

  test('a query over the limit fails, and the message states what to read instead', async () => {
    const failure = await frugal.failure(
      `{ resourceProvider(by: { uuid: "${wide}" }) { children { name } } }`,
    );
    expect(failure.code).toBe('LIMIT_EXCEEDED');
    expect(failure.message).toMatch(/Read resourceProviders\(filter: \{ inTree \}\) instead of children/);
  });
});

test('a list of any length is read within the budget', async () => {
  const { data } = await api.query<Record<string, { resourceProvider: { children: object[] } }>>(
    `mutation { ${renamed('a', 'fourth', 'children { name }')} }`,
  );
  expect(data.a.resourceProvider.children).toHaveLength(LONG);
});

test.each([
  ['allocations(first: 1001) { totalCount }', ['first']],
  ['allocations(consumerType: { none: false }) { totalCount }', ['consumerType', 'none']],
  ['descendants(maxDepth: 0) { name }', ['maxDepth']],
  ['treeConsumers(first: 1, last: 1) { totalCount }', ['last']],
  ['aggregates { resourceProviders(after: "x") { totalCount } }', ['after']],
  ['traits { ...Members }', ['last']],
])('a mutation that selects %s changes nothing, nor do earlier ones', async (selection, path) => {
  const before = await nameOfWide();
  const trait = `CUSTOM_${randomUUID().replaceAll('-', '_').toUpperCase()}`;
  const { data, errors } = await api.query(
    `mutation {
      createTrait(input: { name: "${trait}" }) { __typename }
      ${renamed('a', randomUUID(), selection)}
    }
    ${selection.includes('...') ? 'fragment Members on Trait { resourceProviders(last: -1) { totalCount } }' : ''}`,
  );
  expect(data).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path } }]);
  expect(await nameOfWide()).toBe(before);
  expect(await api.read(`{ trait(name: "${trait}") { name } }`)).toEqual({ trait: null });
});

test('a skipped selection with an invalid argument is not refused', async () => {
  const skipped = 'name allocations(first: 1001) @skip(if: true) { totalCount }';
  const { errors } = await api.query(`mutation { ${renamed('a', 'fifth', skipped)} }`);
  expect(errors).toBeUndefined();
});

/** Fields of payloads whose arguments only the database can reject. */
const UNCHECKED = ['ResourceProvider.inventory', 'ResourceProvider.treeTotals'];

test('every field of a payload with arguments checks them before the write', () => {
  const schema = buildSchema();
  const unchecked: string[] = [];
  const seen = new Set<GraphQLNamedType>();
  const open = Object.values(schema.getMutationType()!.getFields()).map(({ type }) => getNamedType(type));
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (isAbstractType(type)) open.push(...schema.getPossibleTypes(type));
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.args.length > 0 && field.extensions.checkArguments === undefined)
        unchecked.push(`${type.name}.${field.name}`);
      open.push(getNamedType(field.type));
    }
  }
  expect(unchecked.sort()).toEqual(UNCHECKED);
});
