import type { PlannedIsolation } from '../plan.js';
import { splitAt, type Reach } from '../reach.js';
import type { Constraint } from './constraint.js';

/**
 * Some variables share their provider with no other. Group policy ISOLATE: each granular group with no other granular
 * one (rule 162). A list of suffixes: each with no other group at all, the unsuffixed one included.
 */
export class Isolation implements Constraint {
  /** Per unit how many variables it serves, and whether one of them is to be alone. */
  private readonly served: Uint16Array;
  private readonly reserved: Uint8Array;

  constructor(
    private readonly isolation: PlannedIsolation,
    private readonly reach: Reach,
  ) {
    this.served = new Uint16Array(reach.units.length);
    this.reserved = new Uint8Array(reach.units.length);
  }

  add(variable: number, choice: number): boolean {
    if (!this.isolation.among.has(variable)) return true;
    const parts = splitAt(this.reach, choice);
    if (parts !== undefined) {
      if (parts.some(({ unit }) => this.reserved[unit] === 1)) return false;
      for (const { unit } of parts) this.served[unit]++;
      return true;
    }
    const isAlone = this.isolation.alone.has(variable);
    if (this.reserved[choice] === 1 || (isAlone && this.served[choice] > 0)) return false;
    this.served[choice]++;
    if (isAlone) this.reserved[choice] = 1;
    return true;
  }

  remove(variable: number, choice: number): void {
    if (!this.isolation.among.has(variable)) return;
    const parts = splitAt(this.reach, choice);
    if (parts !== undefined) {
      for (const { unit } of parts) this.served[unit]--;
      return;
    }
    this.served[choice]--;
    if (this.isolation.alone.has(variable)) this.reserved[choice] = 0;
  }
}

/**
 * Whether all that are to be alone can have providers of their own at all: a perfect matching with units exists.
 * Thirteen groups on twelve devices are refused here without a single try. O(groups x pairs).
 */
export function canIsolate({ alone }: PlannedIsolation, reach: Reach): boolean {
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
  return [...alone].every((variable) => assign(variable, new Set()));
}
