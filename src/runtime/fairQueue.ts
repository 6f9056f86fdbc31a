import { Overloaded } from './refusals.js';

/** Lets a job begin that has waited. */
type Begin = () => void;

export interface FairQueueSettings {
  /** Jobs that run at the same time, in all and of one owner. */
  readonly concurrency: number;
  readonly concurrencyOfOwner: number;
  /** Jobs that wait at most; another one is refused, unless it is the only one of its owner that waits. */
  readonly longest: number;
}

/**
 * Where jobs wait for one of few places. Owners take turns, however many jobs each of them has; the jobs of one owner run in
 * their order.
 */
export class FairQueue {
  /** The jobs that wait, of each owner that has any; the owner whose turn it is comes first. */
  private readonly waiting = new Map<object, Begin[]>();
  private readonly runningOf = new Map<object, number>();
  private running = 0;
  private length = 0;

  constructor(private readonly settings: FairQueueSettings) {}

  /** How many jobs wait. */
  get size(): number {
    return this.length;
  }

  /**
   * Runs a job when it is its turn.
   *
   * @throws Overloaded when too many wait already, and the reason of the signal when it aborts before the job begins
   */
  async run<T>(owner: object, signal: AbortSignal | undefined, job: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    // where there is a place, whoever waits has as many as one owner may have
    if (this.hasPlaceFor(owner)) this.occupy(owner);
    else await this.turn(owner, signal);
    try {
      return await job();
    } finally {
      this.leave(owner);
    }
  }

  private turn(owner: object, signal: AbortSignal | undefined): Promise<void> {
    if (this.length >= this.settings.longest && this.waiting.has(owner))
      throw new Overloaded('The server is busy: too much work waits.');
    return new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.remove(owner, begin);
        reject(signal!.reason as Error);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      const jobs = this.waiting.get(owner);
      if (jobs === undefined) this.waiting.set(owner, [begin]);
      else jobs.push(begin);
      this.length++;
    });
  }

  private hasPlaceFor(owner: object): boolean {
    const { concurrency, concurrencyOfOwner } = this.settings;
    return this.running < concurrency && (this.runningOf.get(owner) ?? 0) < concurrencyOfOwner;
  }

  private occupy(owner: object): void {
    this.running++;
    this.runningOf.set(owner, (this.runningOf.get(owner) ?? 0) + 1);
  }

  private leave(owner: object): void {
    this.running--;
    const left = this.runningOf.get(owner)! - 1;
    if (left === 0) this.runningOf.delete(owner);
    else this.runningOf.set(owner, left);
    this.beginNext();
  }

  private remove(owner: object, begin: Begin): void {
    const jobs = this.waiting.get(owner)!.filter((each) => each !== begin);
    if (jobs.length === 0) this.waiting.delete(owner);
    else this.waiting.set(owner, jobs);
    this.length--;
  }

  private beginNext(): void {
    for (const [owner, jobs] of this.waiting) {
      if (this.running === this.settings.concurrency) return;
      if (!this.hasPlaceFor(owner)) continue;
      const begin = jobs.shift()!;
      this.length--;
      this.waiting.delete(owner);
      if (jobs.length > 0) this.waiting.set(owner, jobs); // behind all others
      this.occupy(owner);
      begin();
    }
  }
}
