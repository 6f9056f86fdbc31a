/**
 * A condition on several choices together. The search tells it each choice that it makes and takes back. The one
 * law: a constraint that is broken stays broken whatever is added, so the search may turn back at once.
 */
export interface Constraint {
  /**
   * Records that a choice, a unit or a split (splitAt), serves a variable. False when that breaks the constraint; then
   * nothing was recorded.
   */
  add(variable: number, choice: number): boolean;
  /** Takes back the latest `add` of this variable. */
  remove(variable: number, choice: number): void;
  /** The last word on a full choice, for what can be broken and mended by adding more; absent: always true. */
  accepts?(): boolean;
}
