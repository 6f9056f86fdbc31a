import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Thrown if work exceeds its time limit. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Thrown if the server has no free capacity. The same request may succeed later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';

  /** @param retryAfter when to try again, in seconds */
  constructor(
    message: string,
    readonly retryAfter = 1,
  ) {
    super(message);
  }
}

/** Thrown if a client already has its share of a resource that other clients want, too. */
export class Throttled extends Overloaded {}

/** The database cannot be reached, or cannot serve the request now. The same request may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** When to try again, in seconds. */
  readonly retryAfter = 1;
}

/** Thrown if an operation exceeds the maximum cost. The client can request fewer objects. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor(
    readonly cost: number,
    most: number,
    advice = 'Request fewer objects: use `first`, `limit` or a filter.',
  ) {
    super(`The operation costs ${cost}; ${most} is allowed. ${advice}`);
  }
}

/** Thrown before a read that would need more memory than the process may use for it. */
export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';

  constructor(what: string, bytes: number, most: number, advice: string) {
    const megabytes = (amount: number): string => `${Math.ceil(amount / 1e6)} MB`;
    super(`${what} need ${megabytes(bytes)} of memory; ${megabytes(most)} are allowed. ${advice}`);
  }
}

/** Settles like `work`, or rejects with the signal's reason if it aborts. The work continues. */
export function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    const settled = (): void => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(settled);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** How often `within` looks whether the event loop runs (ms). A later tick counts only in part. */
const TICK_MS = 250;
const LATE_TICK_SHARE = 1 / 4;

/**
 * Settles like `work`, or rejects with TimedOut after `milliseconds`. The work continues. The time while the event
 * loop is blocked hardly counts: an answer may have arrived, and nothing could read it.
 */
export function within<T>(milliseconds: number, message: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = milliseconds;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const tick = Math.min(left, TICK_MS);
      const due = performance.now() + tick;
      timer = setTimeout(() => {
        const isLate = performance.now() > due + TICK_MS;
        left -= isLate ? tick * LATE_TICK_SHARE : tick;
        if (left >= 1) wait();
        else setImmediate(() => reject(new TimedOut(message))); // after the answers that have arrived
      }, tick);
    };
    wait();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The signal and the deadline of one operation. Most operations end before anything waits for
 * their signal, so the signal and its timer are created on first use.
 */
export class Cancellation {
  private controller: AbortController | null = null;
  private timer: NodeJS.Timeout | null = null;
  private reason: Error | null = null;
  /** When the operation times out; null while it has no deadline. */
  private deadline: number | null = null;

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      setMaxListeners(0, this.controller.signal); // each concurrent part of the operation adds one
      if (this.reason !== null) this.controller.abort(this.reason);
      else this.setTimer();
    }
    return this.controller.signal;
  }

  /** Starts the deadline again. */
  restart(milliseconds: number): void {
    this.clear();
    this.deadline = performance.now() + milliseconds;
    this.message = `The operation exceeded its time limit of ${milliseconds / 1000} s.`;
    if (this.controller !== null) this.setTimer();
  }

  /** Removes the deadline. */
  clear(): void {
    this.deadline = null;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Aborts the signal. Only the first reason counts. */
  abort(reason: Error): void {
    this.clear();
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }

  /** Compares the clock with the deadline, because no timer fires during synchronous work. */
  check(): void {
    if (this.deadline !== null && performance.now() >= this.deadline) this.expire();
  }

  get isAborted(): boolean {
    return this.reason !== null;
  }

  private message = '';

  private readonly expire = (): void => this.abort(new TimedOut(this.message));

  private setTimer(): void {
    if (this.deadline === null) return;
    const left = this.deadline - performance.now();
    if (left <= 0) this.expire();
    else this.timer = setTimeout(this.expire, left).unref();
  }
}

/**
 * Shares runs of a job between concurrent callers. Each gets the result of a run that began after its call, so a call
 * during a run joins the next one. That run begins in a later turn of the event loop, so that more calls join it.
 */
export class SingleFlight<T> {
  /** The run that has not begun. */
  private next: Promise<T> | null = null;
  /** The end of the latest run, begun or not. Null if there is none. */
  private last: Promise<void> | null = null;

  constructor(
    private readonly run: () => Promise<T>,
    /** The maximum wait for the previous run (ms). If set, calls of one turn share a first run. */
    private readonly longestWait?: number,
  ) {}

  join(): Promise<T> {
    if (this.last === null && this.next === null && this.longestWait === undefined)
      return this.track(this.run());
    return (this.next ??= this.track(this.previous().then(() => ((this.next = null), this.run()))));
  }

  private track(flight: Promise<T>): Promise<T> {
    const end = (): void => {
      if (this.last === ended) this.last = null;
    };
    const ended = flight.then(end, end); // the callers receive the failure of the run
    this.last = ended;
    return flight;
  }

  private async previous(): Promise<void> {
    if (this.longestWait === undefined) {
      await this.last;
      await nextTurn();
    } else if (this.last !== null) {
      await Promise.race([this.last, sleep(this.longestWait, undefined, { ref: false })]);
    }
  }
}

export const PAUSED = Symbol('paused');
export const EXHAUSTED = Symbol('exhausted');

/** The work of a search so far, and its budget. Tests assert on these counts instead of on time. */
export class Effort {
  /** Passes over the trees of a block in an ordered search. */
  blocksRead = 0;
  treesTested = 0;
  treesVisited = 0;
  /** Providers examined for an explanation or for headroom. */
  providersExamined = 0;
  partialAssignments = 0;
  deadEnds = 0;
  otherWork = 0;

  /** Memory of the recorded nogoods of all descents that share this object. */
  nogoodBytes = 0;

  private pauseAt = Infinity;

  /** All work, in units of roughly a microsecond. */
  get spent(): number {
    return (
      2 * this.blocksRead +
      this.treesTested +
      8 * this.treesVisited +
      3 * this.providersExamined +
      this.partialAssignments +
      this.otherWork
    );
  }

  allow(work: number): void {
    this.pauseAt = this.spent + work;
  }

  get isUsedUp(): boolean {
    return this.spent >= this.pauseAt;
  }
}

type OnValue<T, A> = ((value: T) => A | PromiseLike<A>) | null;
type OnError<A> = ((reason: unknown) => A | PromiseLike<A>) | null;

/** The parts of an answer that wait for a time slice. The executor gets one after another. */
export class AnswerParts {
  private waiting: ((refusal: Error | null) => void)[] = [];
  /** Resolves when no part waits any more. Null while none waits. */
  done: Promise<void> | null = null;

  /**
   * @param turn resolves in a time slice of the operation; null if it need not wait
   * @param refusal why the parts are given up; null while the operation runs
   */
  constructor(
    private readonly turn: () => Promise<void> | null,
    private readonly refusal: () => Error | null,
  ) {}

  /**
   * Returns a value for the executor in one of the next time slices. The executor completes it in the callback that it
   * passes to `then`. That callback is called within the slice, where a promise would call it later, so its time counts
   * towards the slice.
   *
   * @param refuse the result in place of the value if the parts are given up
   */
  part<T>(value: T, refuse: (reason: Error) => Promise<never>): PromiseLike<T> {
    const then = <A, B>(onValue?: OnValue<T, A>, onError?: OnError<B>): Promise<A | B> =>
      new Promise<A | B>((resolve, reject) => {
        this.wait((refusal) => {
          try {
            if (refusal !== null) resolve(refuse(refusal).catch(onError));
            else resolve(onValue ? onValue(value) : (value as unknown as A));
          } catch (error) {
            const failure = error as Error;
            reject(failure);
          }
        });
      });
    return { then };
  }

  private wait(part: (refusal: Error | null) => void): void {
    this.waiting.push(part);
    this.done ??= this.resume();
  }

  private async resume(): Promise<void> {
    while (this.waiting.length > 0) {
      const parts = this.waiting;
      this.waiting = [];
      for (const part of parts) {
        const turn = this.turn();
        if (turn !== null) await turn;
        part(this.refusal());
      }
    }
    this.done = null;
  }
}
