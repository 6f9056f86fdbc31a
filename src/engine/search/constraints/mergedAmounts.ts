import { unitsFit } from '../../../domain/capacity.js';
import type { Plan } from '../../model/plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import { inventoryAt } from '../../model/snapshot.js';
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
    private readonly anchor: Anchor,
  ) {
    this.rowOf = new Map(plan.mergedClasses.map((resourceClass, row) => [resourceClass, row]));
    this.unitCount = anchor.providers.length;
    this.sums = new Float64Array(plan.mergedClasses.length * this.unitCount);
    this.shares = new Uint16Array(this.sums.length);
  }

  add(variable: number, choice: number): boolean {
    const { resources } = this.plan.variables[variable];
    const parts = partsOf(this.anchor, choice);
    const fits =
      parts === undefined
        ? resources.every(({ resourceClass, amount }) => this.hasRoomFor(resourceClass, choice, amount))
        : parts.every(({ provider, amount }) =>
            this.hasRoomFor(resources[0].resourceClass, provider, amount),
          );
    if (fits) this.move(variable, choice, 1);
    return fits;
  }

  remove(variable: number, choice: number): void {
    this.move(variable, choice, -1);
  }

  accepts(): boolean {
    for (const [resourceClass, row] of this.rowOf) {
      for (let provider = 0; provider < this.unitCount; provider++) {
        const cell = this.cell(row, provider);
        if (this.shares[cell] > 1 && !this.meetsUnits(resourceClass, provider, this.sums[cell])) return false;
      }
    }
    return true;
  }

  private move(variable: number, choice: number, direction: 1 | -1): void {
    const { resources } = this.plan.variables[variable];
    const parts = partsOf(this.anchor, choice);
    if (parts === undefined) {
      for (const { resourceClass, amount } of resources) this.put(resourceClass, choice, amount, direction);
    } else {
      for (const { provider, amount } of parts)
        this.put(resources[0].resourceClass, provider, amount, direction);
    }
  }

  private put(resourceClass: number, provider: number, amount: number, direction: 1 | -1): void {
    const row = this.rowOf.get(resourceClass);
    if (row === undefined) return;
    this.sums[this.cell(row, provider)] += direction * amount;
    this.shares[this.cell(row, provider)] += direction;
  }

  private cell(row: number, provider: number): number {
    return row * this.unitCount + provider;
  }

  private hasRoomFor(resourceClass: number, provider: number, amount: number): boolean {
    const line = this.rowOf.get(resourceClass);
    if (line === undefined) return true;
    const sum = this.sums[this.cell(line, provider)] + amount;
    const { block, row } = this.anchor.providers[provider];
    const at = inventoryAt(block, row, resourceClass);
    return block.used[at] + sum <= block.capacities[at] && sum <= block.maxUnits[at];
  }

  private meetsUnits(resourceClass: number, provider: number, sum: number): boolean {
    const { block, row } = this.anchor.providers[provider];
    const at = inventoryAt(block, row, resourceClass);
    return unitsFit(sum, block.minUnits[at], block.maxUnits[at], block.stepSizes[at]);
  }
}
