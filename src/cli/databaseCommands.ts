import { existsSync } from 'node:fs';
import { type AdoptOptions, NotAdoptable, adopt, undoAdoption } from '../database/adoption/adopt.js';
import { backupDatabase } from '../database/copy/backup.js';
import { restoreDatabase } from '../database/copy/restore.js';
import { exportPlacement, importPlacement } from '../database/copy/transfer.js';
import type { Database } from '../database/database.js';
import { recordReset } from '../feed/writer.js';
import {
  type CommonOptions,
  fillWithDemoData,
  hasPrivateDatabase,
  lockData,
  openBeside,
  openExisting,
  openMigrated,
  openReachable,
  openToFill,
  runWithSettings,
  throttled,
  untilStopping,
} from './bootstrap.js';
import type { Lifecycle } from './lifecycle.js';
import type { Settings } from './settings/definitions.js';

const print = (line: string) => console.log(line);

/** Returns callbacks of a copy that stop it at its next report after a signal. */
function copying(lifecycle: Lifecycle) {
  return {
    onProgress: untilStopping(lifecycle, print),
    onRows: untilStopping(lifecycle, throttled(print)),
  };
}

export function migrate(options: CommonOptions): Promise<void> {
  return runWithSettings(options, async (lifecycle, settings) => {
    await lockData(lifecycle, settings);
    await openMigrated(lifecycle, settings);
  });
}

export interface DemoCommandOptions extends CommonOptions {
  readonly hosts: number;
}

export function loadDemo({ hosts, ...options }: DemoCommandOptions): Promise<void> {
  return runWithSettings(options, async (lifecycle, settings) => {
    await lockData(lifecycle, settings);
    await fillWithDemoData(lifecycle, await openMigrated(lifecycle, settings), hosts);
  });
}

/** Writes the whole database into a file, which must not exist. Servers may continue to run. */
export function backup(file: string, options: CommonOptions): Promise<void> {
  return runWithSettings(options, async (lifecycle, settings) => {
    const progress = copying(lifecycle);
    if (existsSync(file)) throw new Error(`${file} exists already`);
    await backupDatabase(await openBeside(lifecycle, settings), { file, ...progress });
    print(`the backup is ${file}`);
  });
}

export interface RestoreCommandOptions extends CommonOptions {
  readonly replace?: boolean;
  readonly dryRun?: boolean;
}

/** Restores a backup into an empty database. Servers reject a partial one. A retry starts anew. */
export function restore(file: string, options: RestoreCommandOptions): Promise<void> {
  const { replace: isReplacing, dryRun: isDryRun } = options;
  return runWithSettings(options, async (lifecycle, settings) => {
    const progress = copying(lifecycle);
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    const database = await (isDryRun ? openUnchanged : openToFill)(lifecycle, settings);
    await restoreDatabase(database, { file, isReplacing, isDryRun, ...progress, onRestored: recordReset });
  });
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

export interface ImportOptions extends CommonOptions {
  readonly from: string;
  readonly dryRun?: boolean;
}

/** Copies a Placement database into an empty one. Exits with 0 only if the copy is equal. */
export function importDatabase({ from, dryRun: isDryRun, ...options }: ImportOptions): Promise<void> {
  return runWithSettings(options, async (lifecycle, settings) => {
    const progress = copying(lifecycle);
    const source = await openReachable(lifecycle, from);
    const target = await openExisting(lifecycle, settings);
    // the reset notifies servers that already use the database
    const copy = { source, target, isDryRun, ...progress, onCopied: recordReset };
    return (await importPlacement(copy)) ? 0 : 1;
  });
}

export interface ExportOptions extends CommonOptions {
  readonly to: string;
  readonly dryRun?: boolean;
}

/** Copies the database into a Placement database. Exits with 0 only if the copy is equal. */
export function exportDatabase({ to, dryRun: isDryRun, ...options }: ExportOptions): Promise<void> {
  return runWithSettings(options, async (lifecycle, settings) => {
    const progress = copying(lifecycle);
    const target = await openReachable(lifecycle, to);
    const source = await openExisting(lifecycle, settings);
    return (await exportPlacement({ source, target, isDryRun, ...progress })) ? 0 : 1;
  });
}

export interface AdoptCommandOptions extends CommonOptions {
  readonly undo?: boolean;
  readonly dropNames?: boolean;
  readonly dryRun?: boolean;
}

/** Adds the server's tables to a Placement database, or drops them. Prints each step. */
export function adoptDatabase(command: AdoptCommandOptions): Promise<void> {
  const { undo = false, dropNames = false, dryRun = false } = command;
  return runWithSettings(command, async (lifecycle, settings) => {
    const databaseUrl = settings['database.url'];
    if (databaseUrl === null) throw new Error('DATABASE_URL must name the database to adopt');
    const database = await openReachable(lifecycle, databaseUrl);
    if (dropNames && !undo) throw new Error('--drop-names requires --undo');
    const options = { isDryRun: dryRun, onProgress: print };
    if (!undo) return adoptAndReport(database, options);
    const tables = await undoAdoption(database, { ...options, isDroppingNames: dropNames });
    for (const table of tables) print(`${dryRun ? 'would drop' : 'dropped'}: the table ${table}`);
  });
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
