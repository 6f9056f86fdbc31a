import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { createResourceClass, deleteResourceClass } from '../../src/ledger/catalog.js';
import { createTrait, deleteTrait } from '../../src/ledger/provider/traits.js';
import { aProvider, expectRefused, expectUnchanged, generationOf } from './support.js';
import { useDatabase } from '../support/useDatabase.js';
import { setTraits } from '../support/edits.js';

const database = useDatabase();
beforeAll(async () => {
  await createTrait(database.ledger, { name: 'CUSTOM_GOLD' });
});

const set = (resourceProvider: string, traits: string[]) =>
  setTraits(database.ledger, { resourceProvider, generation: 0, traits });
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
  await expectUnchanged(database, () => createClass('CUSTOM_NEW'));
  await expectUnchanged(database, () => createTrait(database.ledger, { name: 'CUSTOM_GOLD' }));
  await deleteResourceClass(database.ledger, { name: 'CUSTOM_NEW' });
  await createClass('CUSTOM_NEW');
  expect(await idOf('CUSTOM_NEW')).toBeGreaterThan(id ?? Infinity);
});

test('rule 72: the traits of a child do not change its parent', async () => {
  const root = await aProvider(database);
  await set(await aProvider(database, root), ['CUSTOM_GOLD']);
  expect(await generationOf(database, root)).toBe(0);
});

test('rule 70, decisions D7, D8, D12: the first unknown or repeated trait is named by its position', async () => {
  const uuid = await aProvider(database);
  const cases: [string[], number][] = [
    [['CUSTOM_GOLD', 'CUSTOM_NEVER_MADE', 'CUSTOM_GOLD'], 1],
    [['CUSTOM_GOLD', 'CUSTOM_GOLD', 'CUSTOM_NEVER_MADE'], 1],
    [['custom_gold'], 0],
    [['CUSTOM_GOLD', 'CUSTOM_GOLD '], 1],
    [['CUSTOM_GOLD', ''], 1],
    [['\u0000'], 0],
  ];
  for (const [traits, position] of cases) {
    const refusal = { code: 'INVALID_INPUT', path: ['traits', 'set', String(position)] };
    await expectRefused(database, () => set(uuid, traits), refusal);
  }
  await expectRefused(database, () => set(randomUUID(), ['CUSTOM_NEVER_MADE']), { code: 'INVALID_INPUT' });
});

test('a standard trait in use is rejected as standard', async () => {
  await set(await aProvider(database), ['HW_CPU_X86_AVX2']);
  await expectRefused(database, () => deleteTrait(database.ledger, { name: 'HW_CPU_X86_AVX2' }), {
    code: 'STANDARD_IS_IMMUTABLE',
  });
});
