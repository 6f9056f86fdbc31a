import type { Reach, Unit } from '../reach.js';
import type { Constraint } from './constraint.js';

/**
 * One of the providers that serve the listed groups is an ancestor of, or the same as, all of them (rules 164-168).
 * Broken as soon as neither a provider chosen already nor one that a group still to be placed could take is above
 * all that are chosen.
 */
export class SameSubtree implements Constraint {
  private readonly placed = new Map<number, Unit>();

  constructor(
    private readonly variables: readonly number[],
    private readonly reach: Reach,
  ) {}

  add(variable: number, unit: number): boolean {
    if (!this.variables.includes(variable)) return true;
    this.placed.set(variable, this.reach.units[unit]);
    if (this.canHaveTop()) return true;
    this.placed.delete(variable);
    return false;
  }

  remove(variable: number): void {
    this.placed.delete(variable);
  }

  private canHaveTop(): boolean {
    const chosen = [...this.placed.values()];
    const isTop = (top: Unit): boolean => chosen.every((unit) => isAtOrBelow(unit, top));
    return (
      chosen.some(isTop) ||
      this.variables.some(
        (variable) =>
          !this.placed.has(variable) &&
          this.reach.domains[variable].some((unit) => isTop(this.reach.units[unit])),
      )
    );
  }
}

function isAtOrBelow(unit: Unit, top: Unit): boolean {
  return unit.slot === top.slot && unit.row >= top.row && unit.row < top.block.ends[top.row];
}
