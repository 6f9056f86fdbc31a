import { FairQueue } from './fairQueue.js';
import type { Operation } from './operation.js';

/** The maximum number of operations that wait. Beyond it, each client may still add its first one. */
const LONGEST_QUEUE = 1_024;

interface Done<Key, Result> {
  readonly key: Key;
  /** The number of requests and jobs that began before. */
  readonly began: number;
  readonly result: Result;
}

/**
 * Runs jobs of operations one at a time; clients take turns. An operation shares the result of an equal job that
 * began while it waited. The result is released when no operation waits.
 */
export class SharedJobs<Key, Result> {
  private readonly queue = new FairQueue({
    concurrency: 1,
    concurrencyOfOwner: 1,
    longest: LONGEST_QUEUE,
  });
  private last: Done<Key, Result> | null = null;
  private time = 0;

  constructor(
    private readonly run: (key: Key, operation: Operation) => Promise<Result>,
    private readonly areEqual: (one: Key, other: Key) => boolean,
  ) {}

  /** @throws Overloaded, and the reason of the signal if the operation aborts */
  result(key: Key, operation: Operation): Promise<Result> {
    const requested = ++this.time;
    return this.queue.run(operation, operation.signal, async () => {
      try {
        const { last } = this;
        if (last !== null && last.began > requested && this.areEqual(last.key, key)) return last.result;
        const began = ++this.time;
        const result = await this.run(key, operation);
        this.last = { key, began, result };
        return result;
      } finally {
        if (this.queue.size === 0) this.last = null;
      }
    });
  }
}
