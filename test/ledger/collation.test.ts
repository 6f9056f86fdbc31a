import { beforeAll, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createResourceClass } from '../../src/store/ledger/catalog.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { createTrait, deleteTrait } from '../../src/store/ledger/provider/traits.js';
import { aProvider, expectRefused, inventory, stocked, storedProvider } from './support.js';
import { apply, consumerOf, grow, shapeOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { setInventories, setTraits } from '../support/edits.js';

/** A database as the reference often has it: it takes names that differ only by case for the same. */
const database = useDatabase();
beforeAll(async () => {
  for (const table of ['resource_providers', 'traits', 'resource_classes', 'projects', 'users']) {
    await database.pool.query(
      `ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`,
    );
  }
  await createTrait(database.ledger, { name: 'CUSTOM_GOLD' });
  await createResourceClass(database.ledger, { name: 'CUSTOM_LICENSE' });
});

test('rule 7, decision D8: traits and classes in another case are unknown', async () => {
  const uuid = await aProvider(database);
  const on = { resourceProvider: uuid, generation: 0 };
  await expectRefused(database, () => setTraits(database.ledger, { ...on, traits: ['custom_gold'] }), {
    code: 'INVALID_INPUT',
    path: ['traits', 'set', '0'],
  });
  await expectRefused(
    database,
    () => setInventories(database.ledger, { ...on, inventories: [inventory('custom_license', 1)] }),
    { code: 'INVALID_INPUT', path: ['inventories', 'set', '0', 'resourceClass'] },
  );
  await expectRefused(database, () => deleteTrait(database.ledger, { name: 'Custom_Gold' }), {
    code: 'NOT_FOUND',
  });
});

test('rule 7: a provider name that such a database cannot store beside another is a duplicate', async () => {
  const { uuid } = await createProvider(database.ledger, { name: 'cn1' });
  await expectRefused(database, () => createProvider(database.ledger, { name: 'CN1' }), {
    code: 'DUPLICATE_NAME',
    providerName: 'CN1',
  });
  const other = await aProvider(database);
  await expectRefused(
    database,
    () => updateProvider(database.ledger, { resourceProvider: other, name: 'CN1' }),
    { code: 'DUPLICATE_NAME', providerName: 'CN1' },
  );
  await updateProvider(database.ledger, { resourceProvider: uuid, name: 'CN1' });
  expect(await storedProvider(database, uuid)).toMatchObject({ name: 'CN1', generation: 1 });
});

test('rule 7: a name of a tree that it cannot hold beside another is refused, in the tree and outside', async () => {
  await grow(database, { name: 'other', children: [{ name: 'gpu' }] });
  const { cn } = await grow(database, { name: 'cn', children: [{ name: 'a' }, { name: 'b' }] });
  for (const [name, children, refusal] of [
    ['x', ['y', 'GPU'], { code: 'DUPLICATE_NAME', providerName: 'GPU' }],
    ['CN', [], { code: 'DUPLICATE_NAME', providerName: 'CN' }],
    ['z', ['new', 'New'], { code: 'INVALID_INPUT', path: ['root', 'children', '1', 'name'] }],
  ] as const) {
    const root = { name, children: children.map((child) => ({ name: child })) };
    await expectRefused(database, () => apply(database, root), refusal);
  }
  const spelled = { uuid: cn, name: 'CN', children: [{ name: 'A' }, { name: 'b' }] };
  expect((await apply(database, spelled)).done).toEqual(['UPDATE CN', 'CREATE A', 'DELETE a']);
});

test('rule 7: names may be swapped in another spelling', async () => {
  const { swap, p, q } = await grow(database, { name: 'swap', children: [{ name: 'p' }, { name: 'q' }] });
  const children = [
    { uuid: p, name: 'Q' },
    { uuid: q, name: 'P' },
  ];
  await apply(database, { uuid: swap, name: 'swap', children });
  expect(await shapeOf(database, swap)).toBe('swap@0(P@1 Q@1)');
});

test('rule 11: ids of projects and users that such a database cannot hold side by side are one', async () => {
  const uuid = await stocked(database, inventory('VCPU', 9));
  const claim = (consumer: string, name: string, generation: number | null = null) => ({
    ...consumerOf(consumer, { [uuid]: { VCPU: 1 } }, generation),
    projectId: name,
    userId: name,
  });
  const [first, second, third] = [1, 2, 3].map((at) => `cccccccc-0000-4000-8000-00000000000${at}`);
  await setAllocations(database.claims, { consumers: [claim(first, 'blue')] });
  await setAllocations(database.claims, { consumers: [claim(second, 'Blüe'), claim(third, 'BLUE')] });
  const stored = async () =>
    database.pool.query<unknown>(
      `SELECT p.external_id AS project, u.external_id AS owner, c.generation FROM consumers c
         JOIN projects p ON p.id = c.project_id JOIN users u ON u.id = c.user_id ORDER BY c.uuid`,
    );
  const blue = { project: 'blue', owner: 'blue', generation: 1 };
  expect(await stored()).toEqual([blue, blue, blue]);
  await setAllocations(database.claims, { consumers: [claim(second, 'BLUE', 1)] });
  expect(await stored()).toEqual([blue, blue, blue]);
});
