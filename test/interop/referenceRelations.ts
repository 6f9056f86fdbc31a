import { capacity, unitsAllow } from '../oracle/capacity.js';
import { ProviderRelations } from '../oracle/providerRelations.js';
import type { Candidate } from '../support/answers.js';
import type { Forest, InventoryRecord, ProviderRecord } from '../support/forest.js';
import type { Rule } from './differences.js';

/** A forest with the computations of the reference for the given rules. */
export class ReferenceRelations extends ProviderRelations {
  constructor(
    forest: Forest,
    private readonly rules: ReadonlySet<Rule>,
  ) {
    super(forest);
  }

  /** Compares as the reference does in SQL. */
  override fits(provider: ProviderRecord, resourceClass: string, amount: number): boolean {
    const inventory = provider.inventories[resourceClass];
    return (
      inventory !== undefined &&
      unitsFit(inventory, amount, this.rules) &&
      this.used(provider, resourceClass) + amount <=
        (this.rules.has('D2') ? sqlCapacity(inventory) : capacity(inventory))
    );
  }

  /**
   * Compares the sums of a candidate as the reference does. It ignores minUnit and stepSize (rule 157), which makes no difference:
   * sums of multiples of a step are multiples of it.
   */
  takes({ allocations }: Candidate): boolean {
    return this.providers.every((provider) =>
      Object.entries(allocations[provider.uuid] ?? {}).every(([resourceClass, sum]) => {
        const inventory = provider.inventories[resourceClass];
        const most = this.rules.has('D2') ? Math.trunc(floatCapacity(inventory)) : capacity(inventory);
        const used = this.used(provider, resourceClass);
        return unitsFit(inventory, sum, this.rules) && used + sum <= most;
      }),
    );
  }
}

export function unitsFit(inventory: InventoryRecord, amount: number, rules: ReadonlySet<Rule>): boolean {
  if (!rules.has('D1')) return unitsAllow(amount, inventory);
  const { min_unit, max_unit, step_size } = inventory;
  return amount >= min_unit && amount <= max_unit && amount % step_size === 0;
}

/** MySQL multiplies by the column, which has single precision. */
function sqlCapacity({ total, reserved, allocation_ratio }: InventoryRecord): number {
  return (total - reserved) * Math.fround(allocation_ratio);
}

/** Python multiplies by six digits of that number. */
export function floatCapacity({ total, reserved, allocation_ratio }: InventoryRecord): number {
  return (total - reserved) * Number(Math.fround(allocation_ratio).toPrecision(6));
}
