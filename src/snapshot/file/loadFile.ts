import type { Database } from '../../database/database.js';
import type { Reader } from '../../database/statements.js';
import { DatabaseChanges } from '../changeSource.js';
import type { Loaded } from '../load.js';
import { FleetSnapshot } from '../model/fleetSnapshot.js';
import { readNames } from '../readNames.js';
import {
  differencesIn,
  rangesUnlike,
  readAllChecksums,
  type AllChecksums,
} from '../reconciliation/wholeComparison.js';
import { countBehind, obstacleTo } from './mark.js';
import { UnusableFile, type SnapshotFile, type Stored } from './snapshotFile.js';

/** More rows of the feed to read again, or ranges of providers that other programs have changed, and a full load takes no longer. */
const MOST_CHANGES = 50_000;
const MOST_RANGES = 512;

/**
 * The snapshot that a file has, brought up to date: as a full load would give it now. What was written with the feed is read again by the
 * feed; for what was not, all providers are compared with the database by their checksums, which that computes meanwhile.
 *
 * @throws UnusableFile where there is any doubt, or a full load takes no longer
 */
export async function loadFile(database: Database, file: SnapshotFile): Promise<Loaded> {
  const { pool } = database;
  let stored: Promise<AllChecksums> | undefined;
  const { fleet, position, hashes } = await file.read(async (start) => {
    await assertReachable(pool, start);
    stored = readAllChecksums(pool);
    stored.catch(() => undefined); // told below
  });
  const source = new DatabaseChanges(database);
  const followed = async (
    { snapshot, position: from }: Loaded,
    suspects: readonly number[],
  ): Promise<Loaded> => {
    const changes = await source.changesSince({ position: from, names: snapshot.names }, new Set(suspects));
    return { snapshot: snapshot.with(changes.providers, changes.names), position: changes.position };
  };
  const loaded = await followed(
    { snapshot: FleetSnapshot.restored(fleet, await readNames(pool), hashes), position },
    [],
  );
  const ranges = rangesUnlike(await stored!, loaded.snapshot);
  if (ranges.length === 0) return loaded;
  if (ranges.length > MOST_RANGES) throw new UnusableFile('too much has changed since');
  return followed(loaded, await differencesIn(pool, loaded.snapshot, ranges));
}

/** @throws UnusableFile where the feed does not lead from there to what the database is now, or leads a long way */
async function assertReachable(
  reader: Reader,
  { mark, position }: Pick<Stored, 'mark' | 'position'>,
): Promise<void> {
  const obstacle = await obstacleTo(reader, mark);
  if (obstacle !== null) throw new UnusableFile(obstacle);
  if ((await countBehind(reader, position, MOST_CHANGES)) > MOST_CHANGES)
    throw new UnusableFile('too much has changed since');
}
