/**
 * A condition on several choices together. The search tells it each choice that it makes and takes back. The
 * one law: a constraint that is broken stays broken whatever is added, so the search may turn back at once.
 */
export interface Constraint {
  /** Records a variable's value. False when that breaks the constraint; then nothing was recorded. */
  add(variable: number, value: number): boolean;
  /** Takes back the latest `add` of this variable. */
  remove(variable: number, value: number): void;
  /** Checks of a complete assignment what adding more could have repaired before; absent: nothing. */
  accepts?(): boolean;
}
