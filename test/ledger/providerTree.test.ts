import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { createTrait } from '../../src/store/ledger/provider/traits.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { aProvider, expectRefused, storedProvider, uniqueNames } from './support.js';
import { apply, grow, shapeOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
beforeAll(async () => {
  await createTrait(database.ledger, { name: 'CUSTOM_GOLD' });
});

test('a new tree may take the name of the root that it is put on top of', async () => {
  const n = uniqueNames();
  const old = await grow(database, { name: n('cn') });
  const { rootUuid } = await apply(database, {
    name: n('cn'),
    children: [{ uuid: old[n('cn')], name: n('numa') }],
  });
  expect(await shapeOf(database, rootUuid!)).toBe(`${n('cn')}@0(${n('numa')}@1)`);
});

test('rules 6, 48: a tree may be 1,500 deep', async () => {
  const n = uniqueNames();
  const deep = (levels: number, leaf: string) => {
    let tree: Parameters<typeof apply>[1] = { name: n(leaf) };
    for (let level = levels; level > 0; level--) tree = { name: n(`level${level}`), children: [tree] };
    return tree;
  };
  const { rootUuid, changes } = await apply(database, deep(1500, 'leaf'));
  expect(changes).toHaveLength(1501);
  expect((await apply(database, deep(1500, 'other'))).done).toEqual([
    `CREATE ${n('other')}`,
    `DELETE ${n('leaf')}`,
  ]);
  const ends = await database.pool.query<{ name: string }[]>(
    `SELECT p.name FROM resource_providers p JOIN resource_providers r ON r.id = p.root_provider_id WHERE r.uuid = ?
     AND NOT EXISTS (SELECT 1 FROM resource_providers c WHERE c.parent_provider_id = p.id)`,
    [rootUuid],
  );
  expect(ends).toEqual([{ name: n('other') }]);
  const { uuid: parent } = changes[1499];
  expect(await storedProvider(database, await aProvider(database, parent))).toMatchObject({ root: rootUuid });
  await expectRefused(
    database,
    () => updateProvider(database.ledger, { resourceProvider: rootUuid!, parent }),
    { code: 'ILLEGAL_REPARENT' },
  );
});

test('rule 47: what is deleted goes with its inventories and links', async () => {
  const n = uniqueNames();
  const count = async () => {
    const tables = ['inventories', 'resource_provider_traits', 'resource_provider_aggregates'];
    const counts = tables.map((table) =>
      database.pool.query<{ n: number }[]>(`SELECT COUNT(*) AS n FROM ${table}`),
    );
    return (await Promise.all(counts)).map(([row]) => row.n);
  };
  await grow(database, { name: n('cn') });
  const before = await count();
  const child = {
    name: n('a'),
    inventories: { VCPU: 4 },
    traits: ['CUSTOM_GOLD'],
    aggregates: [randomUUID()],
  };
  await grow(database, { name: n('cn'), children: [child] });
  expect(await count()).not.toEqual(before);
  await apply(database, { name: n('cn'), children: [] });
  expect(await count()).toEqual(before);
});
