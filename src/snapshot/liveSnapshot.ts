import type { Database } from '../database/database.js';
import { loadChanges } from './changes.js';
import { compare } from './reconciliation.js';
import { systemClock, type Clock } from '../runtime/clock.js';
import { SingleFlight } from '../runtime/singleFlight.js';
import type { FleetSnapshot } from './model/fleetSnapshot.js';
import { loadSnapshot, type Loaded } from './load.js';

/** A reader that has not read the feed for so long (a machine that slept) may have missed what was pruned from it. */
const FALLEN_BEHIND_MS = 10 * 60_000;

/** How long nothing must have changed for it to be likely that nothing has since (ms). */
const CALM_MS = 100;

/**
 * The offer as this process knows it: loaded once, then kept up provider by provider.
 *
 * `current` never answers with a snapshot older than the call: it sees every transaction that any server process committed
 * before. While nothing changes that costs one read of the feed, which calls that arrive together share: each waits for one
 * that was sent after it arrived. A snapshot once given never changes, so readers and refreshes do not wait for each other.
 */
export class LiveSnapshot {
  /** How often the whole offer was read: once, unless the first try failed. */
  fullLoads = 0;
  private loaded: Loaded | null = null;
  private lastLook = 0;
  private lastChange = 0;
  private suspects = new Set<number>();
  private readonly refreshes = new SingleFlight(() => this.refresh());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  current(): Promise<FleetSnapshot> {
    return this.refreshes.join();
  }

  /** What `current` will probably give; null where that cannot be told, because there are changes. */
  get likely(): FleetSnapshot | null {
    return this.clock.elapsed() - this.lastChange > CALM_MS ? (this.loaded?.snapshot ?? null) : null;
  }

  /** Providers that may have changed without a word in the feed: they are read again before the next answer. */
  suspect(ids: readonly number[]): void {
    for (const id of ids) this.suspects.add(id);
  }

  private async refresh(): Promise<FleetSnapshot> {
    const now = this.clock.now();
    this.loaded = this.loaded === null ? await this.load() : await this.kept(this.loaded, now);
    this.lastLook = now;
    return this.loaded.snapshot;
  }

  private load(): Promise<Loaded> {
    this.fullLoads++;
    return loadSnapshot(this.database);
  }

  private async kept({ snapshot, position }: Loaded, now: number): Promise<Loaded> {
    if (now - this.lastLook > FALLEN_BEHIND_MS) await this.compareAll(snapshot);
    const news = await position.news(this.database.pool);
    if (news.changed.size === 0 && this.suspects.size === 0) return { snapshot, position: news.position };
    const { suspects } = this;
    this.lastChange = this.clock.elapsed();
    this.suspects = new Set();
    try {
      const changed = new Set([...news.changed, ...suspects]);
      const changes = await loadChanges(this.database, position, { names: snapshot.names, changed });
      return {
        snapshot: snapshot.with(changes.providers, changes.names),
        position: changes.position,
      };
    } catch (error) {
      this.suspect([...suspects]);
      throw error;
    }
  }

  private async compareAll(snapshot: FleetSnapshot): Promise<void> {
    for (let behind: number | null = 0; behind !== null;) {
      const { ids, next } = await compare(this.database, snapshot, behind);
      this.suspect(ids);
      behind = next;
    }
  }
}
