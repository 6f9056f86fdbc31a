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

/** Settles like `work`, or rejects with TimedOut after `milliseconds`. The work continues. */
export function within<T>(milliseconds: number, message: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimedOut(message)), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
