import type { Database } from '../database/database.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { ProviderWatch } from '../feed/watch.js';
import type { Loaders } from '../reads/loaders.js';

/** What every resolver gets: one object per operation. */
export interface Context {
  readonly database: Database;
  /** The picture of the offer that candidate searches read; not older than the call. */
  readonly snapshots: {
    current(): Promise<Snapshot>;
    /** What `current` will probably give, where that can be told: nothing has changed for a while. */
    readonly likely?: Snapshot | null;
  };
  /** What subscriptions read. */
  readonly watch: Pick<ProviderWatch, 'watch'>;
  /** Aborted when the client goes away: long work stops. */
  readonly signal?: AbortSignal;
  /** What this operation has read so far; a mutation replaces them, so that its payload shows what it wrote, and each event does. */
  loaders: Loaders;
}
