import type { Reader } from '../../database/statements.js';
import type { FleetSnapshot } from '../model/fleetSnapshot.js';
import {
  CHECKSUM_KINDS,
  checksumsIn,
  differing,
  readChecksums,
  type ChecksumKind,
  type Checksums,
} from './checksums.js';
import { findDifferences } from './differences.js';
import { ALL_IDS, idsOf, nextSlice } from './idRange.js';

/** The checksums of all providers in the database, by their kind. */
export type AllChecksums = Readonly<Record<ChecksumKind, Checksums>>;

/** Reads them, both kinds at the same time. */
export async function readAllChecksums(reader: Reader): Promise<AllChecksums> {
  const [providers, usage] = await Promise.all(CHECKSUM_KINDS.map((kind) => readAllOf(reader, kind)));
  return { providers, usage };
}

async function readAllOf(reader: Reader, kind: ChecksumKind): Promise<Checksums> {
  const all = new Map<number, number>();
  for (let after = 0, isEnd = false; !isEnd;) {
    const slice = await nextSlice(reader, after);
    ({ last: after, isEnd } = slice);
    for (const [range, checksum] of await readChecksums(reader, kind, slice)) all.set(range, checksum);
  }
  return all;
}

/** The ranges of providers that are not in a snapshot as these checksums say. */
export function rangesUnlike(stored: AllChecksums, { blocks }: FleetSnapshot): number[] {
  const ranges = CHECKSUM_KINDS.flatMap((kind) =>
    differing(stored[kind], checksumsIn(blocks, kind, ALL_IDS)),
  );
  return [...new Set(ranges)];
}

/** The providers of these ranges that are not in the database as in a snapshot. */
export async function differencesIn(
  reader: Reader,
  snapshot: FleetSnapshot,
  ranges: readonly number[],
): Promise<number[]> {
  const found: number[] = [];
  for (const range of ranges) found.push(...(await findDifferences(reader, snapshot, idsOf(range))).ids);
  return found;
}
