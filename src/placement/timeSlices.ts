import { setImmediate } from 'node:timers/promises';
import { Effort } from '../engine/model/effort.js';

/** Work between two yields to the event loop: a few milliseconds. */
export const SLICE = 5_000;

/** How long one piece of work may take. */
const TIMEOUT_MS = 30_000;

/** Thrown by work that takes longer than it may. */
export class TimedOut extends Error {}

interface Work {
  /** What is being done, for the message when it takes too long. */
  readonly what: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs long work slice by slice, yielding to other work in between, until `run` says that it is done.
 *
 * @throws TimedOut when it takes longer than it may
 */
export async function inSlices(run: (work: number) => boolean, { what, signal }: Work): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!run(SLICE)) {
    if (performance.now() > deadline) throw new TimedOut(`${what} took longer than ${TIMEOUT_MS / 1000} s`);
    await setImmediate(undefined, { signal });
  }
}

/** The same for a generator that yields when its effort is used up. Gives its result. */
export async function resultInSlices<T>(
  begin: (effort: Effort) => Generator<void, T>,
  work: Work,
): Promise<T> {
  const effort = new Effort();
  const steps = begin(effort);
  let result: { readonly value: T } | undefined;
  await inSlices((slice) => {
    effort.allow(slice);
    const step = steps.next();
    if (step.done) result = step;
    return step.done === true;
  }, work);
  return result!.value;
}
