import type { PlannedAffinity } from '../../model/plan.js';
import type { AnchorProvider } from '../../model/candidate.js';
import type { Anchor } from '../anchor.js';
import type { Constraint } from './constraint.js';

/** Above this number of values, a lookup is faster than a scan. */
const FEW_VALUES = 64;

interface Place {
  readonly provider: AnchorProvider;
  readonly variables: number[];
}

/**
 * The provider of one listed group is the same as, or an ancestor of, the providers of all listed
 * groups (rules 164-168). It is neither for an excepted group. The constraint is violated as soon
 * as no assigned or possible provider can be that ancestor.
 */
export class SameSubtree implements Constraint {
  private readonly assigned = new Map<number, AnchorProvider>();
  /** By position of a provider: the listed groups that it could serve. Built on first use. */
  private places: ReadonlyMap<number, Place> | null = null;

  private readonly isLarge: boolean;

  constructor(
    private readonly affinity: PlannedAffinity,
    private readonly anchor: Anchor,
  ) {
    const values = affinity.within.reduce((sum, variable) => sum + anchor.domains[variable].length, 0);
    this.isLarge = values > FEW_VALUES;
  }

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
    if (inside.some(isTop)) return true;
    if (inside.length > 0 && this.isLarge) return this.openAbove(inside[0]).some(isTop);
    return within.some(
      (variable) =>
        !this.assigned.has(variable) &&
        this.anchor.domains[variable].some((provider) => isTop(this.anchor.providers[provider])),
    );
  }

  /** Returns the provider and its ancestors that are in the domain of an unassigned listed group. */
  private openAbove({ treeIndex, block, row }: AnchorProvider): AnchorProvider[] {
    const found: AnchorProvider[] = [];
    for (let above = row; above >= 0; above = block.parents[above]) {
      const place = (this.places ??= this.placesOf()).get(placeOf(treeIndex, above));
      if (place?.variables.some((variable) => !this.assigned.has(variable))) found.push(place.provider);
    }
    return found;
  }

  private placesOf(): Map<number, Place> {
    const places = new Map<number, Place>();
    for (const variable of this.affinity.within) {
      for (const at of this.anchor.domains[variable]) {
        const provider = this.anchor.providers[at];
        const key = placeOf(provider.treeIndex, provider.row);
        const place = places.get(key);
        if (place === undefined) places.set(key, { provider, variables: [variable] });
        else place.variables.push(variable);
      }
    }
    return places;
  }

  private assignedTo(variables: readonly number[]): AnchorProvider[] {
    return variables
      .map((variable) => this.assigned.get(variable))
      .filter((provider) => provider !== undefined);
  }
}

/** A block has far fewer rows than this. */
const MOST_ROWS = 2 ** 26;

function placeOf(treeIndex: number, row: number): number {
  return treeIndex * MOST_ROWS + row;
}

function isAtOrBelow(provider: AnchorProvider, top: AnchorProvider): boolean {
  return (
    provider.treeIndex === top.treeIndex && provider.row >= top.row && provider.row < top.block.ends[top.row]
  );
}
