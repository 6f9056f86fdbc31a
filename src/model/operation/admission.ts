import { OWN_WORK, type Client } from './client.js';
import { Overloaded, Throttled, untilAborted } from './waiting.js';

export interface AdmissionSettings {
  /** The maximum total cost of running operations. A more expensive operation may run alone. */
  readonly capacity: number;
  /** The maximum number of waiting operations. Beyond it, an operation is rejected. */
  readonly longestQueue: number;
  /** The maximum wait of an operation (ms). */
  readonly longestWait: number;
}

/** An operation that takes capacity. */
interface Applicant {
  /** Read only if the operation waits: an operation creates its signal on first use. */
  readonly signal?: AbortSignal;
  readonly client?: Client;
  /** Whether it waits until its signal aborts, however long that is. */
  readonly waitsUntilDeadline?: boolean;
}

interface Waiting extends Place {
  readonly cost: number;
  readonly begin: () => void;
}

/**
 * Bounds the cost of all running operations, and so the memory of their answers. Operations that do not fit wait.
 * The next one is of the client whose running operations cost the least.
 */
export class Admission {
  private readonly queue: FairShares<Waiting>;
  private inUse = 0;
  private readonly inUseBy = new Map<string, number>();

  constructor(private readonly settings: AdmissionSettings) {
    const message = 'The server is busy: too many operations wait.';
    this.queue = new FairShares({ size: settings.longestQueue, message, retryAfter: 1 });
  }

  /**
   * Admits an operation until `release`: at once (null) or when the promise resolves. Rejects with Overloaded if too
   * many operations wait or the wait takes too long, and with the reason of the signal if it aborts.
   */
  admit(cost: number, applicant: Applicant = {}): Promise<void> | null {
    if (this.queue.size > 0 || !this.hasRoomFor(cost)) return this.wait(cost, applicant);
    this.add(cost, applicant.client);
    return null;
  }

  /** How many operations wait. */
  get waiting(): number {
    return this.queue.size;
  }

  /** The total cost of the running operations. */
  get cost(): number {
    return this.inUse;
  }

  /** Whether the total cost exceeds the capacity, because operations exceeded their estimates. */
  get isOverfull(): boolean {
    return this.inUse > this.settings.capacity;
  }

  /** Takes more capacity for a running operation, even if none is free. */
  add(cost: number, { id } = OWN_WORK): void {
    this.inUse += cost;
    const left = (this.inUseBy.get(id) ?? 0) + cost;
    if (left === 0) this.inUseBy.delete(id);
    else this.inUseBy.set(id, left);
  }

  release(cost: number, client = OWN_WORK): void {
    this.add(-cost, client);
    this.beginNext();
  }

  /** Begins waiting operations in their order while they fit. */
  private beginNext(): void {
    if (this.queue.size === 0) return;
    for (let next = this.next(); next !== undefined && this.hasRoomFor(next.cost); next = this.next()) {
      this.add(next.cost, next.client);
      next.begin();
    }
  }

  /** Returns the oldest waiting operation of the client whose running operations cost the least. */
  private next(): Waiting | undefined {
    let least = Infinity;
    let found: Waiting | undefined;
    for (const [first] of this.queue.byClient) {
      const cost = this.inUseBy.get(first.client.id) ?? 0;
      if (cost < least) [least, found] = [cost, first];
    }
    return found;
  }

  private wait(cost: number, { signal, client = OWN_WORK, waitsUntilDeadline }: Applicant): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => (): void => {
        this.queue.free(waiting);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const giveUp = (reason: Error): void =>
        end(() => {
          reject(reason);
          this.beginNext(); // others may have waited behind it
        })();
      const waiting = { cost, client, begin: end(resolve), reclaim: giveUp };
      const refusal = this.queue.take(waiting);
      if (refusal) return reject(refusal);
      const abort = (): void => giveUp(signal!.reason as Error);
      const refuse = (): void =>
        giveUp(new Overloaded('The server is busy: its capacity for operations is in use.'));
      const timer = waitsUntilDeadline ? undefined : setTimeout(refuse, this.settings.longestWait).unref();
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  private hasRoomFor(cost: number): boolean {
    return this.inUse === 0 || this.inUse + cost <= this.settings.capacity;
  }
}

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

interface LargeOperation {
  readonly client: Client;
  /** The estimated cost. */
  readonly estimate: number;
  readonly signal: AbortSignal;
}

/**
 * Orders the large operations of each client: a few run at the same time, and their answers are
 * completed one after another. Each begun operation takes memory, and the values of an unfinished
 * answer make each garbage collection longer. Unless the capacity is exceeded, no operation waits
 * for one with a higher estimate, so a page does not wait for a plan that takes seconds.
 */
export class LargeOperations {
  /** The operations that have begun, in order. */
  private readonly begun = new Set<LargeOperation>();
  private waiting: (() => void)[] = [];

  constructor(private readonly admission: Admission) {}

  /** The number of operations that have begun and not ended. */
  get size(): number {
    return this.begun.size;
  }

  /**
   * Adds an operation until `delete`. Resolves when fewer than `places` earlier ones block it; rejects with the
   * reason of its signal.
   */
  async wait(operation: LargeOperation, places: number): Promise<void> {
    operation.signal.throwIfAborted();
    this.begun.add(operation);
    while (!this.hasPlace(operation, places))
      await untilAborted(operation.signal, new Promise<void>((resolve) => this.waiting.push(resolve)));
  }

  /** Removes an operation that has ended. */
  delete(operation: LargeOperation): void {
    if (!this.begun.delete(operation)) return;
    const { waiting } = this;
    this.waiting = [];
    for (const ask of waiting) ask();
  }

  /** While the capacity is exceeded, the operations of all clients block this one. */
  private hasPlace(operation: LargeOperation, places: number): boolean {
    const isOverfull = this.admission.isOverfull;
    let earlier = 0;
    for (const each of this.begun) {
      if (each === operation) return true;
      const isBefore = each.client.id === operation.client.id && each.estimate <= operation.estimate;
      if ((isOverfull || isBefore) && ++earlier >= places) return false;
    }
    return true;
  }
}

/** The limits of each operation, and of all operations of a process together. */
export interface OperationLimits {
  /** How long an operation may take (ms). */
  readonly deadline: number;
  /** The maximum number of values of one operation after its variables are inserted. */
  readonly values: number;
  /** The maximum cost of one operation, both as estimated and as counted while it runs. */
  readonly cost: number;
  /** The maximum cost of all large operations that run at the same time. */
  readonly costInAll: number;
  /** Operations that cost at most this are small. They have their own capacity, so large ones never delay them. */
  readonly smallCost: number;
  readonly smallCostInAll: number;
  /** The maximum number of operations that wait for capacity. */
  readonly longestQueue: number;
  /** How long an operation waits for capacity (ms). */
  readonly longestWait: number;
  /** The maximum number of connections for lists and counts, in total and of one operation. */
  readonly connections: number;
  readonly connectionsOfOne: number;
  /** The maximum memory that all subscriptions hold between events (bytes). */
  readonly heldBytes: number;
  /** The default and maximum number of allocation requests of one search. */
  readonly candidates: number;
}

/** Returns the default limits for a number of connections. Small shared reads use the remaining ones. */
export function operationLimits(connections: number): OperationLimits {
  return {
    deadline: 30_000,
    values: 100_000,
    cost: 200_000,
    costInAll: 200_000,
    smallCost: 2_000,
    smallCostInAll: 50_000,
    longestQueue: 256,
    longestWait: 10_000,
    connections: Math.ceil((6 * connections) / 10),
    connectionsOfOne: Math.ceil((2 * connections) / 10),
    heldBytes: 67_108_864,
    candidates: 1_000,
  };
}

export const OPERATION_LIMITS = operationLimits(10);

/** When a client whose subscription gets no memory should retry (seconds). */
const HELD_RETRY_S = 10;

/** Returns the memory that subscriptions hold between events. */
export function memoryOfStreams(size: number): FairShares<Place> {
  const message = 'The event streams of the server hold as much memory as they may.';
  return new FairShares({ size, message, retryAfter: HELD_RETRY_S });
}
