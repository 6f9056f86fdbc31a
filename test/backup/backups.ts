import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, LocalCommand } from '../cli/command.js';
import type { Database } from '../../src/store/database/database.js';
import type { TestDatabase } from '../support/database.js';
import { tableNames } from '../adopt/placementDatabase.js';
import { rowsOf } from '../transfer/transferSupport.js';

/** A folder for the files of a test file. */
export function temporaryFolder(): { path: (name: string) => string; remove: () => void } {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `placement-test-${process.pid}-`));
  return {
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Named {
  readonly url: string;
}

const urlOf = ({ url }: Named): Record<string, string> => ({ DATABASE_URL: url });

export const startBackup = (source: Named, file: string): LocalCommand =>
  new LocalCommand(['backup', file], urlOf(source));

export const startBackupProcess = (source: Named, file: string): Command =>
  new Command(['backup', file], urlOf(source));

/** Ends the lease of this process before, which would keep a restore from beginning. */
export function startRestore(target: TestDatabase, file: string, ...options: string[]): LocalCommand {
  target.stop();
  return startRestoreBeside(target, file, ...options);
}

export const startRestoreBeside = (target: Named, file: string, ...options: string[]): LocalCommand =>
  new LocalCommand(['restore', file, ...options], urlOf(target));

export const startRestoreProcess = (target: Named, file: string, ...options: string[]): Command =>
  new Command(['restore', file, ...options], urlOf(target));

/** What a server says that cannot start. */
export async function refusalToServe(target: Named): Promise<string> {
  const { code, said } = await new LocalCommand(['serve', '--port', '0'], urlOf(target)).ended();
  return `${String(code)}: ${said.trim()}`;
}

/** No backup has the lease of migrations and the change feed. */
const NOT_COMPARED = [
  'placement_migration_lock',
  'placement_feed_writers',
  'placement_feed_changes',
  'race_history',
];

/** Every row of every table that a backup has. */
export async function stateOf({ pool }: Database): Promise<Record<string, unknown[]>> {
  const names = await tableNames(pool);
  return rowsOf(
    { pool },
    names.filter((name) => !NOT_COMPARED.includes(name)),
  );
}
