import type { ReadableDatabase } from '../../database/database.js';
import { isStorable, type FreeNames } from '../../database/storable.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import type { SortPlace } from '../../domain/listing/sortKeys.js';
import type { Page } from './paging.js';

/** Throws InvalidInput for a cursor with a text that the table cannot hold: no list has given it. */
export async function checkCursor(
  { pool }: ReadableDatabase,
  table: FreeNames,
  page: Page<string> | Page<SortPlace>,
): Promise<void> {
  for (const argument of ['after', 'before'] as const) {
    const texts = [page[argument]].flat().filter((key) => typeof key === 'string');
    for (const text of texts)
      if (!(await isStorable(pool, table, text)))
        throw new InvalidInput(
          [argument],
          `${JSON.stringify(text.slice(0, 60))} is of no cursor of this list`,
        );
  }
}
