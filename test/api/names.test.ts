import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import {
  claimed,
  claimInput,
  edit,
  newConsumers,
  nodeId,
  requestOf,
  setAllocations,
  shown,
  takes,
} from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { unchanged } from '../support/unchanged.js';

/** Keys are stored and found exactly as sent, or rejected, whatever the collation (rule 7). */
const CHARACTERS = [
  'utf8mb4 COLLATE utf8mb4_bin',
  'utf8mb3 COLLATE utf8mb3_bin',
  'utf8mb3 COLLATE utf8mb3_general_ci',
  'latin1',
];
const TABLES = [
  'resource_providers',
  'traits',
  'resource_classes',
  'placement_aggregates',
  'consumers',
  'allocations',
  'projects',
  'users',
  'consumer_types',
];

const { database, api } = useApi();

describe.each(CHARACTERS)('tables of %s', (characters) => {
  const host = uuidOf('provider', 'host');

  beforeAll(async () => {
    await loadForest(database, forest('host VCPU:99'));
    for (const table of TABLES)
      await database.pool.query(`ALTER TABLE ${table} CONVERT TO CHARACTER SET ${characters}`);
    await claimed(api, { [host]: { VCPU: 1 } }, { projectId: 'prj', userId: 'usr' });
  });

  const claim = (owner: object) => takes(randomUUID(), null, { [host]: { VCPU: 1 } }, owner);

  test('an id of a project or user with a trailing space is rejected', async () => {
    const CONSUMERS = 'query ($filter: ConsumerFilter) { consumers(filter: $filter) { totalCount } }';
    const USAGES = `query ($projectId: String!, $userId: String) {
      usages(projectId: $projectId, userId: $userId) { consumerCount }
    }`;
    await unchanged(database, async () => {
      for (const id of ['prj ', 'new  ', ' '])
        for (const field of ['projectId', 'userId']) {
          const message = expect.stringContaining(JSON.stringify(id)) as unknown;
          expect([
            await setAllocations(api, claim({ [field]: id })),
            await api.failure(CONSUMERS, { filter: { [field]: id } }),
            await api.failure(USAGES, { projectId: 'prj', [field]: id }),
          ]).toMatchObject([
            { ...invalidInput(`consumers.0.${field}`), message },
            { ...invalidInput(`filter.${field}`), message },
            { ...invalidInput(field), message },
          ]);
        }
    });
  });

  test('a leading or inner space is part of an id', async () => {
    const input = claim({ projectId: ' prj', userId: 'u s r' });
    await setAllocations(api, input);
    expect(await shown(api, input.consumer)).toMatchObject({ projectId: ' prj', userId: 'u s r' });
  });

  test('a provider is found by exactly its name', async () => {
    const found = (name: string) =>
      api.read(
        `query ($name: String!) { one: resourceProvider(by: { name: $name }) { name }
                                  list: resourceProviders(filter: { name: $name }) { totalCount nodes { name } } }`,
        { name },
      );
    const nothing = { one: null, list: { totalCount: 0, nodes: [] } };
    expect(await found('host ')).toEqual(nothing);
    expect(await api.mutate('createResourceProvider', { name: 'host ' })).toMatchObject({
      code: 'DUPLICATE_NAME',
    });
    const { 'spaced ': uuid } = await createProviders(api, { name: 'spaced ' });
    expect(await found('spaced')).toEqual(nothing);
    expect(await found('spaced ')).toEqual({
      one: { name: 'spaced ' },
      list: { totalCount: 1, nodes: [{ name: 'spaced ' }] },
    });
    await edit(api, uuid, { name: 'spaced' });
    expect(await found('spaced')).toMatchObject({ one: { name: 'spaced' } });
    expect(await found('spaced ')).toEqual(nothing);
  });

  test('traits, classes and consumer types are found by exactly their name', async () => {
    const names = ['HW_NUMA_ROOT ', 'VCPU ', 'hw_numa_root'];
    const traits = await api.read(
      'query ($names: [String!]) { traits(filter: { nameIn: $names }) { name } }',
      {
        names,
      },
    );
    expect(traits).toEqual({ traits: [] });
    const failure = await api.failure('{ consumers(filter: { resourceClass: "VCPU " }) { totalCount } }');
    expect(failure.code).toBe('INVALID_INPUT');
  });

  const canHold = characters.startsWith('utf8mb4');
  const ICE = 'ice \u{1F9CA}';

  test('a cursor with a text that the tables cannot hold is rejected', async () => {
    const cursor = Buffer.from(`name:${ICE}`).toString('base64url');
    const pages = '(after: $cursor) { pageInfo { hasNextPage } }';
    for (const [list, isOfUuids] of [
      [`users${pages}`, false],
      [`projects${pages}`, false],
      [`trait(name: "HW_NUMA_ROOT") { resourceProviders${pages} }`, false],
      [`aggregates${pages}`, true],
    ] as const) {
      const { errors } = await api.query(`query ($cursor: String) { ${list} }`, { cursor });
      if (canHold && !isOfUuids) expect(errors).toBeUndefined();
      else expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path: ['after'] } }]);
    }
  });

  test('a global id with such a text finds no object', async () => {
    const types = ['ResourceProvider', 'Aggregate', 'Consumer', 'Allocation', 'Inventory', 'Trait'];
    const ids = [...types, 'ResourceClass', 'ConsumerType', 'Project', 'User'].map((type) =>
      nodeId(type, ICE),
    );
    const data = await api.read('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(data).toEqual({ nodes: ids.map(() => null) });
  });

  if (!canHold) return; // test/adopt/characters.test.ts has the rejected writes

  test('the tables take a text with such characters in every write', async () => {
    const writes: [field: string, input: object][] = [
      ['createResourceProvider', { name: ICE }],
      ['updateResourceProvider', { resourceProvider: { uuid: host }, name: `${ICE}2` }],
      ['applyProviderTree', { root: { name: `${ICE}3`, children: [] } }],
      ['setAllocations', { consumers: [claim({ projectId: ICE }), claim({ userId: ICE })] }],
      ['claim', claimInput(requestOf({ VCPU: 1 }), [{ ...newConsumers()[0], projectId: ICE }])],
    ];
    for (const [field, input] of writes) expect(await api.mutate(field, input)).not.toHaveProperty('code');
  });
});
