import { OWN_WORK, type Client } from './client.js';
import { FairShares, type Place } from './fairShares.js';
import { Overloaded } from './refusals.js';

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
