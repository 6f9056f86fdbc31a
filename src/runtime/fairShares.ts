import type { Client } from './client.js';
import { Overloaded, Throttled } from './refusals.js';

/** One of the places that a client holds. */
export interface Place {
  readonly client: Client;
  /** Called after the slot was given to another client. Must stop the work. */
  readonly reclaim: (reason: Throttled) => void;
}

export interface FairSharesSettings<P extends Place> {
  readonly size: number;
  /** The message for a client that gets no place, and the delay of its retry (s). */
  readonly message: string;
  readonly retryAfter: number;
  /** Chooses which place of a client to reclaim. Defaults to the newest one. */
  readonly choose?: (places: ReadonlySet<P>) => P | undefined;
}

/**
 * Shares places between clients. One client may hold all of them. While all are taken, a client
 * gets a place from the client with the most, unless the latter would then have fewer.
 */
export class FairShares<P extends Place> {
  private readonly held = new Map<string, Set<P>>();
  private count = 0;

  constructor(private readonly settings: FairSharesSettings<P>) {}

  /** How many places are taken. */
  get size(): number {
    return this.count;
  }

  /** The places of each client, in the order in which the client took them. */
  get byClient(): Iterable<ReadonlySet<P>> {
    return this.held.values();
  }

  /** Takes a place. Returns null, or the reason why there is none. */
  take(place: P): Overloaded | null {
    const { id, isExempt } = place.client;
    const { size, message, retryAfter } = this.settings;
    if (this.count >= size) {
      const own = this.held.get(id)?.size ?? 0;
      const reclaimed = this.placeToReclaim(own);
      const Refusal = own > 0 && this.held.size > 1 && !isExempt ? Throttled : Overloaded;
      if (reclaimed === undefined) return new Refusal(message, retryAfter);
      this.free(reclaimed);
      reclaimed.reclaim(new Throttled(message, retryAfter));
    }
    const places = this.held.get(id) ?? new Set();
    this.held.set(id, places.add(place));
    this.count++;
    return null;
  }

  /** Releases a place. May be called again. */
  free(place: P): void {
    const { id } = place.client;
    const places = this.held.get(id);
    if (!places?.delete(place)) return;
    if (places.size === 0) this.held.delete(id);
    this.count--;
  }

  /** Returns the place to reclaim for a client with `own` places, if any. */
  private placeToReclaim(own: number): P | undefined {
    const { choose = newest } = this.settings;
    let most = own + 1;
    let found: P | undefined;
    for (const places of this.held.values()) {
      if (places.size <= most) continue;
      const place = choose(places);
      if (place === undefined || place.client.isExempt) continue;
      found = place;
      most = places.size;
    }
    return found;
  }
}

function newest<P>(places: ReadonlySet<P>): P | undefined {
  return [...places].at(-1);
}
