import type { PlannedAffinity } from '../../model/plan.js';
import type { Anchor, AnchorProvider } from '../anchor.js';
import type { Constraint } from './constraint.js';

/**
 * One of the providers that serve the listed groups is an ancestor of, or the same as, all of them (rules 164-168), and
 * of none that serves an excepted group. Broken as soon as neither a provider chosen already nor one that a listed group
 * still to be placed could take is above all that are chosen within and none that is chosen outside.
 */
export class SameSubtree implements Constraint {
  private readonly placed = new Map<number, AnchorProvider>();

  constructor(
    private readonly affinity: PlannedAffinity,
    private readonly anchor: Anchor,
  ) {}

  add(variable: number, provider: number): boolean {
    const { within, outside } = this.affinity;
    if (!within.includes(variable) && !outside.includes(variable)) return true;
    this.placed.set(variable, this.anchor.providers[provider]);
    if (this.canHaveTop()) return true;
    this.placed.delete(variable);
    return false;
  }

  remove(variable: number): void {
    this.placed.delete(variable);
  }

  private canHaveTop(): boolean {
    const { within } = this.affinity;
    const chosen = this.placedOf(within);
    const excepted = this.placedOf(this.affinity.outside);
    const isTop = (top: AnchorProvider): boolean =>
      chosen.every((provider) => isAtOrBelow(provider, top)) &&
      !excepted.some((provider) => isAtOrBelow(provider, top));
    return (
      chosen.some(isTop) ||
      within.some(
        (variable) =>
          !this.placed.has(variable) &&
          this.anchor.domains[variable].some((provider) => isTop(this.anchor.providers[provider])),
      )
    );
  }

  private placedOf(variables: readonly number[]): AnchorProvider[] {
    return variables
      .map((variable) => this.placed.get(variable))
      .filter((provider) => provider !== undefined);
  }
}

function isAtOrBelow(provider: AnchorProvider, top: AnchorProvider): boolean {
  return (
    provider.treeIndex === top.treeIndex && provider.row >= top.row && provider.row < top.block.ends[top.row]
  );
}
