import type { Connection } from 'mariadb';
import { COPIED_TABLES } from './copiedTables.js';

/**
 * Has the target give no id that the source has given, not even one whose row is deleted: rows that point at nothing, such as an
 * allocation from a provider that is gone, would belong to a new row. Not part of a transaction; may be repeated.
 */
export async function raiseNextIds(source: Connection, target: Connection): Promise<void> {
  for (const { name, isCounted } of COPIED_TABLES) {
    if (!isCounted) continue;
    const next = await nextId(source, name);
    if (next > (await nextId(target, name))) {
      await target.query(`ALTER TABLE ${name} AUTO_INCREMENT = ${next}`);
    }
  }
}

/** From the definition, because MySQL's information_schema tells what it was some time ago. */
export async function nextId(connection: Connection, table: string): Promise<number> {
  const [[, definition]] = await connection.query<[string, string][]>({
    sql: `SHOW CREATE TABLE ${table}`,
    rowsAsArray: true,
  });
  return Number(/ AUTO_INCREMENT=(\d+)/.exec(definition)?.[1] ?? 1);
}
