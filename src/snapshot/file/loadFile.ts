import type { Database } from '../../database/database.js';
import { requireMigrated } from '../../database/migrator.js';
import { onConnection } from '../../database/onConnection.js';
import type { Reader } from '../../database/statements.js';
import { followed, type Loaded } from '../loaded.js';
import { FleetSnapshot } from '../model/fleetSnapshot.js';
import { readNames } from '../readNames.js';
import {
  differencesIn,
  rangesUnlike,
  readAllChecksums,
  type AllChecksums,
} from '../reconciliation/wholeComparison.js';
import { countBehind, obstacleTo } from './mark.js';
import { SnapshotFile, UnusableFile, type Restored, type Stored } from './snapshotFile.js';

/** More rows of the feed to read again, or ranges of providers that other programs have changed, and a full load takes no longer. */
const MOST_CHANGES = 50_000;
const MOST_RANGES = 512;

/** How long what was read may wait (ms): what other programs write meanwhile is not in it. */
const LONGEST_MS = 10_000;

/** What was read of a file, and of a database to which it belongs. */
interface ReadFile {
  readonly restored: Restored;
  readonly stored: AllChecksums;
}

/** A file that is being read, and the checksums of all providers that the database computes meanwhile. */
export class FileLoad {
  private readAt = -Infinity;
  private readonly ended: Promise<void>;

  private constructor(
    private readonly database: Database,
    private readonly read: Promise<ReadFile>,
  ) {
    this.ended = read.then(
      () => void (this.readAt = performance.now()),
      () => undefined, // told where it is finished, if it is
    );
  }

  static begin(database: Database, file: SnapshotFile): FileLoad {
    return new FileLoad(database, readFile(database, file));
  }

  /** The same before it is known whether the database is migrated: it fails where it is not. */
  static beginEarly(database: Database, path: string): FileLoad {
    const read = async (): Promise<ReadFile> => {
      await onConnection(database, (connection) => requireMigrated(connection));
      return readFile(database, new SnapshotFile(path));
    };
    return new FileLoad(database, read());
  }

  /** Waits until all is read: whether it was, a moment ago. */
  async isUsable(): Promise<boolean> {
    await this.ended;
    return performance.now() - this.readAt < LONGEST_MS;
  }

  /**
   * The snapshot of the file, brought up to date: as a full load would give it now. What was written with the feed is read again by the
   * feed; for what was not, all providers are compared with the database by their checksums.
   *
   * @throws UnusableFile where there is any doubt, or a full load takes no longer
   */
  async finish(): Promise<Loaded> {
    const { restored, stored } = await this.read;
    const { pool } = this.database;
    await assertReachable(pool, restored);
    const names = await readNames(pool);
    const snapshot = FleetSnapshot.restored(restored.fleet, names, restored.hashes);
    const loaded = await followed(this.database, { snapshot, position: restored.position }, []);
    const ranges = rangesUnlike(stored, loaded.snapshot);
    if (ranges.length === 0) return loaded;
    if (ranges.length > MOST_RANGES) throw new UnusableFile('too much has changed since');
    return followed(this.database, loaded, await differencesIn(pool, loaded.snapshot, ranges));
  }
}

async function readFile(database: Database, file: SnapshotFile): Promise<ReadFile> {
  let stored: Promise<AllChecksums> | undefined;
  const restored = await file.read(async (start) => {
    await assertReachable(database.pool, start);
    stored = readAllChecksums(database);
    stored.catch(() => undefined); // told below
  });
  return { restored, stored: await stored! };
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
