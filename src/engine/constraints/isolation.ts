import type { Plan } from '../plan.js';
import type { Reach } from '../reach.js';
import type { Constraint } from './constraint.js';

/** Group policy ISOLATE: the providers of all granular groups differ; the unsuffixed group is exempt (rule 162). */
export class Isolation implements Constraint {
  private readonly taken: Uint8Array;

  constructor(
    private readonly plan: Plan,
    reach: Reach,
  ) {
    this.taken = new Uint8Array(reach.units.length);
  }

  add(variable: number, unit: number): boolean {
    if (!this.plan.variables[variable].group.isGranular) return true;
    if (this.taken[unit] === 1) return false;
    this.taken[unit] = 1;
    return true;
  }

  remove(variable: number, unit: number): void {
    if (this.plan.variables[variable].group.isGranular) this.taken[unit] = 0;
  }
}

/**
 * Whether all granular groups can have providers of their own at all: a perfect matching of groups to units exists.
 * Thirteen groups on twelve devices are refused here without a single try. O(groups x pairs).
 */
export function canIsolate(plan: Plan, reach: Reach): boolean {
  const servedBy = new Map<number, number>();
  const assign = (variable: number, seen: Set<number>): boolean => {
    for (const unit of reach.domains[variable]) {
      if (seen.has(unit)) continue;
      seen.add(unit);
      const holder = servedBy.get(unit);
      if (holder === undefined || assign(holder, seen)) {
        servedBy.set(unit, variable);
        return true;
      }
    }
    return false;
  };
  return plan.variables.every(({ group }, variable) => !group.isGranular || assign(variable, new Set()));
}
