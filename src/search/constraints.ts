import { unitsFit } from '../model/input.js';
import { addToGroup } from '../model/collections.js';
import { type AnchorProvider, partsOf, providersFor, type Anchor } from './anchor.js';
import { addBits, type Clauses } from './clauses.js';
import type { Plan, PlannedAffinity, PlannedGroup, PlannedIsolation } from './plan.js';
import { traitSetsMet } from './treeFilter.js';
import { inventoryAt } from '../fleet/snapshot.js';
import { canMatch } from './lookahead/domains.js';

/** A condition on several assignments. Further assignments must not repair a violation. */
export interface Constraint {
  /** Records a value. Returns false, without recording it, if it violates the constraint. */
  add(variable: number, value: number): boolean;
  /** Undoes the latest `add` of this variable. */
  remove(variable: number, value: number): void;
  /** The only variables to add. Absent: all. */
  readonly variables?: readonly number[];
  /** The number of conditions, names or variables that `add` compares. Absent: few. */
  readonly size?: number;
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

/** No two providers of one tree have allocations. Groups without resources do not count. */
export class OneProviderPerTree implements Constraint {
  readonly variables: readonly number[];
  /** By tree: the provider with allocations and the number of its variables. */
  private readonly used = new Map<number, { provider: number; count: number }>();

  constructor(
    { variables }: Plan,
    private readonly anchor: Anchor,
  ) {
    this.variables = [...variables.keys()].filter((variable) => variables[variable].resources.length > 0);
  }

  add(_variable: number, value: number): boolean {
    const provider = this.providerOf(value);
    if (provider === null) return false;
    const { treeIndex } = this.anchor.providers[provider];
    const used = this.used.get(treeIndex);
    if (used === undefined) this.used.set(treeIndex, { provider, count: 1 });
    else if (used.provider === provider) used.count++;
    return used === undefined || used.provider === provider;
  }

  remove(_variable: number, value: number): void {
    const { treeIndex } = this.anchor.providers[this.providerOf(value)!];
    if (--this.used.get(treeIndex)!.count === 0) this.used.delete(treeIndex);
  }

  /** Returns null for several providers, which are always in one tree. */
  private providerOf(value: number): number | null {
    const parts = partsOf(this.anchor, value);
    if (parts === undefined) return value;
    return parts.length === 1 ? parts[0].provider : null;
  }
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
  readonly variables: readonly number[];
  readonly size: number;
  private readonly clauses: Clauses;
  /** By provider: the sets that it meets, as bits. */
  private readonly met: readonly Uint32Array[];
  /** By variable: the sets that any of its providers meets, as bits. */
  private readonly canMeet: ReadonlyMap<number, Uint32Array>;
  private readonly assigned = new Map<number, number>();

  constructor(
    group: PlannedGroup,
    plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.clauses = group.requiredTraits;
    this.variables = [...plan.variables.keys()].filter(
      (variable) => plan.variables[variable].group === group,
    );
    this.met = anchor.providers.map(({ block, row }) => traitSetsMet(block, row, this.clauses));
    const canMeet = this.variables.map((variable) => {
      const sets = this.clauses.none();
      for (const provider of providersFor(anchor, variable)) addBits(sets, this.met[provider]);
      return [variable, sets] as const;
    });
    this.canMeet = new Map(canMeet);
    this.size = (this.variables.length * this.clauses.length) >> 4;
  }

  add(variable: number, value: number): boolean {
    this.assigned.set(variable, value);
    if (this.isPossible()) return true;
    this.assigned.delete(variable);
    return false;
  }

  remove(variable: number): void {
    this.assigned.delete(variable);
  }

  private isPossible(): boolean {
    const sets = this.clauses.none();
    for (const variable of this.variables) {
      const value = this.assigned.get(variable);
      const parts = value === undefined ? undefined : partsOf(this.anchor, value);
      if (value === undefined) addBits(sets, this.canMeet.get(variable)!);
      else if (parts === undefined) addBits(sets, this.met[value]);
      else for (const { provider } of parts) addBits(sets, this.met[provider]);
    }
    return this.clauses.areAllIn(sets);
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
  readonly variables: readonly number[];
  readonly size: number;
  private readonly assigned = new Set<number>();
  /** The providers of the assigned groups, in the order of assignment. */
  private readonly inside: AnchorProvider[] = [];
  private readonly outside: AnchorProvider[] = [];
  /** By the number of providers inside: the first and the last one of these in the order of the fleet. */
  private readonly firsts: AnchorProvider[] = [];
  private readonly lasts: AnchorProvider[] = [];
  private readonly excepted: ReadonlySet<number>;
  /** By place of a provider: the listed groups that it could serve. Built on first use. */
  private variablesAt: ReadonlyMap<number, readonly number[]> | null = null;
  private readonly isLarge: boolean;

  constructor(
    private readonly affinity: PlannedAffinity,
    private readonly anchor: Anchor,
  ) {
    this.variables = [...affinity.within, ...affinity.outside];
    this.excepted = new Set(affinity.outside);
    this.size = 1 + affinity.outside.length;
    const values = affinity.within.reduce((sum, variable) => sum + anchor.domains[variable].length, 0);
    this.isLarge = values > FEW_VALUES;
  }

  add(variable: number, value: number): boolean {
    const provider = this.anchor.providers[value];
    this.assigned.add(variable);
    if (this.excepted.has(variable)) this.outside.push(provider);
    else {
      const { inside, firsts, lasts } = this;
      const before = inside.length - 1;
      firsts.push(before >= 0 && isEarlier(firsts[before], provider) ? firsts[before] : provider);
      lasts.push(before >= 0 && isEarlier(provider, lasts[before]) ? lasts[before] : provider);
      inside.push(provider);
    }
    if (this.canHaveTop()) return true;
    this.remove(variable);
    return false;
  }

  /** Assignments are undone in the reverse order. */
  remove(variable: number): void {
    this.assigned.delete(variable);
    if (this.excepted.has(variable)) this.outside.pop();
    else {
      this.inside.pop();
      this.firsts.pop();
      this.lasts.pop();
    }
  }

  private canHaveTop(): boolean {
    const { within } = this.affinity;
    const { length } = this.inside;
    const [first, last] = [this.firsts[length - 1], this.lasts[length - 1]];
    if (length > 0 && first.treeIndex !== last.treeIndex) return false;
    // The rows of a subtree are adjacent: it has all providers inside if it has the first and the last.
    const isTop = (top: AnchorProvider): boolean =>
      (length === 0 || (isAtOrBelow(first, top) && isAtOrBelow(last, top))) &&
      !this.outside.some((provider) => isAtOrBelow(provider, top));
    if (length > 0 && isTop(first)) return true;
    if (length > 0 && this.isLarge) return this.openAbove(first).some(isTop);
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
}

/** A block has far fewer rows than this. */
const MOST_ROWS = 2 ** 26;

function placeOf(treeIndex: number, row: number): number {
  return treeIndex * MOST_ROWS + row;
}

function isEarlier(one: AnchorProvider, other: AnchorProvider): boolean {
  return one.treeIndex === other.treeIndex ? one.row < other.row : one.treeIndex < other.treeIndex;
}

function isAtOrBelow(provider: AnchorProvider, top: AnchorProvider): boolean {
  return (
    provider.treeIndex === top.treeIndex && provider.row >= top.row && provider.row < top.block.ends[top.row]
  );
}
