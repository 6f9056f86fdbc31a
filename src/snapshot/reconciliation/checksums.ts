import { crc32 } from 'node:zlib';
import type { Reader } from '../../database/statements.js';
import { rootRow, type Block } from '../../engine/model/snapshot.js';
import type { SnapshotNames } from '../model/fleetSnapshot.js';
import { RANGE_SIZE, rangeOf, type IdRange } from './idRange.js';

/**
 * Checksums of what another program may change of providers, for ranges of their ids: sums over the rows, modulo a prime, so that the
 * database adds up rows, and the snapshot what it knows of each provider. A change remains hidden in them with a probability of one in
 * two billion.
 *
 * There are two kinds, because the second costs the database several times as much: `providers` of generations, names, parents, roots and
 * aggregates; `usage` of what is used by class. OpenStack Placement changes inventories, traits and usage together with the generation,
 * but for the deletion of allocations.
 */
export const CHECKSUM_KINDS = ['providers', 'usage'] as const;

export type ChecksumKind = (typeof CHECKSUM_KINDS)[number];

const MODULUS = 2 ** 31 - 1;

/** Of the ranges in which there is anything, by the number of the range. */
export type Checksums = ReadonlyMap<number, number>;

/** Spreads numbers over 1 to 65,521. The same in SQL and here, in whole numbers below 2^53. */
const factor = (id: number): number => ((id * 48_271) % 65_521) + 1;
const factorSql = (id: string): string => `(${id} * 48271 % 65521 + 1)`;
const pairFactor = (id: number, other: number): number =>
  ((factor(id) * 40_014 + other * 40_692) % 65_521) + 1;
/** The same number with one division less. */
const pairFactorSql = (id: string, other: string): string =>
  `((${id} * ${(48_271 * 40_014) % 65_521} + ${other} * 40692 + 40014) % 65521 + 1)`;

const rangeSql = (id: string): string => `${id} DIV ${RANGE_SIZE}`;
const sumSql = (term: string): string => `CAST(SUM(${term}) % ${MODULUS} AS UNSIGNED)`;

/** With the two ids between which they are, without the first, as often as tables are read. */
const CHECKSUMS: Readonly<Record<ChecksumKind, { readonly text: string; readonly tables: number }>> = {
  providers: {
    text: `
      SELECT ${rangeSql('id')} AS idRange, ${sumSql(
        `((COALESCE(generation, 0) * 1000003 + COALESCE(parent_provider_id, 0) * 7919
          + COALESCE(root_provider_id, id) * 104729 + CRC32(CONVERT(COALESCE(name, uuid) USING utf8mb4))) % ${MODULUS})
         * ${factorSql('id')}`,
      )} AS checksum
        FROM resource_providers WHERE id > ? AND id <= ? GROUP BY idRange
      UNION ALL
      SELECT ${rangeSql('resource_provider_id')} AS idRange, ${sumSql(pairFactorSql('resource_provider_id', 'aggregate_id'))}
        FROM resource_provider_aggregates WHERE resource_provider_id > ? AND resource_provider_id <= ? GROUP BY idRange`,
    tables: 2,
  },
  usage: {
    // summed up by provider and class first, which is the order of the index; cast, because decimals take a third longer
    text: `
      SELECT ${rangeSql('providerId')} AS idRange, ${sumSql(`used * ${pairFactorSql('providerId', 'classId')}`)} AS checksum
        FROM (SELECT resource_provider_id AS providerId, resource_class_id AS classId, CAST(SUM(used) AS SIGNED) % ${MODULUS} AS used
                FROM allocations FORCE INDEX (allocations_resource_provider_class_used_idx)
               WHERE resource_provider_id > ? AND resource_provider_id <= ?
               GROUP BY resource_provider_id, resource_class_id) AS sums
       GROUP BY idRange`,
    tables: 1,
  },
};

/** Reads the checksums of the ranges with these providers, in one consistent snapshot. */
export async function readChecksums(
  reader: Reader,
  kind: ChecksumKind,
  { after, last }: IdRange,
): Promise<Checksums> {
  const { text, tables } = CHECKSUMS[kind];
  const ids = Array.from({ length: tables }, () => [after, last]).flat();
  const sums = new Map<number, number>();
  for (const { idRange, checksum } of await reader.query<{ idRange: number; checksum: number }[]>(text, ids))
    add(sums, idRange, checksum);
  return sums;
}

/** The same of a snapshot's blocks. Costs next to nothing for blocks that have not changed since the last time. */
export function checksumsIn(
  blocks: readonly Block[],
  kind: ChecksumKind,
  { after, last }: IdRange,
): Checksums {
  const sums = new Map<number, number>();
  const [first, end] = [rangeOf(after + 1), rangeOf(last)];
  for (const block of blocks) {
    for (const [range, checksum] of blockChecksums(block)[kind])
      if (range >= first && range <= end) add(sums, range, checksum);
  }
  return sums;
}

/** The ranges whose checksums differ. */
export function differing(one: Checksums, other: Checksums): number[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (range) => (one.get(range) ?? 0) !== (other.get(range) ?? 0),
  );
}

export type BlockChecksums = Readonly<Record<ChecksumKind, Checksums>>;

const known = new WeakMap<Block, BlockChecksums>();

/** The checksums of a block's providers, by the ranges that any of them is in. */
export function blockChecksums(block: Block): BlockChecksums {
  let sums = known.get(block);
  if (sums === undefined) known.set(block, (sums = computed(block)));
  return sums;
}

function computed(block: Block): BlockChecksums {
  const names = nameChecksums(block.names);
  const providers = new Map<number, number>();
  const usage = new Map<number, number>();
  for (let row = 0; row < block.ids.length; row++) {
    const id = block.ids[row];
    const range = rangeOf(id);
    add(providers, range, ownChecksum(block, row, names[row]));
    for (let at = block.aggregateStarts[row]; at < block.aggregateStarts[row + 1]; at++)
      add(providers, range, pairFactor(id, block.aggregates[at]));
    for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
      add(usage, range, (block.used[at] % MODULUS) * pairFactor(id, block.classes[at]));
  }
  return { providers, usage };
}

function ownChecksum(block: Block, row: number, nameChecksum: number): number {
  const id = block.ids[row];
  const parent = block.parents[row] < 0 ? 0 : block.ids[block.parents[row]];
  const root = block.ids[rootRow(block, row)];
  const sum = block.generations[row] * 1_000_003 + parent * 7_919 + root * 104_729 + nameChecksum;
  return (sum % MODULUS) * factor(id);
}

function add(sums: Map<number, number>, range: number, checksum: number): void {
  sums.set(range, ((sums.get(range) ?? 0) + (checksum % MODULUS)) % MODULUS);
}

const nameColumns = new WeakMap<readonly string[], Uint32Array>();

/** Cached by the column, which most changes leave as it is. */
function nameChecksums(names: readonly string[]): Uint32Array {
  let checksums = nameColumns.get(names);
  if (checksums === undefined)
    nameColumns.set(names, (checksums = Uint32Array.from(names, (name) => crc32(name))));
  return checksums;
}

const CATALOG_CHECKSUM = {
  text: ['traits', 'resource_classes']
    .map((table) => `SELECT ${sumSql(`CRC32(name) * ${factorSql('id')}`)} AS checksum FROM ${table}`)
    .join(' UNION ALL '),
};

/** Reads the checksum of the names of traits and resource classes. */
export async function readCatalogChecksum(reader: Reader): Promise<number> {
  const rows = await reader.query<{ checksum: number | null }[]>(CATALOG_CHECKSUM.text);
  return rows.reduce((sum, { checksum }) => (sum + (checksum ?? 0)) % MODULUS, 0);
}

/** The same of a snapshot's names. */
export function catalogChecksum({ traits, classes }: SnapshotNames): number {
  const entries = [...traits.entries(), ...classes.entries()];
  return entries.reduce((sum, [id, name]) => (sum + ((crc32(name) * factor(id)) % MODULUS)) % MODULUS, 0);
}
