import { expect, test } from '@jest/globals';
import { createResourceClass, deleteResourceClass } from '../../src/store/ledger/catalog.js';
import { unchanged } from '../support/unchanged.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
const createClass = (name: string) => createResourceClass(database.ledger, { name });

async function idOf(name: string): Promise<number | undefined> {
  const rows = await database.pool.query<{ id: number }[]>('SELECT id FROM resource_classes WHERE name = ?', [
    name,
  ]);
  return rows.at(0)?.id;
}

test('rule 74: the first custom class gets the id 10000 also in a database that the reference created', async () => {
  await database.pool.query('ALTER TABLE resource_classes AUTO_INCREMENT = 1');
  await createClass('CUSTOM_FIRST');
  await createClass('CUSTOM_SECOND');
  expect([await idOf('CUSTOM_FIRST'), await idOf('CUSTOM_SECOND')]).toEqual([10000, 10001]);
});

test('rules 74, 75: the id of a deleted class is not used again; creating a class again changes nothing', async () => {
  await createClass('CUSTOM_NEW');
  const id = await idOf('CUSTOM_NEW');
  expect(id).toBeGreaterThan(10000);
  await unchanged(database, () => createClass('CUSTOM_NEW'));
  await deleteResourceClass(database.ledger, { name: 'CUSTOM_NEW' });
  await createClass('CUSTOM_NEW');
  expect(await idOf('CUSTOM_NEW')).toBeGreaterThan(id ?? Infinity);
});
