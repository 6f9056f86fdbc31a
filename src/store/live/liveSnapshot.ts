import type { Database } from '../database/database.js';
import type { FormerProvider } from '../../model/recordedChanges.js';
import { systemClock, type Clock } from '../../model/operation/clock.js';
import { NO_OBSERVER, type Observer } from '../../model/observation/observer.js';
import { SingleFlight } from '../../model/operation/singleFlight.js';
import { changedOutsideFeed, followed, readProviders, type Loaded } from './changes.js';
import { loadSnapshot } from './load.js';
import { FeedLog } from '../feed/log.js';
import { FeedReset } from '../feed/position.js';
import type { FleetSnapshot } from '../../fleet/fleetSnapshot.js';

/** After this time without a poll (the machine slept), rows may have been pruned unread. */
const MAX_SILENCE_MS = 10 * 60_000;

/** Records changed providers in the feed; `known` are their former states. */
export type RecordChanges = (ids: readonly number[], known: readonly FormerProvider[]) => Promise<void>;

/** The maximum number of providers to recheck at a time: recording locks them. */
const MAX_RECHECKED = 256;

/** A speculative search is worthwhile if nothing has changed for this time (ms). */
const QUIET_MS = 100;

/**
 * The fleet in the memory of this process: loaded once, then updated from the change feed.
 *
 * `current` returns a snapshot with every transaction that any server process committed before the call.
 * Without changes it costs one freshness check, which concurrent calls share if it was sent after them.
 */
export class LiveSnapshot {
  /** Greater than 1 only after a failed load, a reset of the feed or a sleep of the machine. */
  fullLoads = 0;
  private loaded: Loaded | null = null;
  private lastPoll = 0;
  private lastChange = 0;
  private readonly refreshes = new SingleFlight(() => this.refresh());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
    private readonly recordChanges: RecordChanges = () => Promise.resolve(),
    private readonly observer: Pick<Observer, 'snapshotRead'> = NO_OBSERVER,
    private readonly log = new FeedLog(database),
  ) {}

  /** The last snapshot and the time since it was found current (ms); null before the first load. */
  get latest(): { readonly snapshot: FleetSnapshot; readonly age: number } | null {
    return this.loaded && { snapshot: this.loaded.snapshot, age: this.clock.now() - this.lastPoll };
  }

  current(): Promise<FleetSnapshot> {
    return this.read().then(({ snapshot }) => snapshot);
  }

  read(): Promise<Loaded> {
    return this.refreshes.join();
  }

  /** The snapshot that `current` will probably return; null if there was a change recently. */
  get speculative(): FleetSnapshot | null {
    return this.clock.elapsed() - this.lastChange > QUIET_MS ? (this.loaded?.snapshot ?? null) : null;
  }

  /**
   * Reads these providers (0 stands for the catalog) and records in the feed those that another program has changed.
   * Every process reads them from there, this one too, so the next call of `current` returns them. If recording fails,
   * the next recheck finds the same changes. Returns the changed ones.
   */
  async recheck(ids: ReadonlySet<number>): Promise<readonly number[]> {
    const inOrder = [...ids].sort((a, b) => a - b);
    const changed: number[] = [];
    for (let at = 0; at < inOrder.length; at += MAX_RECHECKED)
      changed.push(...(await this.recheckSome(new Set(inOrder.slice(at, at + MAX_RECHECKED)))));
    return changed;
  }

  private async recheckSome(ids: ReadonlySet<number>): Promise<readonly number[]> {
    const { snapshot, position } = await this.read();
    const changes = await readProviders(this.database, { position, names: snapshot.names }, ids);
    const changed = changedOutsideFeed(snapshot, changes, ids);
    const former = changed.flatMap((id) => snapshot.providerOf(id) ?? []);
    if (changed.length > 0) await this.recordChanges(changed, former);
    return changed;
  }

  private async refresh(): Promise<Loaded> {
    const now = this.clock.now();
    const began = this.clock.elapsed();
    const before = this.loaded;
    const isUsable = before !== null && Math.abs(now - this.lastPoll) <= MAX_SILENCE_MS;
    this.loaded = isUsable ? await this.updated(before) : await this.load();
    this.lastPoll = now;
    const how = before?.snapshot === this.loaded.snapshot ? 'check' : 'refresh';
    this.observer.snapshotRead(isUsable ? how : 'load', (this.clock.elapsed() - began) / 1_000);
    return this.loaded;
  }

  private load(): Promise<Loaded> {
    this.fullLoads++;
    for (const spellings of Object.values(this.database.spellings)) spellings.reset();
    return loadSnapshot(this.database, this.log);
  }

  private async updated(before: Loaded): Promise<Loaded> {
    const updated = await followed(this.database, this.log, before).catch((error: unknown) => {
      if (error instanceof FeedReset) return this.load();
      throw error;
    });
    if (updated.snapshot !== before.snapshot) this.lastChange = this.clock.elapsed();
    return updated;
  }
}
