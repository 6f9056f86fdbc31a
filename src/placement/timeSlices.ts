import { Effort } from '../engine/model/effort.js';
import type { Operation } from '../runtime/operation.js';

/** Work in one turn of an operation: a few milliseconds. */
export const SLICE = 5_000;

/**
 * Runs a generator that yields when its effort is used up, a slice in each turn of the operation. Gives its result.
 *
 * @throws TimedOut when the operation takes longer than it may
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
