import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';

const { api, database } = useApi();
let uuids: Record<string, string>;

const RACK = 'aaaaaaaa-0000-4000-8000-000000000001';
const ZONE = 'aaaaaaaa-0000-4000-8000-000000000002';
const FAR = 'aaaaaaaa-0000-4000-8000-000000000003';
const SHARES = ['MISC_SHARES_VIA_AGGREGATE'];

beforeAll(async () => {
  uuids = await createProviders(api, {
    name: 'root',
    aggregates: [RACK],
    children: [
      {
        name: 'b',
        children: [{ name: 'b2' }, { name: 'b1', aggregates: [ZONE], children: [{ name: 'b1x' }] }],
      },
      { name: 'C' },
      { name: 'a', traits: SHARES, aggregates: [RACK] },
    ],
  });
  await createProviders(api, { name: 'storage of the rack', traits: SHARES, aggregates: [RACK] });
  await createProviders(api, {
    name: 'pool',
    children: [{ name: 'a child that shares with the zone', traits: SHARES, aggregates: [ZONE, RACK] }],
  });
  await createProviders(api, { name: 'storage far away', traits: SHARES, aggregates: [FAR] });
  await createProviders(api, { name: 'neighbour that does not share', aggregates: [RACK, ZONE] });
});

const ask = async (name: string, selection: string) =>
  (await api.read(`{ resourceProvider(by: { name: "${name}" }) { ${selection} } }`)).resourceProvider;
const named = (...names: string[]) => names.map((name) => ({ name }));

test('a provider is found by its name', async () => {
  expect(await ask('b', 'uuid')).toEqual({ uuid: uuids.b });
  expect(await ask('B', 'uuid')).toBeNull();
});

describe('navigation', () => {
  test('children come by name, upper case first', async () => {
    expect(await ask('root', 'children { name }')).toEqual({ children: named('C', 'a', 'b') });
    expect(await ask('b1x', 'children { name }')).toEqual({ children: [] });
  });

  test('descendants are listed depth first, to the requested depth', async () => {
    const depths = 'one: descendants(maxDepth: 1) { name } two: descendants(maxDepth: 2) { name }';
    expect(await ask('root', `descendants { name } ${depths}`)).toEqual({
      descendants: named('C', 'a', 'b', 'b1', 'b1x', 'b2'),
      one: named('C', 'a', 'b'),
      two: named('C', 'a', 'b', 'b1', 'b2'),
    });
    expect(await ask('b', 'descendants { name }')).toEqual({ descendants: named('b1', 'b1x', 'b2') });
  });

  test('a maxDepth below 1 is INVALID_INPUT', async () => {
    const document = '{ resourceProvider(by: { name: "root" }) { descendants(maxDepth: 0) { name } } }';
    expect(await api.failure(document)).toMatchObject(invalidInput('maxDepth'));
  });

  test('ancestors go from the parent to the root', async () => {
    const parents = 'parent { name parent { name parent { name parent { name } } } }';
    expect(await ask('b1x', `ancestors { name } ${parents} root { name }`)).toEqual({
      ancestors: named('b1', 'b', 'root'),
      parent: { name: 'b1', parent: { name: 'b', parent: { name: 'root', parent: null } } },
      root: { name: 'root' },
    });
    expect(await ask('root', 'ancestors { name } parent { name } root { name }')).toEqual({
      ancestors: [],
      parent: null,
      root: { name: 'root' },
    });
  });
});

describe('sharing providers (rule 144)', () => {
  const outside = named('a child that shares with the zone', 'storage of the rack');

  test('of a tree are those of other trees in an aggregate of any of its providers', async () => {
    expect(await ask('root', 'sharingProviders { name }')).toEqual({ sharingProviders: outside });
    expect(await ask('b1x', 'sharingProviders { name }')).toEqual({ sharingProviders: outside });
  });

  test('of a sharing provider do not include itself', async () => {
    expect(await ask('storage of the rack', 'isSharing sharingProviders { name }')).toEqual({
      isSharing: true,
      sharingProviders: named('a', 'a child that shares with the zone'),
    });
  });

  test('do not exist for a tree without aggregates', async () => {
    await createProviders(api, { name: 'lonely' });
    expect(await ask('lonely', 'isSharing sharingProviders { name }')).toEqual({
      isSharing: false,
      sharingProviders: [],
    });
  });
});

test('the server answers for a cycle of parents that another program has left', async () => {
  const { x, y } = await createProviders(api, {
    name: 'circle',
    children: [{ name: 'x', children: [{ name: 'y' }] }],
  });
  await database.pool.query(
    `UPDATE resource_providers c JOIN resource_providers p ON p.uuid = ? SET c.parent_provider_id = p.id WHERE c.uuid = ?`,
    [y, x],
  );
  expect(await ask('x', 'ancestors { name } descendants { name }')).toEqual({
    ancestors: named('y'),
    descendants: named('y'),
  });
});
