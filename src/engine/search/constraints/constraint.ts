/** A condition on several assignments. Further assignments must not repair a violation. */
export interface Constraint {
  /** Records a value. Returns false, without recording it, if it violates the constraint. */
  add(variable: number, value: number): boolean;
  /** Undoes the latest `add` of this variable. */
  remove(variable: number, value: number): void;
  /** Checks a complete assignment for violations that later additions could have repaired. */
  accepts?(): boolean;
}
