import type { Client } from './client.js';
import { Overloaded, Throttled } from './refusals.js';

/** One of the places that a client holds. */
export interface Place {
  readonly client: Client;
  /** How much of the size it takes. Defaults to 1. */
  readonly weight?: number;
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

/** The places of one client, in the order in which it took them, and their weight. */
interface Share<P> {
  readonly places: Set<P>;
  weight: number;
}

/**
 * Shares places between clients. One client may hold all of them. While all are taken, a client
 * gets a place from the client with the most, unless the latter would then have fewer.
 */
export class FairShares<P extends Place> {
  private readonly shares = new Map<string, Share<P>>();
  private taken = 0;

  constructor(private readonly settings: FairSharesSettings<P>) {}

  /** The weight of all places. */
  get size(): number {
    return this.taken;
  }

  /** The places of each client, in the order in which the client took them. */
  get byClient(): Iterable<ReadonlySet<P>> {
    return Array.from(this.shares.values(), ({ places }) => places);
  }

  /** Takes a place. Returns null, or the reason why there is none. */
  take(place: P): Overloaded | null {
    const { id, isExempt } = place.client;
    const { size, message, retryAfter } = this.settings;
    const own = (this.shares.get(id)?.weight ?? 0) + weightOf(place);
    while (this.taken + weightOf(place) > size) {
      const reclaimed = this.placeToReclaim(own);
      const Refusal = this.shares.has(id) && this.shares.size > 1 && !isExempt ? Throttled : Overloaded;
      if (reclaimed === undefined) return new Refusal(message, retryAfter);
      this.free(reclaimed);
      reclaimed.reclaim(new Throttled(message, retryAfter));
    }
    const share = this.shares.get(id) ?? { places: new Set(), weight: 0 };
    this.shares.set(id, share);
    share.places.add(place);
    share.weight += weightOf(place);
    this.taken += weightOf(place);
    return null;
  }

  /** Releases a place. May be called again. */
  free(place: P): void {
    const { id } = place.client;
    const share = this.shares.get(id);
    if (!share?.places.delete(place)) return;
    share.weight -= weightOf(place);
    this.taken -= weightOf(place);
    if (share.places.size === 0) this.shares.delete(id);
  }

  /** Returns the place to reclaim for a client that would then have `own`, if any. */
  private placeToReclaim(own: number): P | undefined {
    const { choose = newest } = this.settings;
    let most = 0;
    let found: P | undefined;
    for (const { places, weight } of this.shares.values()) {
      if (weight <= most) continue;
      const place = choose(places);
      if (place === undefined || place.client.isExempt || weight - weightOf(place) < own) continue;
      found = place;
      most = weight;
    }
    return found;
  }
}

function weightOf({ weight = 1 }: Place): number {
  return weight;
}

function newest<P>(places: ReadonlySet<P>): P | undefined {
  return [...places].at(-1);
}
