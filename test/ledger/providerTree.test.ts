import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { createTrait } from '../../src/ledger/provider/traits.js';
import { expectUnchanged, inventory, storedProvider } from './support.js';
import { apply, grow, restated, shapeOf, treeOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
beforeAll(async () => {
  await createTrait(database.ledger, { name: 'CUSTOM_GOLD' });
  await createTrait(database.ledger, { name: 'CUSTOM_SILVER' });
});

let made = 0;
/** Names of its own for each test: n('root') is "root-7". */
function names(): (name: string) => string {
  const suffix = ++made;
  return (name) => `${name}-${suffix}`;
}

describe('a new tree', () => {
  test('is created with everything, at generation 0', async () => {
    const n = names();
    const [uuid, aggregate] = [randomUUID(), randomUUID()];
    const root = {
      uuid,
      name: n('cn'),
      inventories: [inventory('DISK_GB', 100, { reserved: 10, allocationRatio: 1.5 })],
      traits: ['CUSTOM_GOLD'],
      aggregates: [aggregate],
      children: [
        { name: n('numa0'), inventories: [inventory('VCPU', 8)], children: [{ name: n('pf0') }] },
        { name: n('numa1'), traits: ['CUSTOM_SILVER', 'CUSTOM_GOLD'], aggregates: [aggregate, randomUUID()] },
      ],
    };
    const applied = await apply(database, root);
    expect(applied.rootUuid).toBe(uuid);
    expect(applied.reshaped).toBe(false);
    expect(applied.done).toEqual(['cn', 'numa0', 'pf0', 'numa1'].map((name) => `CREATE ${n(name)}`));
    const stored = await treeOf(database, uuid);
    expect(applied.changes[2].uuid).toBe(stored.children[0].children[0].uuid);
    expect(stored).toMatchObject({
      name: n('cn'),
      generation: 0,
      inventories: { DISK_GB: 100 },
      traits: ['CUSTOM_GOLD'],
      aggregates: [aggregate],
      children: [
        {
          inventories: { VCPU: 8 },
          generation: 0,
          children: [{ name: n('pf0'), generation: 0, inventories: {} }],
        },
        { traits: ['CUSTOM_GOLD', 'CUSTOM_SILVER'], generation: 0 },
      ],
    });
    expect(stored.children[1].aggregates).toHaveLength(2);
    await expectUnchanged(database, async () => {
      const again = await apply(database, root);
      expect(again).toMatchObject({ rootUuid: uuid, changes: [], reshaped: false });
    });
  });

  test('gets uuids that are made up where none are given', async () => {
    const n = names();
    const { rootUuid, changes } = await apply(database, { name: n('cn'), children: [{ name: n('numa') }] });
    expect((await storedProvider(database, changes[1].uuid!)).parent).toBe(rootUuid);
  });

  test('may be put on top of existing trees', async () => {
    const n = names();
    const a = await grow(database, { name: n('a'), children: [{ name: n('below') }] });
    const b = await grow(database, { name: n('b') });
    const { rootUuid, done } = await apply(database, {
      name: n('top'),
      children: [
        { uuid: a[n('a')], name: n('a') },
        { uuid: b[n('b')], name: n('b') },
      ],
    });
    expect(done).toEqual([`CREATE ${n('top')}`, `UPDATE ${n('a')}`, `UPDATE ${n('b')}`]);
    expect(await shapeOf(database, rootUuid!)).toBe(
      `${n('top')}@0(${n('a')}@1(${n('below')}@0) ${n('b')}@1)`,
    );
  });

  test('may take the name of the root that it is put on top of', async () => {
    const n = names();
    const old = await grow(database, { name: n('cn') });
    const { rootUuid } = await apply(database, {
      name: n('cn'),
      children: [{ uuid: old[n('cn')], name: n('numa') }],
    });
    expect(await shapeOf(database, rootUuid!)).toBe(`${n('cn')}@0(${n('numa')}@1)`);
  });
});

describe('matching', () => {
  test('by uuid, whatever the name and place; else by name within the tree', async () => {
    const n = names();
    const old = await grow(database, {
      name: n('cn'),
      children: [{ name: n('a'), children: [{ name: n('b') }] }, { name: n('c') }],
    });
    const { done } = await apply(database, {
      name: n('cn'),
      children: [
        { name: n('c'), children: [{ name: n('b') }] },
        { uuid: old[n('a')], name: n('new') },
      ],
    });
    expect(done).toEqual([`UPDATE ${n('b')}`, `UPDATE ${n('new')}`]);
    const stored = await treeOf(database, old[n('cn')]);
    expect(stored.children[0]).toMatchObject({ uuid: old[n('c')], children: [{ uuid: old[n('b')] }] });
    expect(stored.children[1]).toMatchObject({ uuid: old[n('a')], name: n('new'), children: [] });
  });

  test('an unknown uuid is a new provider, also under a name that the tree has to give', async () => {
    const n = names();
    const old = await grow(database, { name: n('cn'), children: [{ name: n('gpu') }] });
    const uuid = randomUUID();
    const { done } = await apply(database, { name: n('cn'), children: [{ uuid, name: n('gpu') }] });
    expect(done).toEqual([`CREATE ${n('gpu')}`, `DELETE ${n('gpu')}`]);
    expect((await treeOf(database, old[n('cn')])).children).toMatchObject([{ uuid, name: n('gpu') }]);
  });

  test('the root is found by its uuid and renamed, or by its name', async () => {
    const n = names();
    const old = await grow(database, { name: n('cn') });
    const uuid = old[n('cn')];
    expect((await apply(database, { uuid, name: n('renamed') })).done).toEqual([`UPDATE ${n('renamed')}`]);
    expect(await apply(database, { name: n('renamed') })).toMatchObject({ rootUuid: uuid, changes: [] });
  });

  test('a uuid from another tree is moved in, with everything below it', async () => {
    const n = names();
    const other = await grow(database, {
      name: n('other'),
      children: [{ name: n('gpu'), children: [{ name: n('vf'), children: [{ name: n('deep') }] }] }],
    });
    await grow(database, { name: n('cn') });
    const applied = await apply(database, {
      name: n('cn'),
      children: [{ uuid: other[n('gpu')], name: n('gpu') }],
    });
    expect(applied.done).toEqual([`UPDATE ${n('gpu')}`]);
    const shape = `${n('cn')}@0(${n('gpu')}@1(${n('vf')}@0(${n('deep')}@0)))`;
    expect(await shapeOf(database, applied.rootUuid!)).toBe(shape);
    expect(await shapeOf(database, other[n('other')])).toBe(`${n('other')}@0`);
  });

  test('what is moved in is part of the tree: its providers are found by name, and go where children are stated', async () => {
    const n = names();
    const other = await grow(database, {
      name: n('other'),
      children: [
        { name: n('stays') },
        { name: n('vf'), children: [{ name: n('deep') }] },
        { name: n('goes') },
      ],
    });
    await grow(database, { name: n('cn') });
    const applied = await apply(database, {
      name: n('cn'),
      children: [
        { name: n('deep') },
        { uuid: other[n('other')], name: n('gpu'), children: [{ name: n('stays') }] },
      ],
    });
    expect(applied.done).toEqual([
      `UPDATE ${n('deep')}`,
      `UPDATE ${n('gpu')}`,
      `DELETE ${n('goes')}`,
      `DELETE ${n('vf')}`,
    ]);
    const shape = `${n('cn')}@0(${n('deep')}@1 ${n('gpu')}@1(${n('stays')}@0))`;
    expect(await shapeOf(database, applied.rootUuid!)).toBe(shape);
  });
});

describe('names and places', () => {
  test('two providers may swap their names, and three pass them round', async () => {
    const n = names();
    const old = await grow(database, {
      name: n('cn'),
      children: [{ name: n('a') }, { name: n('b') }, { name: n('c') }],
    });
    const named = (a: string, b: string, c: string, root = 'cn') => ({
      uuid: old[n('cn')],
      name: n(root),
      children: [
        { uuid: old[n('a')], name: n(a) },
        { uuid: old[n('b')], name: n(b) },
        { uuid: old[n('c')], name: n(c) },
      ],
    });
    const stored = async () =>
      (await treeOf(database, old[n('cn')])).children.map(({ uuid, name }) => [name, uuid]);
    expect((await apply(database, named('b', 'a', 'c'))).changes).toHaveLength(2);
    expect(await stored()).toEqual([
      [n('a'), old[n('b')]],
      [n('b'), old[n('a')]],
      [n('c'), old[n('c')]],
    ]);
    await apply(database, named('c', 'b', 'a'));
    expect(await stored()).toEqual([
      [n('a'), old[n('c')]],
      [n('b'), old[n('b')]],
      [n('c'), old[n('a')]],
    ]);
    await apply(database, named('cn', 'x', 'b', 'c'));
    expect((await treeOf(database, old[n('cn')])).name).toBe(n('c'));
  });

  test('a name that is given up, by a rename or a deletion, may be taken by a new provider', async () => {
    const n = names();
    const old = await grow(database, { name: n('cn'), children: [{ name: n('a') }, { name: n('b') }] });
    const { done } = await apply(database, {
      name: n('cn'),
      children: [
        { uuid: old[n('a')], name: n('c') },
        { uuid: randomUUID(), name: n('a') },
        { uuid: randomUUID(), name: n('b') },
      ],
    });
    expect(done).toEqual([`UPDATE ${n('c')}`, `CREATE ${n('a')}`, `CREATE ${n('b')}`, `DELETE ${n('b')}`]);
  });

  test('parent and child may change places', async () => {
    const n = names();
    const old = await grow(database, {
      name: n('cn'),
      children: [{ name: n('a'), children: [{ name: n('b'), children: [{ name: n('c') }] }] }],
    });
    const { done } = await apply(database, {
      name: n('cn'),
      children: [{ name: n('b'), children: [{ name: n('a'), children: [{ name: n('c') }] }] }],
    });
    expect(done).toEqual([`UPDATE ${n('b')}`, `UPDATE ${n('a')}`, `UPDATE ${n('c')}`]);
    const shape = `${n('cn')}@0(${n('b')}@1(${n('a')}@1(${n('c')}@1)))`;
    expect(await shapeOf(database, old[n('cn')])).toBe(shape);
  });

  test('a provider may be taken out from under one that is deleted, and put under a new one', async () => {
    const n = names();
    const old = await grow(database, {
      name: n('cn'),
      children: [{ name: n('a'), children: [{ name: n('b') }, { name: n('c') }] }],
    });
    const { done } = await apply(database, {
      name: n('cn'),
      children: [{ name: n('new'), children: [{ name: n('b') }] }],
    });
    expect(done).toEqual([`CREATE ${n('new')}`, `UPDATE ${n('b')}`, `DELETE ${n('a')}`, `DELETE ${n('c')}`]);
    expect(await shapeOf(database, old[n('cn')])).toBe(`${n('cn')}@0(${n('new')}@0(${n('b')}@1))`);
  });

  test('rules 6, 48: a tree may be 1,500 deep', async () => {
    const n = names();
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
  });
});

describe('lists', () => {
  test('null or absent: as it is; []: none; children []: all below are deleted', async () => {
    const n = names();
    const aggregate = randomUUID();
    const old = await grow(database, {
      name: n('cn'),
      inventories: { VCPU: 4 },
      traits: ['CUSTOM_GOLD'],
      aggregates: [aggregate],
      children: [{ name: n('a'), children: [{ name: n('b') }] }],
    });
    const uuid = old[n('cn')];
    const nulls = { inventories: null, traits: null, aggregates: null, children: null };
    await expectUnchanged(database, () => apply(database, { name: n('cn') }));
    await expectUnchanged(database, () => apply(database, { name: n('cn'), ...nulls }));

    expect((await apply(database, { uuid, name: n('cn'), inventories: [] })).done).toEqual([
      `UPDATE ${n('cn')}`,
    ]);
    expect(await treeOf(database, uuid)).toMatchObject({
      generation: 1,
      inventories: {},
      traits: ['CUSTOM_GOLD'],
    });
    await apply(database, { uuid, name: n('cn'), traits: [] });
    expect(await treeOf(database, uuid)).toMatchObject({
      generation: 2,
      traits: [],
      aggregates: [aggregate],
    });
    await apply(database, { uuid, name: n('cn'), aggregates: [] });
    expect(await treeOf(database, uuid)).toMatchObject({ generation: 3, aggregates: [] });
    expect((await apply(database, { uuid, name: n('cn'), children: [] })).done).toEqual([
      `DELETE ${n('a')}`,
      `DELETE ${n('b')}`,
    ]);
    expect(await shapeOf(database, uuid)).toBe(`${n('cn')}@3`);
    await expect(storedProvider(database, old[n('b')])).rejects.toThrow();
  });

  test('rule 47: what is deleted goes with its inventories and links', async () => {
    const n = names();
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

  test('rule 19: a stated inventory is replaced in all its fields, and others of the set go', async () => {
    const n = names();
    const old = await grow(database, { name: n('cn'), inventories: { VCPU: 4, MEMORY_MB: 8 } });
    const inventories = [
      inventory('VCPU', 4, { reserved: 1, allocationRatio: 0.7 }),
      inventory('DISK_GB', 5),
    ];
    const root = { name: n('cn'), inventories };
    expect((await apply(database, root)).done).toEqual([`UPDATE ${n('cn')}`]);
    expect(await treeOf(database, old[n('cn')])).toMatchObject({
      generation: 1,
      inventories: { VCPU: 4, DISK_GB: 5 },
    });
    await expectUnchanged(database, () => apply(database, root));
    await apply(database, { name: n('cn'), inventories: [inventories[1], inventory('VCPU', 4)] });
    expect(await treeOf(database, old[n('cn')])).toMatchObject({ generation: 2 });
  });
});

describe('generations', () => {
  test('decision D5: each provider of which something differs is bumped once, others not at all', async () => {
    const n = names();
    const old = await grow(database, {
      name: n('cn'),
      children: [{ name: n('all') }, { name: n('same'), traits: ['CUSTOM_GOLD'] }, { name: n('parent') }],
    });
    await apply(database, {
      name: n('cn'),
      children: [
        { name: n('same'), traits: ['CUSTOM_GOLD'] },
        {
          name: n('parent'),
          children: [
            {
              uuid: old[n('all')],
              name: n('everything'),
              inventories: [inventory('VCPU', 1)],
              traits: ['CUSTOM_GOLD'],
              aggregates: [randomUUID()],
            },
          ],
        },
      ],
    });
    const shape = `${n('cn')}@0(${n('parent')}@0(${n('everything')}@1) ${n('same')}@0)`;
    expect(await shapeOf(database, old[n('cn')])).toBe(shape);
  });

  test('a generation is judged only where something differs', async () => {
    const n = names();
    const old = await grow(database, {
      name: n('cn'),
      traits: ['CUSTOM_GOLD'],
      children: [{ name: n('a') }],
    });
    const uuid = old[n('cn')];
    const changed = { uuid, name: n('cn'), generation: 0, traits: ['CUSTOM_SILVER'] };
    await apply(database, changed);
    await expectUnchanged(database, () => apply(database, changed));
    await expectUnchanged(database, () => apply(database, { ...changed, generation: 99 }));
    await apply(database, {
      ...changed,
      children: [{ name: n('a'), generation: 0, traits: ['CUSTOM_GOLD'] }],
    });
    expect(await shapeOf(database, uuid)).toBe(`${n('cn')}@1(${n('a')}@1)`);
  });

  test('a tree as it is stored, restated in full, changes nothing', async () => {
    const n = names();
    const old = await grow(database, {
      name: n('cn'),
      inventories: { VCPU: 4 },
      children: [
        { name: n('a'), traits: ['CUSTOM_GOLD'], aggregates: [randomUUID()], children: [{ name: n('b') }] },
      ],
    });
    const stored = await treeOf(database, old[n('cn')]);
    await expectUnchanged(database, async () => {
      expect((await apply(database, restated(stored))).changes).toEqual([]);
    });
  });
});

describe('a dry run', () => {
  test('tells what would be done and changes nothing', async () => {
    const n = names();
    const old = await grow(database, { name: n('cn'), children: [{ name: n('a') }, { name: n('b') }] });
    const uuid = randomUUID();
    const root = {
      name: n('cn'),
      children: [{ uuid: old[n('a')], name: n('c') }, { name: n('made up') }, { uuid, name: n('given') }],
    };
    await expectUnchanged(database, async () => {
      const { rootUuid, changes } = await apply(database, root, null, true);
      expect(rootUuid).toBe(old[n('cn')]);
      expect(changes).toEqual([
        { kind: 'UPDATE', uuid: old[n('a')], name: n('c') },
        { kind: 'CREATE', uuid: null, name: n('made up') },
        { kind: 'CREATE', uuid, name: n('given') },
        { kind: 'DELETE', uuid: old[n('b')], name: n('b') },
      ]);
    });
    expect((await apply(database, root)).done).toHaveLength(4);
  });

  test('of a new tree has no root to show', async () => {
    const n = names();
    await expectUnchanged(database, async () => {
      const applied = await apply(database, { uuid: randomUUID(), name: n('cn') }, null, true);
      expect(applied).toMatchObject({ rootUuid: null, done: [`CREATE ${n('cn')}`] });
    });
    await createProvider(database.ledger, { name: n('cn') });
  });
});
