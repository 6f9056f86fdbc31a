import type { Assignment } from '../model/candidate.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import type { Anchor } from './anchor.js';
import { Descent } from './descent.js';

/** Returns the first choice at an anchor, null if none exists, undefined after `maxWork` (Effort.spent). */
export function* firstChoice(
  plan: Plan,
  anchor: Anchor,
  effort: Effort,
  maxWork = Infinity,
): Generator<void, Assignment[] | null | undefined> {
  const descent = new Descent(plan, anchor, effort);
  const before = effort.spent;
  for (;;) {
    const choice = descent.next();
    if (choice === EXHAUSTED) return null;
    const isOver = choice !== PAUSED || effort.spent - before > maxWork;
    if (isOver) {
      descent.release();
      return choice === PAUSED ? undefined : choice;
    }
    yield;
  }
}
