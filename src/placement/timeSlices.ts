import { Effort } from '../engine/model/effort.js';
import type { Operation } from '../runtime/operation.js';

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
  const effort = new Effort();
  const steps = begin(effort);
  let result: { readonly value: T } | undefined;
  await operation.run(() => {
    effort.allow(SLICE);
    const step = steps.next();
    if (step.done) result = step;
    return step.done === true;
  });
  operation.activity.effort += effort.spent;
  return result!.value;
}
