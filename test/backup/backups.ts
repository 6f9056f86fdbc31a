import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mariadb';
import { databaseAddress } from '../../src/database/address.js';
import { Command } from '../cli/command.js';
import type { Database } from '../../src/database/database.js';
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

export function startBackup({ url }: Named, file: string): Command {
  return new Command(['backup', file], { DATABASE_URL: url });
}

/** Ends the connections of this process to the database before, which a restore wants for itself. */
export async function startRestore(target: Named, file: string, ...options: string[]): Promise<Command> {
  const server = await createConnection(databaseAddress(process.env.PLACEMENT_TEST_SERVER_URL!));
  const rows = await server.query<{ Id: number | bigint; db: string | null }[]>('SHOW PROCESSLIST');
  const own = rows.filter(({ db }) => db === databaseAddress(target.url).database);
  for (const { Id } of own) await server.query(`KILL ${Id}`).catch(() => undefined);
  await server.end();
  return startRestoreBeside(target, file, ...options);
}

export function startRestoreBeside({ url }: Named, file: string, ...options: string[]): Command {
  return new Command(['restore', file, ...options], { DATABASE_URL: url });
}

/** What a server says that cannot start. */
export async function refusalToServe({ url }: Named): Promise<string> {
  const { code, said } = await new Command(['serve', '--port', '0'], {
    DATABASE_URL: url,
  }).ended();
  return `${String(code)}: ${said.trim()}`;
}

/** All tables but the lease of migrations and the epoch, which a restore sets anew. */
const NOT_COMPARED = ['placement_migration_lock', 'placement_feed_epochs', 'race_history'];

/** Every row of every table that a backup has. */
export async function stateOf({ pool }: Database): Promise<Record<string, unknown[]>> {
  const names = await tableNames(pool);
  return rowsOf(
    { pool },
    names.filter((name) => !NOT_COMPARED.includes(name)),
  );
}
