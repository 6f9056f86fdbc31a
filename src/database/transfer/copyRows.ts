import type { Connection } from 'mariadb';
import type { CopiedTable } from './copiedTables.js';
import { insertion, readPage } from './pages.js';

/**
 * Copies the rows of a table with their keys, in the order of these: the next rows are read while some are written. Calls `onRows`
 * with the number of rows copied so far, and gives that of all.
 */
export async function copyRows(
  source: Connection,
  target: Connection,
  table: CopiedTable,
  onRows: (count: number) => void,
): Promise<number> {
  let count = 0;
  for (let rows = await readPage(source, table, undefined); rows.length > 0;) {
    const [next] = await Promise.all([
      readPage(source, table, rows.at(-1)),
      target.query(insertion(target, table, rows)),
    ]);
    count += rows.length;
    onRows(count);
    rows = next;
  }
  return count;
}
