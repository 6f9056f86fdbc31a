import { hasAnyTrait } from '../../model/providerChecks.js';
import type { Plan, PlannedGroup } from '../../model/plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import type { Constraint } from './constraint.js';

/**
 * The providers that contribute to the unsuffixed group have together, each set of alternatives met by some of them,
 * what it requires (rule 140). Broken when a set is met by none of the chosen and nobody who could is left to choose.
 */
export class SharedTraits implements Constraint {
  private readonly variables: readonly number[];
  /** Per required set: which units meet it, how many chosen ones do, and which open variables still could. */
  private readonly sets: { readonly met: Uint8Array; readonly hopes: ReadonlySet<number>; count: number }[];
  private readonly open: Set<number>;

  constructor(
    group: PlannedGroup,
    plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.variables = [...plan.variables.keys()].filter(
      (variable) => plan.variables[variable].group === group,
    );
    this.open = new Set(this.variables);
    this.sets = group.requiredTraits.map((traits) => {
      const met = Uint8Array.from(anchor.providers, ({ block, row }) =>
        hasAnyTrait(block, row, traits) ? 1 : 0,
      );
      const hopes = this.variables.filter((variable) =>
        [...anchor.domains[variable], ...(anchor.partitions?.contributorsFor(variable) ?? [])].some(
          (provider) => met[provider] === 1,
        ),
      );
      return { met, hopes: new Set(hopes), count: 0 };
    });
  }

  add(variable: number, choice: number): boolean {
    if (!this.open.has(variable)) return true;
    this.open.delete(variable);
    this.count(choice, 1);
    if (this.sets.every((set) => set.count > 0 || [...this.open].some((open) => set.hopes.has(open))))
      return true;
    this.remove(variable, choice);
    return false;
  }

  remove(variable: number, choice: number): void {
    if (!this.variables.includes(variable)) return;
    this.open.add(variable);
    this.count(choice, -1);
  }

  private count(choice: number, direction: 1 | -1): void {
    const parts = partsOf(this.anchor, choice);
    for (const set of this.sets) {
      if (parts === undefined) set.count += direction * set.met[choice];
      else for (const { provider } of parts) set.count += direction * set.met[provider];
    }
  }
}
