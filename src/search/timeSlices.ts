import { Effort } from '../model/operation/waiting.js';
import type { Operation } from '../model/operation/operation.js';

/** The work in one time slice: a few milliseconds. */
export const SLICE = 5_000;

/**
 * Runs a generator that yields when its effort is used up, in time slices. Returns its result.
 *
 * @throws TimedOut
 */
export async function resultInSlices<T>(
  begin: (effort: Effort) => Generator<void, T>,
  operation: Operation,
): Promise<T> {
  return (await resultWithin(Infinity, begin, operation))!.value;
}

/**
 * Like {@link resultInSlices}, but returns null if the work takes longer than a limit (ms). The time
 * between slices does not count.
 *
 * @throws TimedOut
 */
export async function resultWithin<T>(
  limit: number,
  begin: (effort: Effort) => Generator<void, T>,
  operation: Operation,
): Promise<{ readonly value: T } | null> {
  const effort = new Effort();
  const steps = begin(effort);
  let result: { readonly value: T } | null = null;
  let elapsed = 0;
  await operation.run(() => {
    const start = performance.now();
    effort.allow(SLICE);
    const step = steps.next();
    if (step.done) result = step;
    elapsed += performance.now() - start;
    return step.done === true || elapsed > limit;
  });
  operation.activity.effort += effort.spent;
  return result;
}
