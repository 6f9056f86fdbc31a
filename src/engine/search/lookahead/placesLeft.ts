import type { PlannedIsolation, Plan } from '../../model/plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import type { Domains, PartialAssignment } from './domains.js';
import { canMatch } from './matching.js';
import { MergedClass } from './mergedClass.js';

/** Whether the providers that are left can take all variables that are open, by their number and by the sum of amounts. */
export class PlacesLeft {
  private readonly classes: readonly MergedClass[];
  private readonly isolation: PlannedIsolation | null;

  constructor(
    plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.isolation = plan.isolation !== null && plan.isolation.alone.size > 1 ? plan.isolation : null;
    this.classes = plan.mergedClasses.map((resourceClass) => new MergedClass(resourceClass, plan, anchor));
  }

  /** Whether there is nothing to be checked. */
  get isEmpty(): boolean {
    return this.classes.length === 0 && this.isolation === null;
  }

  areEnough(assigned: PartialAssignment, domains: Domains): boolean {
    return (
      (this.isolation === null || this.canIsolate(this.isolation, assigned, domains)) &&
      this.classes.every((each) => each.fits(assigned, domains))
    );
  }

  /** Each of those that are to be alone has a provider of its own, which serves nothing that is assigned. */
  private canIsolate(
    { alone, among }: PlannedIsolation,
    assigned: PartialAssignment,
    domains: Domains,
  ): boolean {
    const taken = new Set<number>();
    for (const variable of among) {
      if (alone.has(variable) || assigned[variable] < 0) continue;
      const parts = partsOf(this.anchor, assigned[variable]);
      if (parts === undefined) taken.add(assigned[variable]);
      else for (const { provider } of parts) taken.add(provider);
    }
    const open = [...alone].map((variable) => domains[variable]).filter((domain) => domain !== null);
    return canMatch(open, (provider) => (taken.has(provider) ? 0 : 1));
  }
}
