/** A condition on several assignments. A violated constraint must stay violated whatever is added. */
export interface Constraint {
  /** Records a value. Returns false, without recording it, if it violates the constraint. */
  add(variable: number, value: number): boolean;
  /** Undoes the latest `add` of this variable. */
  remove(variable: number, value: number): void;
  /** Checks a complete assignment for what later additions could have repaired. */
  accepts?(): boolean;
}
