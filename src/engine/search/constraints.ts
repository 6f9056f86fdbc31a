import { unitsFit } from '../../domain/capacity.js';
import { addToGroup } from '../../domain/collections.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { Plan, PlannedAffinity, PlannedGroup, PlannedIsolation } from '../model/plan.js';
import { hasAnyTrait } from '../model/providerChecks.js';
import { inventoryAt } from '../model/snapshot.js';
import { partsOf, providersFor, type Anchor } from './anchor.js';
import { canMatch } from './lookahead/domains.js';

/** A condition on several assignments. Further assignments must not repair a violation. */
export interface Constraint {
  /** Records a value. Returns false, without recording it, if it violates the constraint. */
  add(variable: number, value: number): boolean;
  /** Undoes the latest `add` of this variable. */
  remove(variable: number, value: number): void;
  /** Checks a complete assignment for violations that later additions could have repaired. */
  accepts?(): boolean;
}

/**
 * Policy ISOLATE: no two granular groups share a provider (rule 162). A list of suffixes: these
 * groups share their provider with no other group.
 */
export class Isolation implements Constraint {
  /** By provider: the number of variables that it serves, and whether one of them is isolated. */
  private readonly served: Uint16Array;
  private readonly reserved: Uint8Array;

  constructor(
    private readonly isolation: PlannedIsolation,
    private readonly anchor: Anchor,
  ) {
    this.served = new Uint16Array(anchor.providers.length);
    this.reserved = new Uint8Array(anchor.providers.length);
  }

  add(variable: number, value: number): boolean {
    const { alone, among } = this.isolation;
    if (!among.has(variable)) return true;
    const parts = partsOf(this.anchor, value);
    const isTaken =
      parts === undefined
        ? this.reserved[value] === 1 || (alone.has(variable) && this.served[value] > 0)
        : parts.some(({ provider }) => this.reserved[provider] === 1);
    if (!isTaken) this.count(variable, value, 1);
    return !isTaken;
  }

  remove(variable: number, value: number): void {
    if (this.isolation.among.has(variable)) this.count(variable, value, -1);
  }

  private count(variable: number, value: number, direction: 1 | -1): void {
    const parts = partsOf(this.anchor, value);
    if (parts === undefined) {
      this.served[value] += direction;
      if (this.isolation.alone.has(variable)) this.reserved[value] += direction;
    } else for (const { provider } of parts) this.served[provider] += direction;
  }
}

/** Returns whether all isolated variables can have different providers, by bipartite matching. */
export function canIsolate({ alone }: PlannedIsolation, { domains }: Anchor): boolean {
  return canMatch(
    Array.from(alone, (variable) => domains[variable]),
    () => 1,
  );
}

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
        if (this.counts[cell] <= 1) continue;
        const { block, row: ownRow } = this.anchor.providers[provider];
        const at = inventoryAt(block, ownRow, resourceClass);
        const { minUnits, maxUnits, stepSizes } = block;
        if (!unitsFit(this.sums[cell], minUnits[at], maxUnits[at], stepSizes[at])) return false;
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
}

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
        providersFor(anchor, variable).some((provider) => met[provider] === 1),
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

/** Above this number of values, a lookup is faster than a scan. */
const FEW_VALUES = 64;

/**
 * The provider of one listed group is the same as, or an ancestor of, the providers of all listed
 * groups (rules 164-168). It is neither for an excepted group. The constraint is violated as soon
 * as no assigned or possible provider can be that ancestor.
 */
export class SameSubtree implements Constraint {
  private readonly assigned = new Map<number, AnchorProvider>();
  /** By place of a provider: the listed groups that it could serve. Built on first use. */
  private variablesAt: ReadonlyMap<number, readonly number[]> | null = null;
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
    const variablesAt = (this.variablesAt ??= this.variablesByPlace());
    const found: AnchorProvider[] = [];
    for (let above = row; above >= 0; above = block.parents[above]) {
      const variables = variablesAt.get(placeOf(treeIndex, above));
      if (variables?.some((each) => !this.assigned.has(each))) found.push({ treeIndex, block, row: above });
    }
    return found;
  }

  private variablesByPlace(): Map<number, number[]> {
    const { domains, providers } = this.anchor;
    const variablesAt = new Map<number, number[]>();
    for (const variable of this.affinity.within)
      for (const provider of domains[variable])
        addToGroup(variablesAt, placeOf(providers[provider].treeIndex, providers[provider].row), variable);
    return variablesAt;
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
