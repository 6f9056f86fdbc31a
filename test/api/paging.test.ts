import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';

const { api } = useApi({ hasBackground: false });

const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000001';
/** In the order of the list: by code point, so that an emoji comes after a private-use character. */
const NAMES = ['', 'B', 'a', 'a b', 'aa', 'b\'"%_\\', 'ä', '\ue000', '😀'].map((end) => `host-${end}`);

interface Connection {
  edges: { cursor: string; node: { name: string } }[];
  nodes: { name: string }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  totalCount: number;
}

const SELECTION = `{ edges { cursor node { name } } nodes { name } totalCount
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;

/** Every list of providers: the same laws hold for all of them. */
const LISTS: Record<string, (args: string) => string> = {
  resourceProviders: (args) => `list: resourceProviders(${args}) ${SELECTION}`,
  'Trait.resourceProviders': (args) =>
    `owner: trait(name: "HW_NUMA_ROOT") { list: resourceProviders(${args}) ${SELECTION} }`,
  'Aggregate.resourceProviders': (args) =>
    `owner: aggregate(by: { uuid: "${AGGREGATE}" }) { list: resourceProviders(${args}) ${SELECTION} }`,
};

beforeAll(async () => {
  for (const name of [...NAMES].reverse())
    await createProviders(api, { name, traits: ['HW_NUMA_ROOT'], aggregates: [AGGREGATE] });
});

const send = (list: string, args: string) =>
  api.query<{ list: Connection; owner: { list: Connection } }>(`{ ${LISTS[list](args)} }`);

const page = async (list: string, args: string) => {
  const { data, errors } = await send(list, args);
  expect(errors).toBeUndefined();
  return data.list ?? data.owner.list;
};

describe.each(Object.keys(LISTS))('%s', (list) => {
  test.each([1, 2, 4, 9, 10])('walked forwards by %d gives everything once, in order', async (size) => {
    const seen: string[] = [];
    let after = '';
    for (let more = true; more;) {
      const { edges, nodes, pageInfo, totalCount } = await page(list, `first: ${size}${after}`);
      expect(nodes).toEqual(edges.map(({ node }) => node));
      expect(totalCount).toBe(NAMES.length);
      expect(pageInfo).toMatchObject({
        startCursor: edges[0].cursor,
        endCursor: edges.at(-1)!.cursor,
        hasPreviousPage: seen.length > 0,
      });
      seen.push(...nodes.map(({ name }) => name));
      expect(pageInfo.hasNextPage).toBe(seen.length < NAMES.length);
      more = pageInfo.hasNextPage;
      after = `, after: "${pageInfo.endCursor}"`;
    }
    expect(seen).toEqual(NAMES);
  });

  test('first: 0 is an empty page that tells whether there is more', async () => {
    expect(await page(list, 'first: 0')).toEqual({
      edges: [],
      nodes: [],
      totalCount: NAMES.length,
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  test.each([
    ['first: -1', 'first'],
    ['first: 1001', 'first'],
    ['first: 1, after: "nonsense"', 'after'],
    ['first: 1, after: ""', 'after'],
    [`first: 1, after: "${Buffer.from('[1,2]').toString('base64url')}"`, 'after'],
  ])('(%s) is INVALID_INPUT', async (args, argument) => {
    const { errors } = await send(list, args);
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path: [argument] } }]);
  });

  test('first: 1000 is allowed', async () => {
    expect((await page(list, 'first: 1000')).nodes).toHaveLength(NAMES.length);
  });
});

describe('resourceProviders', () => {
  test.each([1, 2, 4, 9, 10])(
    'walked backwards by %d gives the same pages in the same order',
    async (size) => {
      const seen: string[] = [];
      let before = '';
      for (let more = true; more;) {
        const { nodes, pageInfo } = await page('resourceProviders', `last: ${size}${before}`);
        expect(pageInfo.hasNextPage).toBe(seen.length > 0);
        seen.unshift(...nodes.map(({ name }) => name));
        expect(pageInfo.hasPreviousPage).toBe(seen.length < NAMES.length);
        more = pageInfo.hasPreviousPage;
        before = `, before: "${pageInfo.startCursor}"`;
      }
      expect(seen).toEqual(NAMES);
    },
  );

  test('between two cursors lies what lies between them', async () => {
    const { edges } = await page('resourceProviders', 'first: 9');
    const between = `after: "${edges[1].cursor}", before: "${edges[6].cursor}"`;
    const names = async (args: string) =>
      (await page('resourceProviders', args)).nodes.map(({ name }) => name);
    expect(await names(`first: 10, ${between}`)).toEqual(NAMES.slice(2, 6));
    expect(await names(`first: 2, ${between}`)).toEqual(NAMES.slice(2, 4));
    expect(await names(`last: 2, ${between}`)).toEqual(NAMES.slice(4, 6));
  });

  test('a cursor stays good when its provider is gone', async () => {
    const { extra } = await createProviders(api, { name: 'extra' });
    const { edges } = await page('resourceProviders', 'first: 1');
    expect(edges[0].node.name).toBe('extra');
    await api.mutate('deleteResourceProvider', { resourceProvider: { uuid: extra } });
    expect((await page('resourceProviders', `first: 1, after: "${edges[0].cursor}"`)).nodes).toEqual([
      { name: NAMES[0] },
    ]);
  });

  test.each([
    ['last: -1', 'last'],
    ['last: 1001', 'last'],
    ['first: 1, last: 1', 'last'],
    ['last: 1, before: "nonsense"', 'before'],
  ])('(%s) is INVALID_INPUT', async (args, argument) => {
    const { data, errors } = await send('resourceProviders', args);
    expect(data).toEqual({ list: null });
    expect(errors).toMatchObject([
      { path: ['list'], extensions: { code: 'INVALID_INPUT', path: [argument] } },
    ]);
  });

  test('has 100 objects by default', async () => {
    await Promise.all(
      Array.from({ length: 150 }, (_, i) => api.mutate('createResourceProvider', { name: `many-${i}` })),
    );
    const { data } = await api.query<{ resourceProviders: Connection }>(
      '{ resourceProviders { nodes { name } totalCount } }',
    );
    expect(data.resourceProviders.nodes).toHaveLength(100);
    expect(data.resourceProviders.totalCount).toBe(NAMES.length + 150);
  });

  test('counts only when asked', async () => {
    const statements = await api.statements(() =>
      api.query('{ resourceProviders(first: 1) { nodes { name } } }'),
    );
    expect(statements).toHaveLength(1);
  });
});
