import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { EXPECTED_TABLES, type ExpectedColumn } from '../../src/database/adoption/tables.js';
import { useDatabase } from '../support/useDatabase.js';

/**
 * The tables of OpenStack Placement as its newest migrations create them on MariaDB (revision a082b8bb98d0), all but
 * its own record of its migrations. Nothing here goes through Prisma's schema.
 */
const REFERENCE = readFileSync(new URL('./placementTables.txt', import.meta.url), 'utf8');

/** Tables that the reference does not have. */
const OUR_OWN = /^placement_(feed_|aggregate_names)/;

const database = useDatabase();

/** The facts of schema.prisma in the words of the reference. `test/database/drift.test.ts` compares them with a database. */
function ourFacts(): string[] {
  return Object.entries(EXPECTED_TABLES).flatMap(
    ([table, { columns, primaryKey, unique, indexes, foreignKeys }]) => {
      const facts = [
        ...Object.entries(columns).map(([name, column]) => `column ${name} ${definitionOf(column)}`),
        `primary key (${primaryKey.join(', ')})`,
        ...Object.entries(unique).map(([name, of]) => `unique ${name} (${of.join(', ')})`),
        ...Object.entries(indexes).map(([name, of]) => `index ${name} (${of.join(', ')})`),
        ...Object.entries(foreignKeys).map(([column, target]) => `foreign key (${column}) -> ${target} (id)`),
      ];
      return [`${table}: table`, ...facts.map((fact) => `${table}: ${fact}`)];
    },
  );
}

function definitionOf({ type, isNullable, isCounted, default: value }: ExpectedColumn): string {
  const nullable = isNullable ? 'null' : 'not null';
  return `${type} ${nullable}${isCounted ? ' auto_increment' : ''}${value === null ? '' : ` default ${value}`}`;
}

test('our tables are those of the reference, to the last column and key', () => {
  expect(ourFacts().sort()).toEqual(referenceFacts().sort());
});

function referenceFacts(): string[] {
  let table = '';
  return REFERENCE.trim()
    .split('\n')
    .map((line) => {
      if (line.startsWith(' ')) return `${table}: ${line.trim().replace(/^foreign key \w+/, 'foreign key')}`;
      table = line;
      return `${table}: table`;
    });
}

test('columns come in the order of the reference', async () => {
  const rows = await database.pool.query<{ tbl: string; col: string }[]>(
    `SELECT table_name AS tbl, column_name AS col FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name NOT IN ('_prisma_migrations', 'placement_migration_lock')
      ORDER BY ordinal_position`,
  );
  const reference = referenceFacts().flatMap((fact) => {
    const [, tbl, col] = /^(\w+): column (\w+)/.exec(fact) ?? [];
    return tbl ? [{ tbl, col }] : [];
  });
  expect(columnsByTable(rows.filter(({ tbl }) => !OUR_OWN.test(tbl)))).toEqual(columnsByTable(reference));
});

function columnsByTable(columns: { tbl: string; col: string }[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const { tbl, col } of columns) (lists[tbl] ??= []).push(col);
  return lists;
}

test('custom resource classes get ids from 10000', async () => {
  const { id } = await database.prisma.resourceClass.create({ data: { name: 'CUSTOM_FIRST' } });
  expect(id).toBe(10_000);
});
