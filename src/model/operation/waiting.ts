import { TimedOut } from './refusals.js';

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
