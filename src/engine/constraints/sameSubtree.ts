import type { PlannedAffinity } from '../plan.js';
import type { Reach, Unit } from '../reach.js';
import type { Constraint } from './constraint.js';

/**
 * One of the providers that serve the listed groups is an ancestor of, or the same as, all of them (rules 164-168), and
 * of none that serves an excepted group. Broken as soon as neither a provider chosen already nor one that a listed group
 * still to be placed could take is above all that are chosen within and none that is chosen outside.
 */
export class SameSubtree implements Constraint {
  private readonly placed = new Map<number, Unit>();

  constructor(
    private readonly affinity: PlannedAffinity,
    private readonly reach: Reach,
  ) {}

  add(variable: number, unit: number): boolean {
    const { within, outside } = this.affinity;
    if (!within.includes(variable) && !outside.includes(variable)) return true;
    this.placed.set(variable, this.reach.units[unit]);
    if (this.canHaveTop()) return true;
    this.placed.delete(variable);
    return false;
  }

  remove(variable: number): void {
    this.placed.delete(variable);
  }

  private canHaveTop(): boolean {
    const { within } = this.affinity;
    const chosen = this.placedOf(within);
    const excepted = this.placedOf(this.affinity.outside);
    const isTop = (top: Unit): boolean =>
      chosen.every((unit) => isAtOrBelow(unit, top)) && !excepted.some((unit) => isAtOrBelow(unit, top));
    return (
      chosen.some(isTop) ||
      within.some(
        (variable) =>
          !this.placed.has(variable) &&
          this.reach.domains[variable].some((unit) => isTop(this.reach.units[unit])),
      )
    );
  }

  private placedOf(variables: readonly number[]): Unit[] {
    return variables.map((variable) => this.placed.get(variable)).filter((unit) => unit !== undefined);
  }
}

function isAtOrBelow(unit: Unit, top: Unit): boolean {
  return unit.slot === top.slot && unit.row >= top.row && unit.row < top.block.ends[top.row];
}
