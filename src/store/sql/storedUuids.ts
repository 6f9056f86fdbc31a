import { groupBy } from '../../model/collections.js';
import { uuidOf } from '../../model/input.js';
import { isSpelledOtherwise } from './catalog.js';
import type { Queryable } from './statements.js';

/** The columns with uuids that OpenStack Placement stores as clients spell them. */
const UUID_COLUMNS: Readonly<Record<string, string>> = {
  consumers: 'uuid',
  allocations: 'consumer_id',
  placement_aggregates: 'uuid',
};

/** Returns SQL for the value of a column, with its uuid in the usual spelling. */
export function normalizedSql(table: string, column: string, value: string): string {
  if (UUID_COLUMNS[table] !== column) return value;
  const text = `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`;
  const digits = ['urn:', 'uuid:', '{', '}', '-'].reduce(
    (sql, part) => `REPLACE(${sql}, '${part}', '')`,
    `LOWER(${text})`,
  );
  const dashed = [9, 14, 19, 24].reduce((sql, at) => `INSERT(${sql}, ${at}, 0, '-')`, digits);
  return `CASE WHEN NOT (${isSpelledOtherwise(column)}) OR ${digits} NOT REGEXP '^[0-9a-f]{32}$' THEN ${text} ELSE ${dashed} END`;
}

/** The stored texts of a uuid that some row spells otherwise. */
export interface SpelledUuid {
  readonly uuid: string;
  readonly texts: readonly string[];
}

/** Reads the uuids of a table that some row spells otherwise, with the texts of all their rows by age. Scans the table. */
export async function readSpelledUuids(
  reader: Queryable,
  table: 'consumers' | 'placement_aggregates',
): Promise<SpelledUuid[]> {
  const read = (condition: string, values: unknown[] = []): Promise<{ id: number; text: string }[]> =>
    reader.query(`SELECT id, uuid AS text FROM ${table} WHERE ${condition}`, values);
  const others = await read(isSpelledOtherwise('uuid'));
  if (others.length === 0) return [];
  const usual = await read('uuid IN (?)', [others.map(({ text }) => uuidOf(text))]);
  const rows = [...new Map([...others, ...usual].map((row) => [row.id, row])).values()];
  const byUuid = groupBy(
    rows.sort((one, other) => one.id - other.id),
    ({ text }) => uuidOf(text),
  );
  return Array.from(byUuid, ([uuid, own]) => ({ uuid, texts: own.map(({ text }) => text) }));
}
