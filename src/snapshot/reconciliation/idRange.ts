import { sql } from 'kysely';
import { read, statement, tables, value, type Reader } from '../../database/statements.js';
import type { Block } from '../../engine/model/snapshot.js';

/** Ids above `after` and up to `last`. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

/** The number of ids with a common checksum: few sums to transfer, and few providers to compare if they differ. */
export const RANGE_SIZE = 256;

export const rangeOf = (id: number): number => Math.floor(id / RANGE_SIZE);

export function idsOf(range: number): IdRange {
  return { after: range * RANGE_SIZE - 1, last: (range + 1) * RANGE_SIZE - 1 };
}

/** The number of providers whose checksums one statement reads: some ten milliseconds of database time. */
export const SLICE_SIZE = 32_768;

const MAX_ID = 2 ** 31 - 1;

const SLICE_END = statement(
  tables
    .selectFrom('resource_providers')
    .select('id')
    .where('id', '>', value<number>())
    .orderBy('id')
    .limit(sql.lit(1))
    .offset(sql.lit(SLICE_SIZE - 1)),
);

/** Whole ranges of providers. */
export interface Slice extends IdRange {
  /** True if no provider follows. */
  readonly isEnd: boolean;
}

/** Reads the bounds of the next {@link SLICE_SIZE} providers, rounded up to whole ranges. `after` is 0 or the end of a range. */
export async function nextSlice(reader: Reader, after: number): Promise<Slice> {
  const [end] = await read(reader, SLICE_END, [after]);
  if (end === undefined) return { after, last: MAX_ID, isEnd: true };
  return { after, last: idsOf(rangeOf(end.id)).last, isEnd: false };
}

const idBounds = new WeakMap<Int32Array, readonly [least: number, most: number]>();

/** Returns whether a block has ids of a range. Caches the bounds by the column of ids, which most changes keep. */
export function hasIdsOf({ ids }: Block, { after, last }: IdRange): boolean {
  let bounds = idBounds.get(ids);
  if (bounds === undefined) {
    let [least, most] = [Infinity, 0];
    for (const id of ids) {
      if (id < least) least = id;
      if (id > most) most = id;
    }
    idBounds.set(ids, (bounds = [least, most]));
  }
  return bounds[1] > after && bounds[0] <= last;
}
