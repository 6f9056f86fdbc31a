import { exportPlacement } from '../../database/copy/transfer.js';
import { openExisting, openReachable, untilStopping } from '../bootstrap.js';
import { Lifecycle } from '../lifecycle.js';
import type { CommonOptions } from '../options.js';
import { throttled } from '../progress.js';
import { readSettings } from '../settings/settings.js';

export interface ExportOptions extends CommonOptions {
  /** the URL of a database in which OpenStack Placement has made its tables, and nothing is */
  to: string;
  dryRun?: boolean;
}

const print = (line: string) => console.log(line);

/** Copies our database into one of OpenStack Placement's; ends with 0 only when the copy is equal. */
export function exportDatabase({ to, dryRun: isDryRun, config }: ExportOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    lifecycle.failOnSignal();
    const target = await openReachable(lifecycle, to);
    const source = await openExisting(lifecycle, readSettings({ file: config }).settings);
    const onProgress = untilStopping(lifecycle, print);
    const onRows = untilStopping(lifecycle, throttled(print));
    const isEqual = await exportPlacement({ source, target, isDryRun, onProgress, onRows });
    await lifecycle.end(isEqual ? 0 : 1);
  });
}
