import { type AdoptOptions, NotAdoptable, adopt, undoAdoption } from '../database/adoption/adopt.js';
import type { Database } from '../database/database.js';
import { openReachable } from './bootstrap.js';
import { Lifecycle } from './lifecycle.js';
import type { CommonOptions } from './options.js';
import { readSettings } from './settings/settings.js';

export interface AdoptCommandOptions extends CommonOptions {
  undo?: boolean;
  dropNames?: boolean;
  dryRun?: boolean;
}

const print = (line: string) => console.log(line);

/** Makes the database of an OpenStack Placement one that the server works on too, or undoes that, and tells what is done. */
export function adoptDatabase(command: AdoptCommandOptions): Promise<void> {
  const { undo = false, dropNames = false, dryRun = false, config } = command;
  return Lifecycle.run(async (lifecycle) => {
    const databaseUrl = readSettings({ file: config }).settings['database.url'];
    if (databaseUrl === null) throw new Error('DATABASE_URL must name the database to adopt');
    const database = await openReachable(lifecycle, databaseUrl);
    if (dropNames && !undo) throw new Error('--drop-names goes with --undo');
    const options = { isDryRun: dryRun, onProgress: print };
    if (undo) {
      const tables = await undoAdoption(database, { ...options, isDroppingNames: dropNames });
      for (const table of tables) print(`${dryRun ? 'would drop' : 'dropped'}: the table ${table}`);
    } else {
      await adoptAndTell(database, options);
    }
    await lifecycle.end(0);
  });
}

async function adoptAndTell(database: Database, options: AdoptOptions): Promise<void> {
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
