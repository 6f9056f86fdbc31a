import { unitsFit } from '../../../domain/capacity.js';
import type { Plan } from '../../model/plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import { inventoryAt } from '../../model/snapshot.js';
import type { Constraint } from './constraint.js';

/**
 * Amounts of one class on one provider become one allocation: the sum must fit free capacity and max_unit
 * (rules 156-158). `accepts` checks min_unit and step_size (decision D1).
 */
export class MergedAmounts implements Constraint {
  /** By class that several variables ask for: its row of `sums`. */
  private readonly rowOf: ReadonlyMap<number, number>;
  private readonly sums: Float64Array;
  /** By cell of `sums`: the number of variables. */
  private readonly counts: Uint16Array;
  private readonly providerCount: number;

  constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.rowOf = new Map(plan.mergedClasses.map((resourceClass, row) => [resourceClass, row]));
    this.providerCount = anchor.providers.length;
    this.sums = new Float64Array(plan.mergedClasses.length * this.providerCount);
    this.counts = new Uint16Array(this.sums.length);
  }

  add(variable: number, value: number): boolean {
    const { resources } = this.plan.variables[variable];
    const parts = partsOf(this.anchor, value);
    const fits =
      parts === undefined
        ? resources.every(({ resourceClass, amount }) => this.fits(resourceClass, value, amount))
        : parts.every(({ provider, amount }) => this.fits(resources[0].resourceClass, provider, amount));
    if (fits) this.move(variable, value, 1);
    return fits;
  }

  remove(variable: number, value: number): void {
    this.move(variable, value, -1);
  }

  accepts(): boolean {
    for (const [resourceClass, row] of this.rowOf) {
      for (let provider = 0; provider < this.providerCount; provider++) {
        const cell = this.cell(row, provider);
        if (this.counts[cell] > 1 && !this.meetsUnits(resourceClass, provider, this.sums[cell])) return false;
      }
    }
    return true;
  }

  private move(variable: number, value: number, direction: 1 | -1): void {
    const { resources } = this.plan.variables[variable];
    const parts = partsOf(this.anchor, value);
    if (parts === undefined) {
      for (const { resourceClass, amount } of resources) this.addTo(resourceClass, value, amount, direction);
    } else {
      for (const { provider, amount } of parts)
        this.addTo(resources[0].resourceClass, provider, amount, direction);
    }
  }

  private addTo(resourceClass: number, provider: number, amount: number, direction: 1 | -1): void {
    const row = this.rowOf.get(resourceClass);
    if (row === undefined) return;
    this.sums[this.cell(row, provider)] += direction * amount;
    this.counts[this.cell(row, provider)] += direction;
  }

  private cell(row: number, provider: number): number {
    return row * this.providerCount + provider;
  }

  private fits(resourceClass: number, provider: number, amount: number): boolean {
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
