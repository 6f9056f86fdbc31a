import { setImmediate } from 'node:timers/promises';
import { Effort } from '../engine/model/effort.js';
import { TimedOut } from './timedOut.js';

/** Work between two looks at the event loop: a few milliseconds. */
export const SLICE = 5_000;

/** How long one piece of work may take. */
const PATIENCE_MS = 30_000;

interface Patience {
  /** What is being done, for the message when it takes too long. */
  readonly what: string;
  readonly signal?: AbortSignal;
}

/**
 * Goes on with long work slice by slice, giving other work a turn in between, until `run` says that it is done.
 *
 * @throws TimedOut when it takes longer than it may
 */
export async function inTurns(run: (work: number) => boolean, { what, signal }: Patience): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!run(SLICE)) {
    if (performance.now() > deadline) throw new TimedOut(`${what} took longer than ${PATIENCE_MS / 1000} s`);
    await setImmediate(undefined, { signal });
  }
}

/** The same for work that yields when its effort is used up. Gives its result. */
export async function resultInTurns<T>(
  begin: (effort: Effort) => Generator<void, T>,
  patience: Patience,
): Promise<T> {
  const effort = new Effort();
  const work = begin(effort);
  let result: { readonly value: T } | undefined;
  await inTurns((slice) => {
    effort.allow(slice);
    const step = work.next();
    if (step.done) result = step;
    return step.done === true;
  }, patience);
  return result!.value;
}
