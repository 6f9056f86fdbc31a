import { hasAnyTrait } from '../../model/providerChecks.js';
import type { Plan, PlannedGroup } from '../../model/plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import type { Constraint } from './constraint.js';

/**
 * Each required set of traits is met by one of the unsuffixed group's providers (rule 140). Violated if
 * neither an assigned provider nor one in an open domain meets a set.
 */
export class SharedTraits implements Constraint {
  private readonly variables: readonly number[];
  /**
   * By required set: the providers that meet it, the variables with such a provider, and the number
   * of assigned providers that meet it.
   */
  private readonly sets: { readonly met: Uint8Array; readonly canMeet: ReadonlySet<number>; count: number }[];
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
      const canMeet = this.variables.filter((variable) =>
        [...anchor.domains[variable], ...(anchor.partitions?.contributorsFor(variable) ?? [])].some(
          (provider) => met[provider] === 1,
        ),
      );
      return { met, canMeet: new Set(canMeet), count: 0 };
    });
  }

  add(variable: number, value: number): boolean {
    if (!this.open.has(variable)) return true;
    this.open.delete(variable);
    this.count(value, 1);
    if (this.sets.every((set) => set.count > 0 || [...this.open].some((open) => set.canMeet.has(open))))
      return true;
    this.remove(variable, value);
    return false;
  }

  remove(variable: number, value: number): void {
    if (!this.variables.includes(variable)) return;
    this.open.add(variable);
    this.count(value, -1);
  }

  private count(value: number, direction: 1 | -1): void {
    const parts = partsOf(this.anchor, value);
    for (const set of this.sets) {
      if (parts === undefined) set.count += direction * set.met[value];
      else for (const { provider } of parts) set.count += direction * set.met[provider];
    }
  }
}
