import type { ReadableDatabase } from '../../database/database.js';
import { isStorable, type FreeNames } from '../../database/storable.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import type { Page } from './paging.js';

/** Throws InvalidInput for a cursor with a name that the table cannot hold: no list has given it. */
export async function checkCursor(
  { pool }: ReadableDatabase,
  table: FreeNames,
  page: Page<string>,
): Promise<void> {
  for (const argument of ['after', 'before'] as const) {
    const name = page[argument];
    if (name !== null && !(await isStorable(pool, table, name)))
      throw new InvalidInput([argument], `${JSON.stringify(name.slice(0, 60))} is of no cursor of this list`);
  }
}
