import type { Database } from '../database/database.js';
import { CATALOG, type FormerProvider, providersIn } from '../../model/recordedChanges.js';
import { systemClock, type Clock } from '../../model/operation/clock.js';
import { NO_OBSERVER, type Observer } from '../../model/observation/observer.js';
import { SingleFlight } from '../../model/operation/singleFlight.js';
import { readChanges, withChanges, type Changes, type Loaded } from './changes.js';
import { loadSnapshot } from './load.js';
import { FeedReset } from '../feed/position.js';
import type { FleetSnapshot } from '../../fleet/fleetSnapshot.js';

/** After this time without a poll (the machine slept), rows may have been pruned unread. */
const MAX_SILENCE_MS = 10 * 60_000;

/** Records changed providers in the feed; `known` are their former states. */
export type RecordChanges = (ids: readonly number[], known: readonly FormerProvider[]) => Promise<void>;

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
  private stale = new Set<number>();
  /** The stale providers that `reread` asked for. */
  private suspected = new Set<number>();
  /** The suspected providers that had changed without the feed, in their former state; null for new ones. */
  private changedOutsideFeed = new Map<number, FormerProvider | null>();
  private readonly refreshes = new SingleFlight(() => this.refresh());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
    private readonly recordChanges: RecordChanges = () => Promise.resolve(),
    private readonly observer: Pick<Observer, 'snapshotRead'> = NO_OBSERVER,
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

  invalidate(ids: readonly number[]): void {
    for (const id of ids) this.stale.add(id);
  }

  /**
   * Reads these providers again, and the catalog if `catalog` is true. Records in the feed those
   * that another program has changed without the feed. Returns whether there were any.
   */
  async reread(providerUuids: readonly string[], catalog = false): Promise<boolean> {
    const known = this.loaded?.snapshot;
    for (const uuid of providerUuids) {
      const place = known?.locate(uuid);
      if (place !== undefined) this.suspected.add(place.block.ids[place.row]);
    }
    this.invalidate(catalog ? [...this.suspected, CATALOG] : [...this.suspected]);
    await this.current();
    const { changedOutsideFeed } = this;
    if (changedOutsideFeed.size === 0) return false;
    this.changedOutsideFeed = new Map();
    const former = [...changedOutsideFeed.values()].filter((provider) => provider !== null);
    try {
      await this.recordChanges([...changedOutsideFeed.keys()], former);
    } catch (error) {
      for (const [id, provider] of changedOutsideFeed) this.changedOutsideFeed.set(id, provider);
      throw error;
    }
    return true;
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
    return loadSnapshot(this.database);
  }

  private async updated({ snapshot, position }: Loaded): Promise<Loaded> {
    const { stale, suspected } = this;
    this.stale = new Set();
    this.suspected = new Set();
    let changes: Changes | null = null;
    let updated: ReturnType<typeof withChanges>;
    try {
      changes = await readChanges(this.database, { position, names: snapshot.names }, stale);
      const { providers, usage, names } = changes;
      if (stale.size === 0 && providers.size === 0 && usage.length === 0 && names === snapshot.names)
        return { snapshot, position: changes.position };
      this.lastChange = this.clock.elapsed();
      for (const id of suspected)
        if (!changes.inFeed.has(id) && !snapshot.has(id, providers.get(id) ?? null))
          this.changedOutsideFeed.set(id, snapshot.providerOf(id) ?? null);
      updated = withChanges(snapshot, changes);
      this.invalidate(updated.stale);
    } catch (error) {
      if (error instanceof FeedReset) {
        this.lastChange = this.clock.elapsed();
        return this.load();
      }
      const { providers, usage } = changes ?? { providers: stale, usage: [] };
      this.invalidate([...stale, ...providers.keys(), ...providersIn(usage)]);
      for (const id of suspected) this.suspected.add(id);
      throw error;
    }
    if (this.stale.size === 0) return updated;
    this.loaded = updated; // stays in use if reading the stale providers fails
    return this.updated(updated);
  }
}
