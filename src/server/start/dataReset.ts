import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { stopProcesses } from '../../tools/privateDatabase/processes.js';
import type { Settings } from '../settings/definitions.js';
import type { Lifecycle } from './lifecycle.js';

/** Rejects the reset of a database that is not private: such data is never deleted. */
export function assertPrivate(settings: Settings): void {
  if (settings['database.url'] !== null)
    throw new Error(
      '--reset deletes only a private database, but DATABASE_URL or database.url names another one',
    );
}

/**
 * Deletes the private database, if there is one. The caller has locked its directory, so no server runs on it.
 * @param isConfirmed whether the user need not type the name of the directory
 */
export async function resetData(
  lifecycle: Lifecycle,
  settings: Settings,
  isConfirmed: boolean,
): Promise<void> {
  const directory = await realpath(settings['database.dataDirectory']);
  const data = join(directory, 'database');
  if (!existsSync(data)) return lifecycle.say(`--reset: there is no database in ${directory}`);
  if (!['mysql', 'mysql.ibd'].some((name) => existsSync(join(data, name))))
    throw new Error(`${data} is no data directory of MariaDB or MySQL: nothing was deleted`);
  if (!isConfirmed) await confirm(directory);
  await stopProcesses(directory); // a killed server may have left its database running
  const deleted = `${data}.deleted`;
  await rm(deleted, { recursive: true, force: true });
  await rename(data, deleted); // an interruption leaves no half of a database
  await rm(deleted, { recursive: true, force: true });
  await rm(join(directory, 'first-migration'), { force: true });
  lifecycle.say(`deleted the database in ${directory}`);
}

/** @throws Error unless the user types the name of the directory */
async function confirm(directory: string): Promise<void> {
  const name = basename(directory);
  process.stdout.write(
    `--reset deletes the database in ${directory}. Type the name of this folder, ${name}, to continue: `,
  );
  const lines = createInterface({ input: process.stdin, terminal: false });
  const [answer] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  lines.close();
  if (answer?.trim() !== name)
    throw new Error(`nothing was deleted: the answer was not ${name} (--yes deletes without a question)`);
}
