import type { Connection } from 'mariadb';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { VERSION } from '../../runtime/version.js';
import { readStoredTables } from '../adoption/tables.js';
import { FORMAT, FORMAT_VERSION, type Head } from './readBackup.js';
import { inConsistentSnapshot } from '../consistentSnapshot.js';
import type { Database } from '../database.js';
import { doneMigrations } from '../migrator.js';
import { type Row, lineOf, nextId, readFigures, readPage } from './rows.js';
import { type CopiedTable, foreignParts, storedTables } from './tables.js';

export interface BackupOptions {
  readonly file: string;
  /** Told what is done; what it throws ends the backup. */
  readonly onProgress: (line: string) => void;
  /** Told several times a second how far it is; as well. */
  readonly onRows?: (line: string) => void;
}

/**
 * Writes all that a database of this program has into a file: as it is at one moment, whoever writes to it meanwhile. Locks nothing that
 * writers need; migrations wait.
 *
 * @throws Error with a one-line message when the database is none of this program, half migrated or half restored
 */
export function backupDatabase(database: Database, options: BackupOptions): Promise<void> {
  return inConsistentSnapshot(database, (connection) =>
    writeBackup(options.file, linesOf(connection, options)),
  );
}

async function* linesOf(
  connection: Connection,
  { onProgress, onRows }: BackupOptions,
): AsyncGenerator<readonly object[]> {
  const migrations = (await doneMigrations(connection)).map(({ name, checksum }) => ({ name, checksum }));
  const stored = await readStoredTables(connection);
  for (const part of foreignParts(stored)) onProgress(`not in the backup: ${part}`);
  const tables = storedTables(stored);
  yield [await headOf(connection, tables, migrations)];
  for (const table of tables) {
    yield [{ table: table.name, columns: table.columns }];
    let count = 0;
    for (let rows: Row[] = await readPage(connection, table, undefined); rows.length > 0;) {
      yield rows;
      count += rows.length;
      onRows?.(`${table.name}: ${count} rows`);
      rows = await readPage(connection, table, rows.at(-1));
    }
    const figures = await readFigures(connection, table);
    yield [{ end: table.name, rows: count, figures: Object.fromEntries(figures) }];
    onProgress(lineOf(table, figures));
  }
}

async function headOf(
  connection: Connection,
  tables: readonly CopiedTable[],
  migrations: Head['migrations'],
): Promise<Head> {
  const [{ server, takenAt }] = await connection.query<{ server: string; takenAt: string }[]>(
    'SELECT VERSION() AS server, CAST(UTC_TIMESTAMP() AS CHAR) AS takenAt',
  );
  const nextIds: Record<string, number> = {};
  for (const { name, isCounted } of tables) if (isCounted) nextIds[name] = await nextId(connection, name);
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    program: VERSION,
    server,
    takenAt,
    migrations,
    nextIds,
  };
}

/** The lines of a backup as they come, several at a time, without the last one. */
export type Lines = AsyncIterable<readonly object[]>;

/**
 * Writes a backup, readable by its owner alone. It has its name only when all of it is on the disk: whatever interrupts it leaves no
 * file of that name.
 *
 * @throws Error when it cannot be written
 */
async function writeBackup(file: string, lines: Lines): Promise<void> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await pipeline(
      Readable.from(sealed(lines)),
      createGzip(),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}

async function* sealed(lines: Lines): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const some of lines) {
    const text = textOf(some);
    hash.update(text);
    yield text;
  }
  yield textOf([{ sha256: hash.digest('hex') }]);
}

function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
