import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import type { Anchor } from '../search/anchor.js';
import { Descent } from '../search/descent.js';

/** Whether an anchor has any candidate; undefined when that much work (Effort.spent) did not tell. */
export function* isFeasible(
  plan: Plan,
  anchor: Anchor,
  effort: Effort,
  maxWork = Infinity,
): Generator<void, boolean | undefined> {
  const descent = new Descent(plan, anchor, effort);
  const before = effort.spent;
  for (;;) {
    const choice = descent.next();
    if (choice !== PAUSED) return choice !== EXHAUSTED;
    if (effort.spent - before > maxWork) return undefined;
    yield;
  }
}
