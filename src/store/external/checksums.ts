import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { caseOf, columns, type Queryable, read, statement, tables, value } from '../sql/statements.js';
import { rootRow, type Block } from '../../fleet/snapshot.js';
import type { FleetSnapshot, SnapshotNames } from '../../fleet/fleetSnapshot.js';

/** Ids above `after` and up to `last`. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

/** The number of ids with a common checksum. */
const RANGE_SIZE = 256;

const rangeOf = (id: number, size = RANGE_SIZE): number => Math.floor(id / size);

function idsOf(range: number): IdRange {
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

/**
 * Reads the bounds of the next SLICE_SIZE providers, in whole ranges. `after` is 0 or the end of a range. `isEnd` is
 * true if no provider follows.
 */
export async function nextSlice(
  reader: Queryable,
  after: number,
): Promise<IdRange & { readonly isEnd: boolean }> {
  const [end] = await read(reader, SLICE_END, [after]);
  if (end === undefined) return { after, last: MAX_ID, isEnd: true };
  return { after, last: idsOf(rangeOf(end.id)).last, isEnd: false };
}

/** Caches the results of a function, by columns or blocks that most changes keep. */
function cached<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = compute(key)));
    return result;
  };
}

const boundsOf = cached((ids: Int32Array) => {
  let [least, most] = [Infinity, 0];
  for (const id of ids) {
    if (id < least) least = id;
    if (id > most) most = id;
  }
  return { least, most };
});

/** Returns whether a block has ids of a range. */
function hasIdsOf({ ids }: Block, { after, last }: IdRange): boolean {
  const { least, most } = boundsOf(ids);
  return most > after && least <= last;
}

/**
 * Checksums by ranges of ids: the XOR of one hash per row. The database and the snapshot compute the same
 * numbers. A change is missed with a probability of 2^-32.
 *
 * `providers` covers generations, names, parents, roots and aggregates; `usage` the used amounts by class,
 * which costs the database several times as much. OpenStack Placement changes inventories, traits and
 * usage together with the generation, except when it deletes allocations.
 */
export const CHECKSUM_KINDS = ['providers', 'usage'] as const;

export type ChecksumKind = (typeof CHECKSUM_KINDS)[number];

/** By the number of the range; ranges without rows are absent. */
export type Checksums = ReadonlyMap<number, number>;

/**
 * The hash is not linear, because otherwise two rows that swap a value would have the same XOR. Each value
 * is multiplied by its own constant; two rounds of shift and multiplication modulo 2^32 mix the sum. The
 * constants are below 2^28, so that sums of five products of 32 bits fit in a BIGINT.
 */
const FACTORS = [0x9e3779b, 0x5bd1e99, 0x27d4eb3, 0x165667b, 0xd3a2647] as const;
const MIXER = 0x45d9f3b;
const BITS = 0xffffffff;

function hash(a: number, b: number, c = 0, d = 0, e = 0): number {
  let mixed =
    Math.imul(a, FACTORS[0]) +
    Math.imul(b, FACTORS[1]) +
    Math.imul(c, FACTORS[2]) +
    Math.imul(d, FACTORS[3]) +
    Math.imul(e, FACTORS[4]);
  for (let round = 0; round < 2; round++) mixed = Math.imul(mixed ^ ((mixed >>> 0) >>> 16), MIXER);
  return mixed;
}

/** Returns SQL that computes the same hash as an unsigned integer. */
function hashSql(...values: readonly string[]): string {
  const sum = values.map((each, at) => `((${each}) & ${BITS}) * ${FACTORS[at]}`).join(' + ');
  const mixed = (text: string): string => `(((${text} ^ (${text} >> 16)) * ${MIXER}) & ${BITS})`;
  return mixed(mixed(`((${sum}) & ${BITS})`));
}

const m = columns('resource_provider_aggregates');

const LINKS = `resource_provider_aggregates
       WHERE resource_provider_id > ? AND resource_provider_id <= ?`;

/** Reads each aggregate of a provider once: other programs may spell one aggregate in several rows. */
const linksOnce = (replaced: number): string =>
  `(SELECT DISTINCT ${m.resource_provider_id}, ${caseOf(m.aggregate_id, replaced, m.aggregate_id)} AS ${m.aggregate_id}
      FROM ${LINKS}) links`;

/** Each text takes the number of ids of a range, and the two ids of an IdRange, once per table. */
const CHECKSUMS: Readonly<Record<ChecksumKind, { readonly text: string; readonly tables: number }>> = {
  providers: {
    text: `
      SELECT id DIV ? AS idRange, BIT_XOR(${hashSql(
        'id',
        'COALESCE(generation, 0)',
        'COALESCE(parent_provider_id, 0)',
        'COALESCE(root_provider_id, id)',
        'CRC32(CONVERT(COALESCE(name, uuid) USING utf8mb4))',
      )}) AS checksum
        FROM resource_providers WHERE id > ? AND id <= ? GROUP BY idRange
      UNION ALL
      SELECT resource_provider_id DIV ? AS idRange, BIT_XOR(${hashSql('resource_provider_id', 'aggregate_id')})
        FROM ${LINKS} GROUP BY idRange`,
    tables: 2,
  },
  usage: {
    // Grouped in the order of the index; cast, because decimals take a third longer.
    text: `
      SELECT providerId DIV ? AS idRange, BIT_XOR(${hashSql('providerId', 'classId', 'used')}) AS checksum
        FROM (SELECT resource_provider_id AS providerId, resource_class_id AS classId, CAST(SUM(used) AS SIGNED) AS used
                FROM allocations FORCE INDEX (allocations_resource_provider_class_used_idx)
               WHERE resource_provider_id > ? AND resource_provider_id <= ?
               GROUP BY resource_provider_id, resource_class_id) AS sums
       WHERE used <> 0 GROUP BY idRange`,
    tables: 1,
  },
};

const NONE: ReadonlyMap<number, number> = new Map();

/**
 * @param replaced the ids of aggregates that other ids stand for in the snapshot
 * @param size the number of ids with a common checksum
 */
export async function readChecksums(
  reader: Queryable,
  kind: ChecksumKind,
  { after, last }: IdRange,
  replaced = NONE,
  size = RANGE_SIZE,
): Promise<Checksums> {
  const { text, tables } = CHECKSUMS[kind];
  const ids = Array.from({ length: tables }, () => [size, after, last]).flat();
  const isReplacing = kind === 'providers' && replaced.size > 0;
  const sql = isReplacing ? text.replace(LINKS, linksOnce(replaced.size)) : text;
  const values = isReplacing ? [size, after, last, size, ...[...replaced].flat(), after, last] : ids;
  const sums = new Map<number, number>();
  for (const row of await reader.query<{ idRange: number; checksum: number | bigint }[]>(sql, values))
    add(sums, row.idRange, Number(row.checksum));
  return sums;
}

/** Returns the same checksums of a snapshot. Computes those of ranges only for changed blocks. */
export function checksumsIn(
  blocks: readonly Block[],
  kind: ChecksumKind,
  ids: IdRange,
  size = RANGE_SIZE,
): Checksums {
  const sums = new Map<number, number>();
  const [first, end] = [rangeOf(ids.after + 1, size), rangeOf(ids.last, size)];
  for (const block of blocks) {
    if (!hasIdsOf(block, ids)) continue;
    const ofBlock = size === RANGE_SIZE ? rangeChecksums(block) : blockChecksums(block, size);
    for (const [range, checksum] of ofBlock[kind])
      if (range >= first && range <= end) add(sums, range, checksum);
  }
  return sums;
}

export function differing(one: Checksums, other: Checksums): number[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (range) => (one.get(range) ?? 0) !== (other.get(range) ?? 0),
  );
}

/**
 * Names the providers of a slice that differ from the snapshot: by the checksums of ranges, then by those of the single
 * ids of different ranges. May name providers that were changed with the feed meanwhile.
 */
export async function providersUnlike(
  reader: Queryable,
  kind: ChecksumKind,
  slice: IdRange,
  current: () => Promise<FleetSnapshot>,
): Promise<number[]> {
  const before = await current();
  const stored = await readChecksums(reader, kind, slice, before.names.aggregates.replacedIds());
  const ranges = differing(stored, checksumsIn(before.blocks, kind, slice));
  if (ranges.length === 0) return [];
  const { blocks, names } = await current();
  const still = new Set(differing(stored, checksumsIn(blocks, kind, slice)));
  const ids: number[] = [];
  for (const range of ranges.filter((each) => still.has(each))) {
    const inRange = idsOf(range);
    const ofIds = await readChecksums(reader, kind, inRange, names.aggregates.replacedIds(), 1);
    ids.push(...differing(ofIds, checksumsIn(blocks, kind, inRange, 1)));
  }
  return ids;
}

const nameHashesOf = cached((names: readonly string[]) => Uint32Array.from(names, (name) => crc32(name)));

const rangeChecksums = cached((block: Block) => blockChecksums(block, RANGE_SIZE));

function blockChecksums(block: Block, size: number): Readonly<Record<ChecksumKind, Checksums>> {
  const { ids, names, parents, generations } = block;
  const nameHashes = nameHashesOf(names);
  const providers = new Map<number, number>();
  const usage = new Map<number, number>();
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row];
    const range = rangeOf(id, size);
    const parent = parents[row] < 0 ? 0 : ids[parents[row]];
    add(providers, range, hash(id, generations[row], parent, ids[rootRow(block, row)], nameHashes[row]));
    for (let at = block.aggregateStarts[row]; at < block.aggregateStarts[row + 1]; at++)
      add(providers, range, hash(id, block.aggregates[at]));
    for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
      if (block.used[at] !== 0) add(usage, range, hash(id, block.classes[at], block.used[at]));
  }
  return { providers, usage };
}

function add(sums: Map<number, number>, range: number, checksum: number): void {
  sums.set(range, ((sums.get(range) ?? 0) ^ checksum) >>> 0);
}

const CATALOG_CHECKSUM = ['traits', 'resource_classes']
  .map((table) => `SELECT BIT_XOR(${hashSql('id', 'CRC32(name)')}) AS checksum FROM ${table}`)
  .join(' UNION ALL ');

/** Returns whether the catalog differs from the snapshot that `current` returns after reading it. */
export async function isCatalogUnlike(
  reader: Queryable,
  current: () => Promise<FleetSnapshot>,
): Promise<boolean> {
  const stored = await readCatalogChecksum(reader);
  return stored !== catalogChecksum((await current()).names);
}

async function readCatalogChecksum(reader: Queryable): Promise<number> {
  const rows = await reader.query<{ checksum: number | bigint }[]>(CATALOG_CHECKSUM);
  return rows.reduce((sum, { checksum }) => (sum ^ Number(checksum)) >>> 0, 0);
}

export function catalogChecksum({ traits, classes }: SnapshotNames): number {
  const entries = [...traits.entries(), ...classes.entries()];
  return entries.reduce((sum, [id, name]) => (sum ^ hash(id, crc32(name))) >>> 0, 0);
}
