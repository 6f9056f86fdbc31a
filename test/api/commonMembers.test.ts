import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

/** So many that lists by what most providers have go through the providers by name. */
const PROVIDERS = 4500;
const COMMON = 'HW_CPU_X86_AVX';
const ALSO_COMMON = 'HW_CPU_X86_AVX2';
const RARE = 'HW_NUMA_ROOT';
const ZONE = 'aaaaaaaa-0000-4000-8000-000000000001';

interface Provider {
  readonly name: string;
  readonly traits: readonly string[];
  readonly isInZone: boolean;
}

const fleet = Array.from({ length: PROVIDERS }, (_, at): Provider => ({
  name: `p-${String((at * 7) % PROVIDERS).padStart(4, '0')}`, // in another order than their ids
  traits: [COMMON, ...(at % 2 === 0 ? [ALSO_COMMON] : []), ...(at % 500 === 0 ? [RARE] : [])],
  isInZone: at % 4 !== 2,
}));

let database: TestDatabase;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database);
  const { pool } = database;
  const uuidOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  await pool.batch(
    'INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id) VALUES (?, ?, ?, 0, ?)',
    fleet.map(({ name }, at) => [at + 1, uuidOf(at), name, at + 1]),
  );
  const traits = await pool.query<{ id: number; name: string }[]>('SELECT id, name FROM traits');
  const idOf = new Map(traits.map(({ id, name }) => [name, id]));
  await pool.batch(
    'INSERT INTO resource_provider_traits (resource_provider_id, trait_id) VALUES (?, ?)',
    fleet.flatMap((provider, at) => provider.traits.map((name) => [at + 1, idOf.get(name)])),
  );
  await pool.query('INSERT INTO placement_aggregates (id, uuid) VALUES (1, ?)', [ZONE]);
  await pool.batch(
    'INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (?, 1)',
    fleet.flatMap(({ isInZone }, at) => (isInZone ? [[at + 1]] : [])),
  );
});

afterAll(async () => {
  await api.close();
  await database.close();
});

const has = (trait: string) => (provider: Provider) => provider.traits.includes(trait);

test.each<[string, object, (provider: Provider) => boolean]>([
  ['a common trait', { requiredTraits: [[COMMON]] }, has(COMMON)],
  ['two', { requiredTraits: [[COMMON], [ALSO_COMMON]] }, has(ALSO_COMMON)],
  ['one of two', { requiredTraits: [[ALSO_COMMON, RARE]] }, has(ALSO_COMMON)],
  ['a common and a rare one', { requiredTraits: [[COMMON], [RARE]] }, has(RARE)],
  ['a common aggregate', { memberOf: [[ZONE]] }, ({ isInZone }) => isInZone],
  [
    'both, and not another trait',
    { requiredTraits: [[COMMON]], memberOf: [[ZONE]], forbiddenTraits: [ALSO_COMMON] },
    (provider) => provider.isInZone && !has(ALSO_COMMON)(provider),
  ],
  [
    'a common trait outside of an aggregate',
    { requiredTraits: [[ALSO_COMMON]], forbiddenAggregates: [ZONE], rootsOnly: true },
    (provider) => has(ALSO_COMMON)(provider) && !provider.isInZone,
  ],
])('pages from either end, of providers with %s', async (_, filter, matches) => {
  const expected = fleet
    .filter(matches)
    .map(({ name }) => name)
    .sort();
  const page = async (bounds: string) => {
    const { data, errors } = await api.query<{
      resourceProviders: {
        totalCount: number;
        nodes: { name: string }[];
        pageInfo: { startCursor: string; endCursor: string };
      };
    }>(
      `query ($filter: ResourceProviderFilter) {
         resourceProviders(filter: $filter, ${bounds}) { totalCount nodes { name } pageInfo { startCursor endCursor } }
       }`,
      { filter },
    );
    expect(errors).toBeUndefined();
    const { totalCount, nodes, pageInfo } = data.resourceProviders;
    expect(totalCount).toBe(expected.length);
    return { names: nodes.map(({ name }) => name), pageInfo };
  };
  const first = await page('first: 60');
  expect(first.names).toEqual(expected.slice(0, 60));
  const next = await page(`first: 60, after: "${first.pageInfo.endCursor}"`);
  expect(next.names).toEqual(expected.slice(60, 120));
  const last = await page('last: 60');
  expect(last.names).toEqual(expected.slice(-60));
  const earlier = await page(`last: 60, before: "${last.pageInfo.startCursor}"`);
  expect(earlier.names).toEqual(expected.slice(0, -60).slice(-60));
});
