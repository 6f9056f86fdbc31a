import type { Database } from '../../database/database.js';
import { onConnection } from '../../database/onConnection.js';
import { read, statement, tables, type Reader } from '../../database/statements.js';
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
import { ALL_IDS, idsOf, partsOf, type IdRange } from './idRange.js';

/** The checksums of all providers in the database, by their kind. */
export type AllChecksums = Readonly<Record<ChecksumKind, Checksums>>;

const BOUNDS = statement(
  tables
    .selectFrom('resource_providers')
    .select((eb) => [eb.fn.min('id').as('least'), eb.fn.max('id').as('largest')]),
);

/** Reads them, on three connections at the same time: usage costs the database three times as much as the rest. */
export async function readAllChecksums(database: Database): Promise<AllChecksums> {
  const [bounds] = await read(database.pool, BOUNDS, []);
  const parts = partsOf(Number(bounds.least), Number(bounds.largest));
  const [providers, ...usage] = await Promise.all([
    readParts(database, 'providers', parts),
    readParts(
      database,
      'usage',
      parts.filter((_, at) => at % 2 === 0),
    ),
    readParts(
      database,
      'usage',
      parts.filter((_, at) => at % 2 === 1),
    ),
  ]);
  return { providers, usage: new Map(usage.flatMap((some) => [...some])) };
}

/** All statements are sent at once, so that the database need not wait for this process, which may have much else to do. */
function readParts(database: Database, kind: ChecksumKind, parts: readonly IdRange[]): Promise<Checksums> {
  return onConnection(database, async (connection) => {
    const read = await Promise.all(parts.map((part) => readChecksums(connection, kind, part)));
    return new Map(read.flatMap((some) => [...some]));
  });
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
