import { sql } from 'kysely';
import { read, statement, tables, value, type Reader } from '../../database/statements.js';

/** Ids above the one and up to the other. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

/** Ids with one checksum: so many that there are few sums to transfer, so few that it costs little to read them again one by one. */
export const RANGE_SIZE = 256;

/** The number of the range that an id belongs to. */
export const rangeOf = (id: number): number => Math.floor(id / RANGE_SIZE);

export function idsOf(range: number): IdRange {
  return { after: range * RANGE_SIZE - 1, last: (range + 1) * RANGE_SIZE - 1 };
}

/** Providers whose checksums are read at a time: some ten milliseconds of the database's time. */
const SLICE_SIZE = 32_768;

const LARGEST_ID = 2 ** 31 - 1;

/** Of every provider. */
export const ALL_IDS: IdRange = { after: 0, last: LARGEST_ID };

const SLICE_END = statement(
  tables
    .selectFrom('resource_providers')
    .select('id')
    .where('id', '>', value<number>())
    .orderBy('id')
    .limit(sql.lit(1))
    .offset(sql.lit(SLICE_SIZE - 1)),
);

/** A part of all providers: whole ranges. */
export interface Slice extends IdRange {
  /** Whether there is no provider behind it. */
  readonly isEnd: boolean;
}

/** The next {@link SLICE_SIZE} providers after an id, which is the last one of a range, or 0; some more, to make the ranges whole. */
export async function nextSlice(reader: Reader, after: number): Promise<Slice> {
  const [end] = await read(reader, SLICE_END, [after]);
  if (end === undefined) return { after, last: LARGEST_ID, isEnd: true };
  return { after, last: idsOf(rangeOf(end.id)).last, isEnd: false };
}

/** Ids in a statement where all are read at once: a few hundred milliseconds of the database's time, unless they lie far apart. */
const PART_SIZE = 131_072;
const MOST_PARTS = 64;

/** All ids in parts of whole ranges, of which those from the one id to the other are alike. */
export function partsOf(least: number, largest: number): IdRange[] {
  const size = Math.max(PART_SIZE, Math.ceil((largest - least) / MOST_PARTS));
  const parts: IdRange[] = [];
  let after = 0;
  for (let end = least + size; end < largest; end += size) {
    const { last } = idsOf(rangeOf(end));
    parts.push({ after, last });
    after = last;
  }
  return [...parts, { after, last: LARGEST_ID }];
}
