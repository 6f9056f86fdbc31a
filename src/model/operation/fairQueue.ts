import { LRUCache } from 'lru-cache';
import { OWN_WORK, type Client, type Owner } from './client.js';
import { Overloaded, Throttled } from './waiting.js';
import { Rotation } from './turns.js';

/** Begins a waiting job. */
type Begin = () => void;

export interface FairQueueSettings {
  /** The maximum number of jobs that run at the same time, in total and of one owner. */
  readonly concurrency: number;
  readonly concurrencyOfOwner: number;
  /** The maximum number of waiting jobs. Beyond it, each owner may still add its first job. */
  readonly longest: number;
}

/** Limits concurrent jobs; others wait. Clients take turns by the number of jobs, and so do the owners of one client. */
export class FairQueue {
  private readonly waiting = new Rotation<Begin>();
  private readonly runningOf = new Map<Owner, number>();
  private running = 0;

  constructor(private readonly settings: FairQueueSettings) {}

  /** How many jobs wait. */
  get size(): number {
    return this.waiting.size;
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  /**
   * Runs a job when it is its turn.
   *
   * @throws Overloaded if too many jobs wait; the signal's reason if it aborts before the job
   * begins
   */
  async run<T>(owner: Owner, signal: AbortSignal | undefined, job: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    // if a place is free, every waiting owner has reached its own maximum
    if (this.hasPlaceFor(owner)) this.occupy(owner);
    else await this.turn(owner, signal);
    try {
      return await job();
    } finally {
      this.leave(owner);
    }
  }

  private turn(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    if (this.waiting.size >= this.settings.longest && this.waiting.has(owner)) this.checkShare(owner);
    return new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.waiting.remove(owner, begin);
        reject(signal!.reason as Error);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.add(owner, begin);
    });
  }

  /** @throws Overloaded if the client's waiting jobs have reached its equal share of the queue */
  private checkShare({ client = OWN_WORK }: Owner): void {
    const { clients } = this.waiting;
    if (this.waiting.countOf(client) < this.settings.longest / clients) return;
    const Refusal = clients > 1 && !client.isExempt ? Throttled : Overloaded;
    throw new Refusal('The server is busy: too much work waits.');
  }

  private hasPlaceFor(owner: Owner): boolean {
    const { concurrency, concurrencyOfOwner } = this.settings;
    return this.running < concurrency && (this.runningOf.get(owner) ?? 0) < concurrencyOfOwner;
  }

  private occupy(owner: Owner): void {
    this.running++;
    this.runningOf.set(owner, (this.runningOf.get(owner) ?? 0) + 1);
  }

  private leave(owner: Owner): void {
    this.running--;
    const left = this.runningOf.get(owner)! - 1;
    if (left === 0) this.runningOf.delete(owner);
    else this.runningOf.set(owner, left);
    this.beginNext();
  }

  private beginNext(): void {
    for (;;) {
      const next = this.waiting.find((owner) => this.hasPlaceFor(owner));
      if (next === null) return;
      const [owner, begin] = next;
      this.waiting.remove(owner, begin);
      this.waiting.rotate(owner);
      this.waiting.use(owner, 1);
      this.occupy(owner);
      begin();
    }
  }
}

/** When a client may try again to scan whole tables (s). */
const SCAN_RETRY_S = 10;

/** The scans of whole tables: one operation scans, one table at a time. */
export class Scans {
  private readonly queue = new FairQueue({ concurrency: 1, concurrencyOfOwner: 1, longest: 16 });
  /** The operation that scans. Null if none does. */
  private scanning: Owner | null = null;

  /** @throws Overloaded if another operation scans */
  take(owner: Owner): void {
    if ((this.scanning ?? owner) !== owner)
      throw new Overloaded('Another client runs an audit, and one runs at a time.', SCAN_RETRY_S);
    this.scanning = owner;
  }

  /** Runs a scan after the others of its operation, which has taken the right to scan. */
  async run<T>(owner: Owner, signal: AbortSignal, scan: () => Promise<T>): Promise<T> {
    try {
      return await this.queue.run(owner, signal, scan);
    } finally {
      if (this.queue.isIdle) this.scanning = null;
    }
  }
}

/** The clients whose documents are read one after another: those that came last. */
const MAX_READERS = 1_000;

/** By client: the owner of the documents that are read for it. */
export class Readers {
  private readonly readers = new LRUCache<string, Owner>({ max: MAX_READERS });

  of(client: Client): Owner {
    const reader = this.readers.get(client.id) ?? { client };
    this.readers.set(client.id, reader);
    return reader;
  }
}
