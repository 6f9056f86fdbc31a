import { importPlacement } from '../../database/copy/transfer.js';
import { recordReset } from '../../feed/writer.js';
import { openExisting, openReachable, untilStopping } from '../bootstrap.js';
import { Lifecycle } from '../lifecycle.js';
import type { CommonOptions } from '../options.js';
import { throttled } from '../progress.js';
import { readSettings } from '../settings/settings.js';

export interface ImportOptions extends CommonOptions {
  /** the URL of the database of an OpenStack Placement */
  from: string;
  dryRun?: boolean;
}

const print = (line: string) => console.log(line);

/** Copies the database of an OpenStack Placement into ours, which must be empty; ends with 0 only when the copy is equal. */
export function importDatabase({ from, dryRun: isDryRun, config }: ImportOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    lifecycle.failOnSignal();
    const source = await openReachable(lifecycle, from);
    const target = await openExisting(lifecycle, readSettings({ file: config }).settings);
    const isEqual = await importPlacement({
      source,
      target,
      isDryRun,
      onProgress: untilStopping(lifecycle, print),
      onRows: untilStopping(lifecycle, throttled(print)),
      onCopied: recordReset, // for servers that run on the database already
    });
    await lifecycle.end(isEqual ? 0 : 1);
  });
}
