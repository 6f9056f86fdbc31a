import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isStandard, loadCatalog, type Catalog } from '../../src/store/sql/catalog.js';
import { dateOf } from '../../src/store/sql/statements.js';
import { useDatabase } from '../support/useDatabase.js';

const lines = (file: string): string[] =>
  readFileSync(`prisma/catalog/${file}.txt`, 'utf8').trim().split('\n');
const CATALOG: Catalog = { classes: lines('resource_classes'), traits: lines('traits') };

const database = useDatabase();

const contents = (
  table: 'resource_classes' | 'traits',
): Promise<{ id: number; name: string; created_at: string }[]> =>
  database.pool.query(`SELECT id, name, created_at, updated_at FROM ${table} ORDER BY id`);

test("standard classes have Placement's ids: their position in the catalog, from 0", async () => {
  const classes = await contents('resource_classes');
  expect(classes.map(({ id, name }) => [id, name])).toEqual(CATALOG.classes.map((name, id) => [id, name]));
  expect(classes[0]).toMatchObject({ id: 0, name: 'VCPU', updated_at: null });
  // The database may be older than this test, and is always younger than the release of 2026.
  const createdAt = dateOf(classes[0].created_at)!.getTime();
  expect(createdAt).toBeGreaterThan(Date.UTC(2026, 0));
  expect(createdAt).toBeLessThan(Date.now() + 60_000);
  expect(classes.at(-1)).toMatchObject({ id: 20 });
});

test('all standard traits are there', async () => {
  const traits = await contents('traits');
  expect(traits.map(({ name }) => name).sort()).toEqual([...CATALOG.traits].sort());
  expect(traits).toHaveLength(345);
});

test('loading again changes nothing', async () => {
  const before = [await contents('resource_classes'), await contents('traits')];
  await loadCatalog(database.pool, CATALOG);
  expect([await contents('resource_classes'), await contents('traits')]).toEqual(before);
});

test('a grown catalog adds what is new beside what users made; nothing goes', async () => {
  await database.pool.query("INSERT INTO resource_classes (name) VALUES ('CUSTOM_GOLD')");
  await database.pool.query("INSERT INTO traits (name) VALUES ('CUSTOM_RAID'), ('OLD_STANDARD_TRAIT')");
  const [classes, traits] = [await contents('resource_classes'), await contents('traits')];

  const grown = {
    classes: [...CATALOG.classes, 'QUANTUM_BIT'],
    traits: ['HW_NEW', ...CATALOG.traits.slice(5)],
  };
  await loadCatalog(database.pool, grown);
  await loadCatalog(database.pool, grown);

  const added = (await contents('resource_classes')).filter(
    ({ name }) => !classes.some((row) => row.name === name),
  );
  expect(added).toMatchObject([{ id: 21, name: 'QUANTUM_BIT' }]);
  expect(await contents('resource_classes')).toEqual(expect.arrayContaining(classes));
  expect((await contents('traits')).slice(0, -1)).toEqual(traits);
  expect((await contents('traits')).at(-1)).toMatchObject({ name: 'HW_NEW' });

  const custom = await database.prisma.resourceClass.create({ data: { name: 'CUSTOM_SILVER' } });
  expect(custom.id).toBe(10_001);
});

test("a class under another id, or an id under another name, is not Placement's database", async () => {
  await expect(loadCatalog(database.pool, { classes: ['MEMORY_MB'], traits: [] })).rejects.toThrow(
    'the resource class MEMORY_MB should have the id 0, which this database uses differently',
  );
  await expect(loadCatalog(database.pool, { classes: ['VCPU', 'NEW_CLASS'], traits: [] })).rejects.toThrow(
    'the resource class NEW_CLASS should have the id 1, which this database uses differently',
  );
});

test('two loads at once agree', async () => {
  const more = { classes: [...CATALOG.classes, 'QUANTUM_BIT', 'C22', 'C23'], traits: ['T1', 'T2', 'T3'] };
  await Promise.all([1, 2, 3].map(() => loadCatalog(database.pool, more)));
  expect((await contents('resource_classes')).slice(21, 24).map(({ id, name }) => [id, name])).toEqual([
    [21, 'QUANTUM_BIT'],
    [22, 'C22'],
    [23, 'C23'],
  ]);
});

test.each([
  ['VCPU', true],
  ['HW_CPU_X86_AVX2', true],
  ['CUSTOM_GOLD', false],
  ['MISC_CUSTOM_THING', true],
])('%s is standard: %s', (name, standard) => {
  expect(isStandard(name)).toBe(standard);
});
