import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createResourceClass, deleteResourceClass } from '../../src/ledger/catalog.js';
import { setInventories } from '../../src/ledger/inventory/inventories.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { aProvider, expectRefused, expectUnchanged, inventory } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const create = (name: string) => createResourceClass(database.ledger, { name });
const remove = (name: string) => () => deleteResourceClass(database.ledger, { name });

async function idOf(name: string): Promise<number | undefined> {
  const rows = await database.pool.query<{ id: number }[]>('SELECT id FROM resource_classes WHERE name = ?', [
    name,
  ]);
  return rows.at(0)?.id;
}

test('rule 74: where the reference made the database, the first custom class gets the id 10000 all the same', async () => {
  await database.pool.query('ALTER TABLE resource_classes AUTO_INCREMENT = 1');
  await create('CUSTOM_FIRST');
  await create('CUSTOM_SECOND');
  expect([await idOf('CUSTOM_FIRST'), await idOf('CUSTOM_SECOND')]).toEqual([10000, 10001]);
});

test('rules 74, 75: creating is idempotent; an id is not given out again', async () => {
  expect(await create('CUSTOM_NEW')).toEqual({ name: 'CUSTOM_NEW', created: true });
  const id = await idOf('CUSTOM_NEW');
  expect(id).toBeGreaterThan(10000);
  await expectUnchanged(database, async () => {
    expect(await create('CUSTOM_NEW')).toEqual({ name: 'CUSTOM_NEW', created: false });
  });
  await remove('CUSTOM_NEW')();
  await create('CUSTOM_NEW');
  expect(await idOf('CUSTOM_NEW')).toBeGreaterThan(id ?? Infinity);
});

test('rules 1, 75: what a custom name looks like', async () => {
  await create(`CUSTOM_${'X'.repeat(248)}`);
  for (const name of [
    '',
    'CUSTOM_',
    'VCPU',
    'CUSTOM_x',
    'CUSTOM_A B',
    'CUSTOM_\u00c4',
    `CUSTOM_${'X'.repeat(249)}`,
  ]) {
    await expectRefused(database, () => create(name), { code: 'INVALID_INPUT', path: ['name'] });
  }
});

test('rule 76: only a custom class without inventories can be deleted', async () => {
  const resourceProvider = await aProvider(database);
  await create('CUSTOM_DOOMED');
  await setInventories(database.ledger, {
    resourceProvider,
    generation: 0,
    inventories: [inventory('CUSTOM_DOOMED', 1)],
  });
  await expectRefused(database, remove('CUSTOM_DOOMED'), {
    code: 'RESOURCE_CLASS_IN_USE',
    resourceClassName: 'CUSTOM_DOOMED',
  });
  await setInventories(database.ledger, { resourceProvider, generation: 1, inventories: [] });
  expect(await remove('CUSTOM_DOOMED')()).toEqual({ name: 'CUSTOM_DOOMED' });
  expect(await idOf('CUSTOM_DOOMED')).toBeUndefined();
  await expectRefused(database, remove('CUSTOM_DOOMED'), {
    code: 'NOT_FOUND',
    entity: 'RESOURCE_CLASS',
    key: 'CUSTOM_DOOMED',
  });
  await expectRefused(database, remove('VCPU'), { code: 'STANDARD_IS_IMMUTABLE', standardName: 'VCPU' });
  await expectRefused(database, remove('vcpu'), { code: 'NOT_FOUND', entity: 'RESOURCE_CLASS', key: 'vcpu' });
});
