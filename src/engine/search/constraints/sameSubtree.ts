import type { PlannedAffinity } from '../../model/plan.js';
import type { AnchorProvider } from '../../model/candidate.js';
import type { Anchor } from '../anchor.js';
import type { Constraint } from './constraint.js';

/**
 * One of the providers that serve the listed groups is an ancestor of, or the same as, all of them (rules
 * 164-168), and of none that serves an excepted group. Broken as soon as no such ancestor is left among the
 * providers assigned to listed groups and those in the domains of listed groups that are still to be
 * assigned.
 */
export class SameSubtree implements Constraint {
  private readonly assigned = new Map<number, AnchorProvider>();

  constructor(
    private readonly affinity: PlannedAffinity,
    private readonly anchor: Anchor,
  ) {}

  add(variable: number, value: number): boolean {
    const { within, outside } = this.affinity;
    if (!within.includes(variable) && !outside.includes(variable)) return true;
    this.assigned.set(variable, this.anchor.providers[value]);
    if (this.canHaveTop()) return true;
    this.assigned.delete(variable);
    return false;
  }

  remove(variable: number): void {
    this.assigned.delete(variable);
  }

  private canHaveTop(): boolean {
    const { within } = this.affinity;
    const inside = this.assignedTo(within);
    const outside = this.assignedTo(this.affinity.outside);
    const isTop = (top: AnchorProvider): boolean =>
      inside.every((provider) => isAtOrBelow(provider, top)) &&
      !outside.some((provider) => isAtOrBelow(provider, top));
    return (
      inside.some(isTop) ||
      within.some(
        (variable) =>
          !this.assigned.has(variable) &&
          this.anchor.domains[variable].some((provider) => isTop(this.anchor.providers[provider])),
      )
    );
  }

  private assignedTo(variables: readonly number[]): AnchorProvider[] {
    return variables
      .map((variable) => this.assigned.get(variable))
      .filter((provider) => provider !== undefined);
  }
}

function isAtOrBelow(provider: AnchorProvider, top: AnchorProvider): boolean {
  return (
    provider.treeIndex === top.treeIndex && provider.row >= top.row && provider.row < top.block.ends[top.row]
  );
}
