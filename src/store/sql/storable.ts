import type { Queryable } from './statements.js';

/** The columns of names that clients choose freely. */
const COLUMNS = { resource_providers: 'name', projects: 'external_id', users: 'external_id' } as const;
export type FreeNames = keyof typeof COLUMNS;

const CHECKED_AT_ONCE = 500;

/** Returns whether a text has only characters that every character set has. */
export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text); // oxlint-disable-line no-control-regex
}

/**
 * Returns the texts that the column can store. Tables of another program may have a character set
 * that lacks some characters (utf8mb3 lacks all above U+FFFF). A statement that compares a text
 * with such a character fails.
 */
export async function storable(
  reader: Queryable,
  table: FreeNames,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const doubtful = texts.filter((text) => !isAscii(text));
  if (doubtful.length === 0) return new Set(texts);
  const [found] = await reader.query<{ characters: string }[]>(
    `SELECT CHARACTER_SET_NAME AS characters FROM information_schema.COLUMNS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?`,
    [table, COLUMNS[table]],
  );
  if (found.characters === 'utf8mb4') return new Set(texts);
  const lost = new Set<string>();
  for (let at = 0; at < doubtful.length; at += CHECKED_AT_ONCE) {
    const some = doubtful.slice(at, at + CHECKED_AT_ONCE);
    const there = `CONVERT(CONVERT(? USING ${found.characters}) USING utf8mb4)`;
    const rows = await reader.query<{ isSame: number; at: number }[]>(
      some
        .map(() => `SELECT CAST(${there} AS BINARY) = CAST(? AS BINARY) AS isSame, ? AS at`)
        .join(' UNION ALL '),
      some.flatMap((text, position) => [text, text, position]),
    );
    for (const row of rows) if (!row.isSame) lost.add(some[row.at]);
  }
  return new Set(texts.filter((text) => !lost.has(text)));
}

export async function isStorable(reader: Queryable, table: FreeNames, text: string): Promise<boolean> {
  return (await storable(reader, table, [text])).has(text);
}
