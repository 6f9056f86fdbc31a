import { existsSync } from 'node:fs';
import { type AdoptOptions, NotAdoptable, adopt, undoAdoption } from '../../tools/adoption/adopt.js';
import { backupDatabase } from '../../tools/copy/backup.js';
import { restoreDatabase } from '../../tools/copy/restore.js';
import { exportPlacement, importPlacement } from '../../tools/copy/transfer.js';
import { DEMO_HOSTS } from '../../tools/demo/demo.js';
import type { Database } from '../../store/database/database.js';
import { recordReset } from '../../store/feed/writer.js';
import {
  fillWithDemoData,
  hasPrivateDatabase,
  openBeside,
  openExisting,
  openMigrated,
  openReachable,
  openToFill,
  throttled,
  untilStopping,
} from '../start/bootstrap.js';
import type { Lifecycle } from '../start/lifecycle.js';
import type { Settings } from '../settings/definitions.js';

const print = (line: string) => console.log(line);

/** Returns callbacks of a copy that stop it at its next report after a signal. */
function copying(lifecycle: Lifecycle) {
  return {
    onProgress: untilStopping(lifecycle, print),
    onRows: untilStopping(lifecycle, throttled(print)),
  };
}

export async function migrate(lifecycle: Lifecycle, settings: Settings): Promise<void> {
  await openMigrated(lifecycle, settings);
}

export async function loadDemo(
  lifecycle: Lifecycle,
  settings: Settings,
  { hosts = DEMO_HOSTS }: { readonly hosts?: number },
): Promise<void> {
  await fillWithDemoData(lifecycle, await openMigrated(lifecycle, settings), hosts);
}

/** Writes the whole database into a file, which must not exist. Servers may continue to run. */
export async function backup(lifecycle: Lifecycle, settings: Settings, file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists already`);
  await backupDatabase(await openBeside(lifecycle, settings), { file, ...copying(lifecycle) });
  print(`the backup is ${file}`);
}

/** Restores a backup into an empty database. Servers reject a partial one. A retry starts anew. */
export async function restore(
  lifecycle: Lifecycle,
  settings: Settings,
  file: string,
  { replace: isReplacing, dryRun: isDryRun }: { readonly replace?: boolean; readonly dryRun?: boolean },
): Promise<void> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const database = await (isDryRun ? openUnchanged : openToFill)(lifecycle, settings);
  const options = { file, isReplacing, isDryRun, ...copying(lifecycle), onRestored: recordReset };
  await restoreDatabase(database, options);
}

const UNKNOWN_DATABASE = 1049;

/** Opens the database that a restore would fill. @throws Error if the restore would create it */
async function openUnchanged(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const missing = 'the database does not exist: without --dry-run, restore creates it';
  if (settings['database.url'] === null && !hasPrivateDatabase(settings)) throw new Error(missing);
  return openBeside(lifecycle, settings).catch((error: Error) => {
    const { errno } = (error.cause ?? {}) as { readonly errno?: number };
    throw errno === UNKNOWN_DATABASE ? new Error(missing, { cause: error }) : error;
  });
}

/** Copies a Placement database into an empty one. Exits with 0 only if the copy is equal. */
export async function importDatabase(
  lifecycle: Lifecycle,
  settings: Settings,
  { from, dryRun: isDryRun }: { readonly from: string; readonly dryRun?: boolean },
): Promise<number> {
  const source = await openReachable(lifecycle, from);
  const target = await openExisting(lifecycle, settings);
  // the reset notifies servers that already use the database
  const copy = { source, target, isDryRun, ...copying(lifecycle), onCopied: recordReset };
  return (await importPlacement(copy)) ? 0 : 1;
}

/** Copies the database into a Placement database. Exits with 0 only if the copy is equal. */
export async function exportDatabase(
  lifecycle: Lifecycle,
  settings: Settings,
  { to, dryRun: isDryRun }: { readonly to: string; readonly dryRun?: boolean },
): Promise<number> {
  const target = await openReachable(lifecycle, to);
  const source = await openExisting(lifecycle, settings);
  const copy = { source, target, isDryRun, ...copying(lifecycle), onCopied: recordReset };
  return (await exportPlacement(copy)) ? 0 : 1;
}

interface AdoptCommandOptions {
  readonly undo?: boolean;
  readonly dropNames?: boolean;
  readonly dryRun?: boolean;
}

/** Adds the server's tables to a Placement database, or drops them. Prints each step. */
export async function adoptDatabase(
  lifecycle: Lifecycle,
  settings: Settings,
  { undo = false, dropNames = false, dryRun = false }: AdoptCommandOptions,
): Promise<void> {
  const databaseUrl = settings['database.url'];
  if (databaseUrl === null) throw new Error('DATABASE_URL must name the database to adopt');
  const database = await openReachable(lifecycle, databaseUrl);
  if (dropNames && !undo) throw new Error('--drop-names requires --undo');
  const options = { isDryRun: dryRun, onProgress: print };
  if (!undo) return adoptAndReport(database, options);
  const tables = await undoAdoption(database, { ...options, isDroppingNames: dropNames });
  for (const table of tables) print(`${dryRun ? 'would drop' : 'dropped'}: the table ${table}`);
}

async function adoptAndReport(database: Database, options: AdoptOptions): Promise<void> {
  const { version, notes, steps } = await adopt(database, options).catch((error: unknown) => {
    if (error instanceof NotAdoptable) printNotes(error.notes);
    throw error;
  });
  print(`OpenStack Placement, ${version.releases}, version ${version.revision}`);
  printNotes(notes);
  for (const step of steps) print(`${options.isDryRun ? 'would' : 'done'}: ${step}`);
  if (steps.length === 0) print('the database was adopted before');
  else print(options.isDryRun ? 'nothing is changed' : 'the database is adopted');
}

function printNotes(notes: readonly string[]): void {
  for (const note of notes) print(`note: ${note}`);
}
