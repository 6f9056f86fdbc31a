import { unitsFit } from '../capacity.js';
import type { Plan } from '../plan.js';
import { splitAt, type Reach } from '../reach.js';
import { inventoryAt } from '../snapshot.js';
import type { Constraint } from './constraint.js';

/**
 * Amounts of one class that several groups put on the same provider become one allocation: their sum must fit what is
 * free and max_unit (rules 156-158) and, judged at the very end because more may mend it, min_unit and step_size
 * (decision D1). Classes that only one variable asks for were judged with the provider itself.
 */
export class MergedAmounts implements Constraint {
  /** Of each class that several variables ask for, its row of `sums`. */
  private readonly rowOf: ReadonlyMap<number, number>;
  private readonly sums: Float64Array;
  /** Variables that have put the class on the unit. */
  private readonly shares: Uint16Array;
  private readonly unitCount: number;

  constructor(
    private readonly plan: Plan,
    private readonly reach: Reach,
  ) {
    this.rowOf = new Map(plan.mergedClasses.map((resourceClass, row) => [resourceClass, row]));
    this.unitCount = reach.units.length;
    this.sums = new Float64Array(plan.mergedClasses.length * this.unitCount);
    this.shares = new Uint16Array(this.sums.length);
  }

  add(variable: number, choice: number): boolean {
    const { resources } = this.plan.variables[variable];
    const parts = splitAt(this.reach, choice);
    const fits =
      parts === undefined
        ? resources.every(({ resourceClass, amount }) => this.hasRoomFor(resourceClass, choice, amount))
        : parts.every(({ unit, amount }) => this.hasRoomFor(resources[0].resourceClass, unit, amount));
    if (fits) this.move(variable, choice, 1);
    return fits;
  }

  remove(variable: number, choice: number): void {
    this.move(variable, choice, -1);
  }

  accepts(): boolean {
    for (const [resourceClass, row] of this.rowOf) {
      for (let unit = 0; unit < this.unitCount; unit++) {
        const cell = this.cell(row, unit);
        if (this.shares[cell] > 1 && !this.meetsUnits(resourceClass, unit, this.sums[cell])) return false;
      }
    }
    return true;
  }

  private move(variable: number, choice: number, direction: 1 | -1): void {
    const { resources } = this.plan.variables[variable];
    const parts = splitAt(this.reach, choice);
    if (parts === undefined) {
      for (const { resourceClass, amount } of resources) this.put(resourceClass, choice, amount, direction);
    } else {
      for (const { unit, amount } of parts) this.put(resources[0].resourceClass, unit, amount, direction);
    }
  }

  private put(resourceClass: number, unit: number, amount: number, direction: 1 | -1): void {
    const row = this.rowOf.get(resourceClass);
    if (row === undefined) return;
    this.sums[this.cell(row, unit)] += direction * amount;
    this.shares[this.cell(row, unit)] += direction;
  }

  private cell(row: number, unit: number): number {
    return row * this.unitCount + unit;
  }

  private hasRoomFor(resourceClass: number, unit: number, amount: number): boolean {
    const line = this.rowOf.get(resourceClass);
    if (line === undefined) return true;
    const sum = this.sums[this.cell(line, unit)] + amount;
    const { block, row } = this.reach.units[unit];
    const at = inventoryAt(block, row, resourceClass);
    return block.used[at] + sum <= block.capacities[at] && sum <= block.maxUnits[at];
  }

  private meetsUnits(resourceClass: number, unit: number, sum: number): boolean {
    const { block, row } = this.reach.units[unit];
    const at = inventoryAt(block, row, resourceClass);
    return unitsFit(sum, block.minUnits[at], block.maxUnits[at], block.stepSizes[at]);
  }
}
