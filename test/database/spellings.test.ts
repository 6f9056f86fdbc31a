import { expect, test } from '@jest/globals';
import { findAggregates } from '../../src/store/sql/aggregates.js';
import { Spellings } from '../../src/store/sql/catalog.js';
import { normalizeUuid, uuidOf } from '../../src/model/input.js';
import { SPELLINGS } from '../support/otherSpellings.js';
import { useDatabase } from '../support/useDatabase.js';

const seen: string[] = [];
const database = useDatabase({ onStatement: (sql) => seen.push(sql) });

const RACK = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11';

test.each<[text: string, uuid: string | undefined]>([
  ...Object.values(SPELLINGS).map((spelled) => [spelled(RACK), RACK] as [string, string]),
  [`{${RACK}}`, RACK],
  [`urn:uuid:${RACK}`, RACK],
  [RACK, RACK],
  ['abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b1', undefined],
  ['abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b-1', undefined],
  ['gbcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11', undefined],
  ['', undefined],
])('%j is the uuid %s', (text, uuid) => {
  expect(normalizeUuid(text)).toBe(uuid);
  expect(uuidOf(text)).toBe(uuid ?? text);
});

const find = async (spellings: Spellings, ...uuids: string[]) =>
  (await findAggregates(database.pool, spellings, uuids)).map(({ id, uuid }) => ({ id, uuid }));

const insert = (id: number, text: string) =>
  database.pool.query('INSERT INTO placement_aggregates (id, uuid) VALUES (?, ?)', [id, text]);

test('a look-up takes one statement and finds each new row; one in vain looks for a row that was committed late', async () => {
  await insert(10, RACK);
  const spellings = new Spellings(database.pool, 'placement_aggregates');
  const row = (id: number) => ({ id, uuid: RACK });
  expect(await find(spellings, RACK)).toEqual([row(10)]);
  seen.length = 0;
  expect(await find(spellings, RACK)).toEqual([row(10)]);
  expect(seen).toHaveLength(1);
  await insert(20, SPELLINGS['mixed case'](RACK));
  expect(await find(spellings, RACK)).toEqual([row(10), row(20)]);
  await spellings.refresh();
  const late = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b12';
  await insert(15, SPELLINGS['dashes elsewhere'](late));
  expect(await find(spellings, late)).toEqual([{ id: 15, uuid: late }]);
  expect(spellings.size).toBe(2);
});

test('a process finds rows that are older than it, and all rows again after a reset', async () => {
  const spellings = new Spellings(database.pool, 'placement_aggregates');
  const old = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b13';
  await insert(1_000, old.toUpperCase());
  await insert(9_000, 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b14');
  expect(await find(spellings, old)).toEqual([{ id: 1_000, uuid: old }]);
  const restored = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b15';
  await insert(2_000, restored.toUpperCase());
  expect(await find(spellings, restored)).toEqual([]);
  spellings.reset();
  expect(await find(spellings, restored)).toEqual([{ id: 2_000, uuid: restored }]);
});

test('texts of many deleted rows are forgotten', async () => {
  const spellings = new Spellings(database.pool, 'placement_aggregates');
  const texts = Array.from(
    { length: 1_500 },
    (_, at) => `ABCDEF00-1b7d-4d32-9d0e-${String(at).padStart(12, '0')}`,
  );
  await database.pool.batch(
    'INSERT INTO placement_aggregates (uuid) VALUES (?)',
    texts.map((text) => [text]),
  );
  await spellings.since();
  expect(spellings.size).toBeGreaterThanOrEqual(texts.length);
  await database.pool.query('DELETE FROM placement_aggregates WHERE uuid IN (?)', [texts.slice(1)]);
  await spellings.refresh();
  expect(spellings.size).toBeLessThan(10);
  const kept = texts[0].toLowerCase();
  expect(spellings.textsOf([kept])).toEqual([kept, texts[0]]);
});
