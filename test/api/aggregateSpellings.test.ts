import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { edit, requestOf } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addAggregate, SPELLINGS } from '../support/otherSpellings.js';
import type { Named } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });

const RACK = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11';
const [ONE, TWO, POOL] = ['one', 'two', 'pool'].map((name) => uuidOf('provider', name));

/** The default of OpenStack Placement's tables ignores case; ours does not. */
const COLLATIONS = ['utf8mb4_bin', 'utf8mb3_general_ci'];
const isCase = (spelling: string): boolean => spelling.endsWith('case');

describe.each(COLLATIONS)('%s', (collation) => {
  beforeAll(() =>
    database.pool.query(`ALTER TABLE placement_aggregates MODIFY uuid varchar(36) COLLATE ${collation}`),
  );
  beforeEach(() =>
    loadForest(database, forest('one VCPU:4\ntwo VCPU:4\nthree VCPU:4\npool DISK_GB:100 sharing')),
  );

  const candidates = async (group: object, resources: Record<string, number> = { VCPU: 1 }) => {
    const { allocationCandidates } = await api.read<{
      allocationCandidates: { allocationRequests: { allocations: { resourceProvider: Named }[] }[] };
    }>(
      `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) {
         allocationRequests { allocations { resourceProvider { name } } } } }`,
      { request: requestOf(resources, group) },
    );
    return allocationCandidates.allocationRequests
      .map(({ allocations }) =>
        allocations
          .map(({ resourceProvider }) => resourceProvider.name)
          .sort()
          .join('+'),
      )
      .sort();
  };

  const members = async () => {
    const { aggregate, aggregates } = await api.read<{
      aggregate: {
        uuid: string;
        name: string;
        resourceProviders: { totalCount: number; nodes: Named[] };
      } | null;
      aggregates: { totalCount: number; nodes: { uuid: string }[] };
    }>(
      `query ($uuid: UUID!) {
         aggregate(by: { uuid: $uuid }) { uuid name resourceProviders { totalCount nodes { name } } }
         aggregates { totalCount nodes { uuid } } }`,
      { uuid: RACK },
    );
    expect(aggregates).toEqual(
      aggregate ? { totalCount: 1, nodes: [{ uuid: RACK }] } : { totalCount: 0, nodes: [] },
    );
    expect(aggregate?.uuid ?? RACK).toBe(RACK);
    const { nodes = [], totalCount = 0 } = aggregate?.resourceProviders ?? {};
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ name }) => name);
  };

  const stored = async (): Promise<string[]> => {
    const rows = await database.pool.query<{ text: string }[]>(
      `SELECT CONCAT(p.name, ' ', a.uuid) AS text FROM resource_provider_aggregates l
         JOIN resource_providers p ON p.id = l.resource_provider_id JOIN placement_aggregates a ON a.id = l.aggregate_id
        ORDER BY p.id, a.id`,
    );
    return rows.map(({ text }) => text);
  };

  test.each(Object.entries(SPELLINGS))(
    'an aggregate in %s is found, edited and named',
    async (_, spelled) => {
      await addAggregate(database, spelled(RACK), ONE, TWO);
      expect(await candidates({ memberOf: [[{ uuid: RACK }]] })).toEqual(['one', 'two']);
      expect(await candidates({ forbiddenAggregates: [{ uuid: RACK }] })).toEqual(['three']);
      expect(await members()).toEqual(['one', 'two']);
      const named = await api.mutate('nameAggregate', { aggregate: { uuid: RACK }, name: 'rack' });
      expect(named).toEqual({ __typename: 'NameAggregatePayload' });

      const selection = 'resourceProvider { generation aggregates { uuid name } }';
      const isIn = (generation: number) => ({
        resourceProvider: { generation, aggregates: [{ uuid: RACK, name: 'rack' }] },
      });
      expect(await edit(api, ONE, { aggregates: { add: [{ uuid: RACK }] } }, selection)).toMatchObject(
        isIn(0),
      );
      expect(await edit(api, ONE, { aggregates: { set: [{ uuid: RACK }] } }, selection)).toMatchObject(
        isIn(0),
      );
      expect(await edit(api, POOL, { aggregates: { add: [{ uuid: RACK }] } }, selection)).toMatchObject(
        isIn(1),
      );
      expect(await stored()).toEqual(['one', 'two', 'pool'].map((name) => `${name} ${spelled(RACK)}`));
      expect(await candidates({}, { VCPU: 1, DISK_GB: 1 })).toEqual(['one+pool', 'pool+two']);
      await edit(api, ONE, { aggregates: { remove: [{ uuid: RACK }] } });
      expect(await members()).toEqual(['pool', 'two']);
      expect(await candidates({ memberOf: [[{ uuid: RACK }]] })).toEqual(['two']);
    },
  );

  const others = Object.entries(SPELLINGS).filter(([name]) => collation === 'utf8mb4_bin' || !isCase(name));

  test.each(others)('rows in the usual spelling and in %s are one aggregate', async (_, spelled) => {
    await addAggregate(database, spelled(RACK), ONE, POOL);
    await addAggregate(database, RACK, TWO, POOL);
    expect(await candidates({ memberOf: [[{ uuid: RACK }]] })).toEqual(['one', 'two']);
    expect(await candidates({ forbiddenAggregates: [{ uuid: RACK }] })).toEqual(['three']);
    expect(await candidates({}, { VCPU: 1, DISK_GB: 1 })).toEqual(['one+pool', 'pool+two']);
    expect(await members()).toEqual(['one', 'pool', 'two']);
    const { fleetTotals, pool, one } = await api.read<Record<'fleetTotals' | 'pool' | 'one', unknown>>(
      `query ($one: UUID!, $pool: UUID!) {
         fleetTotals(groupBy: AGGREGATE) { nodes { resourceClass { name } capacity group { ... on Aggregate { uuid } } } }
         pool: resourceProvider(by: { uuid: $pool }) { aggregates { uuid } }
         one: resourceProvider(by: { uuid: $one }) { sharingProviders { name } } }`,
      { one: ONE, pool: POOL },
    );
    expect(fleetTotals).toEqual({
      nodes: [
        { resourceClass: { name: 'DISK_GB' }, capacity: 100, group: { uuid: RACK } },
        { resourceClass: { name: 'VCPU' }, capacity: 8, group: { uuid: RACK } },
      ],
    });
    expect({ pool, one }).toEqual({
      pool: { aggregates: [{ uuid: RACK }] },
      one: { sharingProviders: [{ name: 'pool' }] },
    });
    await edit(api, POOL, { aggregates: { set: [{ uuid: RACK }] } });
    expect(await stored()).toHaveLength(4);
    await edit(api, POOL, { aggregates: { remove: [{ uuid: RACK }] } });
    expect(await stored()).toEqual([`one ${spelled(RACK)}`, `two ${RACK}`]);
  });
});

test('a page of aggregates has them by uuid, however they are stored', async () => {
  await loadForest(database, forest('one VCPU:4'));
  const uuids = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}0000000-0000-4000-8000-00000000000f`);
  const spelled = Object.values(SPELLINGS);
  for (const [at, uuid] of [...uuids.entries()].reverse()) await addAggregate(database, spelled[at](uuid));
  const page = async (args: string) => {
    const { aggregates } = await api.read<{
      aggregates: { nodes: { uuid: string }[]; pageInfo: { endCursor: string } };
    }>(`{ aggregates(${args}) { nodes { uuid } pageInfo { endCursor } } }`);
    return { ...aggregates, nodes: aggregates.nodes.map(({ uuid }) => uuid) };
  };
  const first = await page('first: 2');
  const second = await page(`first: 9, after: "${first.pageInfo.endCursor}"`);
  expect([first.nodes, second.nodes]).toEqual([uuids.slice(0, 2), uuids.slice(2)]);
  expect((await page('last: 2')).nodes).toEqual(uuids.slice(3));
});
