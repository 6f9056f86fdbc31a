import { tables, readOnce, type Reader } from '../../database/statements.js';
import { importPlacement } from '../../database/transfer/importPlacement.js';
import { kindSet, NEW_WITH_ANYTHING } from '../../feed/kinds.js';
import { CATALOG, RecordedChanges } from '../../feed/recordedChanges.js';
import { FeedWriter, type FeedSequence } from '../../feed/writer.js';
import { reportToConsole } from '../../runtime/report.js';
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
    const feed = new FeedWriter(target, reportToConsole);
    let imported = null as FeedSequence | null;
    const isEqual = await importPlacement({
      source,
      target,
      isDryRun,
      onProgress: untilStopping(lifecycle, print),
      onRows: untilStopping(lifecycle, throttled(print)),
      onCopied: async (tx) => void (imported = await recordAll(feed, tx)),
    });
    if (imported !== null) await acknowledge(feed, target.pool, imported);
    await lifecycle.end(isEqual ? 0 : 1);
  });
}

/** Records every provider and the catalog in the change feed, for servers that run on the database already. */
async function recordAll(feed: FeedWriter, tx: Reader): Promise<FeedSequence> {
  await feed.ready();
  const providers = await readOnce(tx, tables.selectFrom('resource_providers').select('id'));
  const recorded = theCatalog();
  recorded.addProviders(
    providers.map(({ id }) => id),
    NEW_WITH_ANYTHING,
  );
  return feed.write(tx, recorded);
}

/** Readers read what a writer has recorded again until it records something later: so one small thing more. */
async function acknowledge(feed: FeedWriter, reader: Reader, sequence: FeedSequence): Promise<void> {
  feed.complete(sequence);
  feed.complete(await feed.write(reader, theCatalog()));
  feed.stop();
}

function theCatalog(): RecordedChanges {
  const recorded = new RecordedChanges();
  recorded.addProviders([CATALOG], kindSet());
  return recorded;
}
