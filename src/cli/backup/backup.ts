import { existsSync } from 'node:fs';
import { backupDatabase } from '../../database/copy/backup.js';
import { openBeside, untilStopping } from '../bootstrap.js';
import { Lifecycle } from '../lifecycle.js';
import type { CommonOptions } from '../options.js';
import { throttled } from '../progress.js';
import { readSettings } from '../settings/settings.js';

const print = (line: string) => console.log(line);

/** Writes all that the database has into a file, which must not be there; servers may go on. */
export function backup(file: string, { config }: CommonOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    lifecycle.failOnSignal();
    if (existsSync(file)) throw new Error(`${file} is there already`);
    const database = await openBeside(lifecycle, readSettings({ file: config }).settings);
    await backupDatabase(database, {
      file,
      onProgress: untilStopping(lifecycle, print),
      onRows: untilStopping(lifecycle, throttled(print)),
    });
    print(`the backup is ${file}`);
    await lifecycle.end(0);
  });
}
