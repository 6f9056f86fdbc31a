import { existsSync } from 'node:fs';
import { restoreDatabase } from '../../database/copy/restore.js';
import { recordReset } from '../../feed/writer.js';
import { openToFill, untilStopping } from '../bootstrap.js';
import { Lifecycle } from '../lifecycle.js';
import type { CommonOptions } from '../options.js';
import { throttled } from '../progress.js';
import { readSettings } from '../settings/settings.js';

export interface RestoreCommandOptions extends CommonOptions {
  replace?: boolean;
  dryRun?: boolean;
}

const print = (line: string) => console.log(line);

/** Fills an empty database from a backup; what is interrupted is not used by any server, and begins anew when it is repeated. */
export function restore(file: string, { replace, dryRun, config }: RestoreCommandOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    lifecycle.failOnSignal();
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    const database = await openToFill(lifecycle, readSettings({ file: config }).settings);
    await restoreDatabase(database, {
      file,
      isReplacing: replace,
      isDryRun: dryRun,
      onProgress: untilStopping(lifecycle, print),
      onRows: untilStopping(lifecycle, throttled(print)),
      onRestored: recordReset,
    });
    await lifecycle.end(0);
  });
}
