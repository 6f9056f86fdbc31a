import type { Database } from '../database/database.js';
import type { Changes } from './changes.js';
import { DatabaseChanges, type ChangeSource } from './changeSource.js';
import { differencesIn, rangesUnlike, readAllChecksums } from './reconciliation/wholeComparison.js';
import { systemClock, type Clock } from '../runtime/clock.js';
import { NO_OBSERVER, type Observer } from '../runtime/observation/observer.js';
import { SingleFlight } from '../runtime/singleFlight.js';
import type { FleetSnapshot, KnownProvider } from './model/fleetSnapshot.js';
import { loadSnapshot } from './load.js';
import type { Loaded } from './loaded.js';
import { CATALOG, type FormerProvider } from '../feed/recordedChanges.js';
import { providersIn } from '../feed/usage.js';

/** A reader that has not read the feed for so long (on a machine that slept) may have missed rows that were pruned. */
const FALLEN_BEHIND_MS = 10 * 60_000;

/** Records changed providers in the feed; those that are known, as they were. */
export type RecordChanges = (ids: readonly number[], known: readonly FormerProvider[]) => Promise<void>;

/** How long nothing must have changed before a speculative search is worth it (ms). */
const QUIET_MS = 100;

/**
 * The supply as this process knows it: loaded once, then updated provider by provider.
 *
 * `current` never answers with a snapshot older than the call: it sees every transaction that any server process committed
 * before. While nothing changes that costs one freshness check, which calls that arrive together share: each waits for one
 * that was sent after it arrived. A snapshot never changes, so readers and refreshes do not wait for each other.
 */
export class LiveSnapshot {
  /** How often the whole fleet was read: once, unless the first attempt failed. */
  fullLoads = 0;
  private loaded: Loaded | null = null;
  private lastPoll = 0;
  private lastChange = 0;
  private invalidated = new Set<number>();
  /** Those of the invalidated ones that a rejected write has cast doubt on. */
  private doubted = new Set<number>();
  /** Doubted ones that had changed without being in the feed, as they were known; null for new ones. */
  private unpublished = new Map<number, KnownProvider | null>();
  private readonly refreshes = new SingleFlight(() => this.refresh());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
    private readonly recordChanges: RecordChanges = () => Promise.resolve(),
    private readonly source: ChangeSource = new DatabaseChanges(database),
    private readonly observer: Pick<Observer, 'snapshotRead'> = NO_OBSERVER,
  ) {}

  /** What was loaded last, whether or not it is current, and how long ago it was last found to be (ms); null before that. */
  get latest(): { readonly snapshot: FleetSnapshot; readonly age: number } | null {
    return this.loaded && { snapshot: this.loaded.snapshot, age: this.clock.now() - this.lastPoll };
  }

  current(): Promise<FleetSnapshot> {
    return this.read().then(({ snapshot }) => snapshot);
  }

  /** The same, and up to where the feed has been read for it. */
  read(): Promise<Loaded> {
    return this.refreshes.join();
  }

  /** What `current` will probably give, for a speculative search; null while there are changes. */
  get speculative(): FleetSnapshot | null {
    return this.clock.elapsed() - this.lastChange > QUIET_MS ? (this.loaded?.snapshot ?? null) : null;
  }

  /** Providers that may have changed and are not in the feed: they are read again before the next answer. */
  invalidate(ids: readonly number[]): void {
    for (const id of ids) this.invalidated.add(id);
  }

  /**
   * Reads these providers, and the catalog if asked, again before the next answer. What was changed of them by a writer that does
   * not write the feed is recorded there, so that other processes hear of it; the answer is whether there was any.
   */
  async reread(providerUuids: readonly string[], catalog = false): Promise<boolean> {
    const known = this.loaded?.snapshot;
    for (const uuid of providerUuids) {
      const place = known?.locate(uuid);
      if (place !== undefined) this.doubted.add(place.block.ids[place.row]);
    }
    this.invalidate(catalog ? [...this.doubted, CATALOG] : [...this.doubted]);
    await this.current();
    const { unpublished } = this;
    if (unpublished.size === 0) return false;
    this.unpublished = new Map();
    const former = [...unpublished.values()].filter((provider) => provider !== null);
    await this.recordChanges([...unpublished.keys()], former);
    return true;
  }

  private async refresh(): Promise<Loaded> {
    const now = this.clock.now();
    const began = this.clock.elapsed();
    const before = this.loaded;
    if (before !== null && now - this.lastPoll > FALLEN_BEHIND_MS) await this.reconcile(before.snapshot);
    this.loaded = before === null ? await this.load() : await this.updated(before);
    this.lastPoll = now;
    const how = before?.snapshot === this.loaded.snapshot ? 'check' : 'refresh';
    this.observer.snapshotRead(before === null ? 'load' : how, (this.clock.elapsed() - began) / 1_000);
    return this.loaded;
  }

  private load(): Promise<Loaded> {
    this.fullLoads++;
    return loadSnapshot(this.database);
  }

  private async updated({ snapshot, position }: Loaded): Promise<Loaded> {
    const { invalidated: suspects, doubted } = this;
    this.invalidated = new Set();
    this.doubted = new Set();
    let changes: Changes | null = null;
    let updated: Loaded;
    try {
      changes = await this.source.changesSince({ position, names: snapshot.names }, suspects);
      const { providers, usage, names } = changes;
      if (suspects.size === 0 && providers.size === 0 && usage.length === 0 && names === snapshot.names)
        return { snapshot, position: changes.position };
      this.lastChange = this.clock.elapsed();
      this.noteUnpublished(snapshot, changes, doubted);
      const { snapshot: next, outdated } = snapshot.with(providers, names).withUsage(usage);
      this.invalidate(outdated);
      updated = { snapshot: next, position: changes.position };
    } catch (error) {
      this.invalidate([...suspects, ...(changes === null ? [] : idsIn(changes))]); // a source may tell of a change once
      for (const id of doubted) this.doubted.add(id);
      throw error;
    }
    if (this.invalidated.size === 0) return updated;
    this.loaded = updated; // which stays, should reading those again fail
    return this.updated(updated);
  }

  private noteUnpublished(
    snapshot: FleetSnapshot,
    { providers, published }: Changes,
    doubted: ReadonlySet<number>,
  ): void {
    for (const id of doubted) {
      const isUnpublished = !published.has(id) && !snapshot.has(id, providers.get(id) ?? null);
      if (isUnpublished) this.unpublished.set(id, snapshot.providerOf(id) ?? null);
    }
  }

  private async reconcile(snapshot: FleetSnapshot): Promise<void> {
    const { pool } = this.database;
    const ranges = rangesUnlike(await readAllChecksums(this.database), snapshot);
    this.invalidate(await differencesIn(pool, snapshot, ranges));
  }
}

function idsIn({ providers, usage }: Changes): number[] {
  return [...providers.keys(), ...providersIn(usage)];
}
