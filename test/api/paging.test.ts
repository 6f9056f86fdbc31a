import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import type { Page } from '../support/shapes.js';

const { api } = useApi({ hasBackground: false });

const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000001';
/** In the order of the list: by code point, so that an emoji comes after a private-use character. */
const NAMES = ['', 'B', 'a', 'a b', 'aa', 'b\'"%_\\', 'ä', '\ue000', '😀'].map((end) => `host-${end}`);

const SELECTION = `{ edges { cursor node { name } } nodes { name } totalCount
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;

beforeAll(async () => {
  for (const name of [...NAMES].reverse())
    await createProviders(api, { name, traits: ['HW_NUMA_ROOT'], aggregates: [AGGREGATE] });
});

const documentOf = (args: string) => `{ list: resourceProviders${args && `(${args})`} ${SELECTION} }`;
const page = async (args: string) => (await api.read<{ list: Page }>(documentOf(args))).list;

describe('resourceProviders', () => {
  test('are ordered by code point', async () => {
    expect((await page('first: 9')).nodes.map(({ name }) => name)).toEqual(NAMES);
  });

  test('between two cursors, a page is limited from its end', async () => {
    const { edges } = await page('first: 9');
    const between = `after: "${edges[1].cursor}", before: "${edges[6].cursor}"`;
    for (const [args, names] of [
      ['first: 2', NAMES.slice(2, 4)],
      ['last: 2', NAMES.slice(4, 6)],
    ] as const)
      expect((await page(`${args}, ${between}`)).nodes.map(({ name }) => name)).toEqual(names);
  });

  test('a cursor stays good when its provider is gone', async () => {
    const { extra } = await createProviders(api, { name: 'extra' });
    const { edges } = await page('first: 1');
    expect(edges[0].node.name).toBe('extra');
    await api.mutate('deleteResourceProvider', { resourceProvider: { uuid: extra } });
    expect((await page(`first: 1, after: "${edges[0].cursor}"`)).nodes).toEqual([{ name: NAMES[0] }]);
  });

  test('first and last exclude each other', async () => {
    expect(await api.failure(documentOf('first: 1, last: 1'))).toMatchObject(invalidInput('last'));
  });

  test('has 100 objects by default', async () => {
    const children = Array.from({ length: 150 }, (_, at) => ({ name: `many-${at}` }));
    await api.mutate('applyProviderTree', { root: { name: 'many', children } });
    const { nodes, totalCount } = await page('');
    expect([nodes.length, totalCount]).toEqual([100, NAMES.length + 151]);
  });

  test('a list is counted only if totalCount is selected', async () => {
    const statements = await api.statements(() =>
      api.query('{ resourceProviders(first: 1) { nodes { name } } }'),
    );
    // the list and its count come from the snapshot; the process may write a row of its own to the feed meanwhile
    expect(statements.filter((sql) => !sql.startsWith('INSERT INTO placement_feed_changes'))).toHaveLength(1);
  });
});
