import type { Connection } from 'mariadb';
import { VERSION } from '../../store/version.js';
import { readStoredTables } from '../../store/migrations/tables.js';
import { inConsistentSnapshot } from '../../store/database/onConnection.js';
import type { Database } from '../../store/database/database.js';
import { doneMigrations } from '../../store/migrations/migrator.js';
import { BackupWriter } from './backupFile.js';
import { type Progress, copyTables } from './copy.js';
import { type TableLayout, databaseTables, externalParts, layoutsOf, nextId } from './databaseEnd.js';

export interface BackupOptions extends Progress {
  readonly file: string;
}

/**
 * Writes all tables of this program into a file, from one consistent snapshot. Writers do not wait
 * for the backup, but migrations do.
 *
 * @throws Error with a one-line message if the database is not this program's, half migrated or half restored
 */
export function backupDatabase(database: Database, { file, ...progress }: BackupOptions): Promise<void> {
  return inConsistentSnapshot(database, async (connection) => {
    const migrations = (await doneMigrations(connection)).map(({ name, checksum }) => ({ name, checksum }));
    const stored = await readStoredTables(connection);
    for (const part of externalParts(stored)) progress.onProgress(`not in the backup: ${part}`);
    const layouts = layoutsOf(stored);
    const head = { ...(await describe(connection, layouts)), migrations };
    const copy = (writer: BackupWriter): Promise<void> =>
      copyTables(databaseTables(connection, layouts), writer, progress);
    await BackupWriter.write(file, head, copy, progress.onProgress);
  });
}

async function describe(connection: Connection, layouts: readonly TableLayout[]) {
  const [{ server, takenAt }] = await connection.query<{ server: string; takenAt: string }[]>(
    'SELECT VERSION() AS server, CAST(UTC_TIMESTAMP() AS CHAR) AS takenAt',
  );
  const nextIds: Record<string, number> = {};
  for (const { name, isCounted } of layouts) if (isCounted) nextIds[name] = await nextId(connection, name);
  return { program: VERSION, server, takenAt, nextIds };
}
