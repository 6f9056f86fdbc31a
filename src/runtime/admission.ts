import { Overloaded } from './refusals.js';

export interface AdmissionSettings {
  /** The cost of all operations together that are under way. One that costs more may run alone. */
  readonly capacity: number;
  /** How many operations wait at most; another one is refused. */
  readonly longestQueue: number;
  /** How long one may wait (ms). */
  readonly longestWait: number;
}

interface Waiting {
  readonly cost: number;
  readonly begin: () => void;
}

/**
 * Bounds what operations cost together that are under way, which bounds the memory of their answers. Those that do not fit
 * wait in line.
 */
export class Admission {
  private readonly queue = new Set<Waiting>();
  private inUse = 0;

  constructor(private readonly settings: AdmissionSettings) {}

  /**
   * Takes room for an operation, to be given back by `release`. Null: it has it; otherwise it has it when the promise ends.
   * @param operation whose signal ends the wait
   * @throws Overloaded when too many wait already; the promise, when it took too long, or with the reason of the signal
   */
  admit(cost: number, operation?: { readonly signal: AbortSignal }): Promise<void> | null {
    if (this.queue.size === 0 && this.hasRoomFor(cost)) {
      this.inUse += cost;
      return null;
    }
    const { longestQueue, longestWait } = this.settings;
    if (this.queue.size >= longestQueue)
      throw new Overloaded('The server is busy: too many operations wait.');
    return this.wait(cost, operation?.signal, longestWait);
  }

  /** How many operations wait. */
  get waiting(): number {
    return this.queue.size;
  }

  /** What the operations cost together that are under way. */
  get cost(): number {
    return this.inUse;
  }

  /** Whether more is under way than may be, because operations have turned out to cost more than was known. */
  get isOverfull(): boolean {
    return this.inUse > this.settings.capacity;
  }

  /** Takes more room for an operation that is under way, whether there is any or not. */
  add(cost: number): void {
    this.inUse += cost;
  }

  release(cost: number): void {
    this.inUse -= cost;
    this.beginNext();
  }

  /** Lets those begin that fit, in their order. */
  private beginNext(): void {
    for (const waiting of this.queue) {
      if (!this.hasRoomFor(waiting.cost)) return;
      this.inUse += waiting.cost;
      waiting.begin();
    }
  }

  private async wait(cost: number, signal: AbortSignal | undefined, longest: number): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => (): void => {
        this.queue.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const waiting = { cost, begin: end(resolve) };
      const giveUp = (reason: () => Error) =>
        end(() => {
          reject(reason());
          this.beginNext(); // others may have waited behind it
        });
      const abort = giveUp(() => signal!.reason as Error);
      const refuse = giveUp(() => new Overloaded('The server is busy: no room for the operation.'));
      const timer = setTimeout(refuse, longest).unref();
      this.queue.add(waiting);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  private hasRoomFor(cost: number): boolean {
    return this.inUse === 0 || this.inUse + cost <= this.settings.capacity;
  }
}
