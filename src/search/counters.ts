import { addToGroup } from '../model/collections.js';
import { countersOf } from '../fleet/consumption.js';
import { freeAt, inventoryAt, type Block } from '../fleet/snapshot.js';
import { partsOf, type Anchor } from './anchor.js';
import type { Constraint } from './constraints.js';
import type { Plan, Variable } from './plan.js';

/** A counter, by its number among those that an anchor's providers consume, and the amount of a unit. */
interface ConsumedCounter {
  readonly counter: number;
  readonly amount: number;
}

/**
 * The counters that the providers of an anchor consume for the classes of a plan, numbered from 0. Null if there is
 * none, or if no two amounts can meet in a counter.
 */
export class AnchorCounters {
  /** By number: the largest amount that the counter can still take of one consumer; 0 if it is overused. */
  readonly free: number[] = [];
  /** By number: the free amount for any number of consumers. */
  readonly unused: number[] = [];
  readonly classes: number[] = [];
  readonly capacities: number[] = [];
  private readonly numbers = new Map<Block, Map<number, number>>();
  /** By provider and class: what a unit consumes. */
  private readonly consumed: Map<number, readonly ConsumedCounter[]>[];

  private constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.consumed = anchor.providers.map(() => new Map<number, readonly ConsumedCounter[]>());
  }

  /**
   * Returns null also if no two amounts of one candidate can meet in a counter, and no max_unit is below the capacity of its
   * counter: free amounts then tell what fits.
   */
  static at(plan: Plan, anchor: Anchor): AnchorCounters | null {
    if (!plan.checksCounters) return null;
    const isNeeded = mayMeet(plan.variables) || anchor.partitions !== null || hasLimitedCounter(plan, anchor);
    return isNeeded ? AnchorCounters.of(plan, anchor) : null;
  }

  static of(plan: Plan, anchor: Anchor): AnchorCounters | null {
    if (anchor.providers.every(({ block }) => block.consumption === null)) return null;
    const counters = new AnchorCounters(plan, anchor);
    const classes = new Set(
      plan.variables.flatMap(({ resources }) => resources.map((each) => each.resourceClass)),
    );
    for (const provider of anchor.providers.keys())
      for (const resourceClass of classes) counters.add(provider, resourceClass);
    return counters.free.length === 0 ? null : counters;
  }

  private add(provider: number, resourceClass: number): void {
    const { block, row } = this.anchor.providers[provider];
    const at = block.consumption === null ? -1 : inventoryAt(block, row, resourceClass);
    const counted = at < 0 ? [] : countersOf(block, at);
    if (counted.length === 0) return;
    const consumed = counted.map(({ counter, amount }) => ({
      counter: this.numberOf(block, counter),
      amount,
    }));
    this.consumed[provider].set(resourceClass, consumed);
  }

  private numberOf(block: Block, at: number): number {
    let numbers = this.numbers.get(block);
    if (numbers === undefined) this.numbers.set(block, (numbers = new Map<number, number>()));
    let number = numbers.get(at);
    if (number === undefined) {
      const unused = at < 0 ? 0 : Math.max(0, freeAt(block, at));
      number = this.unused.push(unused) - 1;
      this.free.push(at < 0 ? 0 : Math.min(unused, block.maxUnits[at]));
      this.classes.push(at < 0 ? -1 : block.classes[at]);
      this.capacities.push(at < 0 ? 0 : block.capacities[at]);
      numbers.set(at, number);
    }
    return number;
  }

  /** Returns the counters that a provider consumes; null after the last provider. */
  countersAt(provider: number): readonly number[] | null {
    if (provider >= this.consumed.length) return null;
    return [...this.consumed[provider].values()].flat().map(({ counter }) => counter);
  }

  /** Returns what a provider consumes, by class. */
  consumptionOf(provider: number): ReadonlyMap<number, readonly ConsumedCounter[]> {
    return this.consumed[provider];
  }

  /** Calls `count` with the amount of each counter that a value of a variable consumes. */
  each(variable: number, value: number, count: (counter: number, amount: number) => void): void {
    const { resources } = this.plan.variables[variable];
    const parts = partsOf(this.anchor, value);
    if (parts === undefined) {
      for (const { resourceClass, amount } of resources) this.eachOf(value, resourceClass, amount, count);
    } else {
      const [{ resourceClass }] = resources;
      for (const { provider, amount } of parts) this.eachOf(provider, resourceClass, amount, count);
    }
  }

  private eachOf(
    provider: number,
    resourceClass: number,
    units: number,
    count: (counter: number, amount: number) => void,
  ): void {
    for (const { counter, amount } of this.consumed[provider].get(resourceClass) ?? [])
      count(counter, units * amount);
  }
}

/** Returns whether the max_unit of a counter that the request consumes is below its capacity. */
function hasLimitedCounter({ variables }: Plan, { providers }: Anchor): boolean {
  return providers.some(({ block, row }) => {
    if (block.consumption === null) return false;
    const isLimited = ({ counter }: { readonly counter: number }): boolean =>
      counter >= 0 && block.maxUnits[counter] < block.capacities[counter];
    return variables.some(({ resources }) =>
      resources.some(({ resourceClass }) => {
        const at = inventoryAt(block, row, resourceClass);
        return at >= 0 && countersOf(block, at).some(isLimited);
      }),
    );
  });
}

/** Returns whether two amounts can meet in a counter. */
export function mayMeet(variables: readonly Variable[]): boolean {
  return variables.length > 1 || variables[0].resources.length > 1 || variables[0].canSplit;
}

/** The amounts of each counter that all variables consume together fit its free amount and max_unit. */
export class SharedCounters implements Constraint {
  private readonly sums: Float64Array;

  constructor(private readonly counters: AnchorCounters) {
    this.sums = new Float64Array(counters.free.length);
  }

  add(variable: number, value: number): boolean {
    let fits = true;
    this.counters.each(variable, value, (counter, amount) => {
      this.sums[counter] += amount;
      fits &&= this.sums[counter] <= this.counters.free[counter];
    });
    if (!fits) this.remove(variable, value);
    return fits;
  }

  remove(variable: number, value: number): void {
    this.counters.each(variable, value, (counter, amount) => (this.sums[counter] -= amount));
  }
}

/**
 * Returns a check that compares the sum that all variables need at least with the free sum: of the counters of each
 * class, and of all counters of capacity 1, such as the positions of memory slices.
 */
export function counterCheck(
  plan: Plan,
  anchor: Anchor,
  counters: AnchorCounters,
): (assigned: ArrayLike<number>) => boolean {
  const { frees, least, needOf } = counterSums(plan, anchor, counters, counters.free);
  return (assigned) =>
    frees.every((amount, set) => {
      let sum = 0;
      for (let variable = 0; variable < least.length; variable++)
        sum += assigned[variable] < 0 ? least[variable][set] : needOf(variable, assigned[variable])[set];
      return sum <= amount;
    });
}

/** Returns an upper bound of the number of candidates that the free sums of counters can take together. */
export function counterBound(plan: Plan, anchor: Anchor): number {
  const counters = AnchorCounters.of(plan, anchor);
  if (counters === null) return Infinity;
  const { frees, least } = counterSums(plan, anchor, counters, counters.unused);
  return frees.reduce((bound, free, set) => {
    const need = least.reduce((sum, needs) => sum + needs[set], 0);
    return need === 0 ? bound : Math.min(bound, Math.floor(free / need));
  }, Infinity);
}

/** By set of counters: the free sum, and by variable the sum that its values need at least. */
function counterSums(plan: Plan, { domains }: Anchor, counters: AnchorCounters, free: readonly number[]) {
  const { classes, capacities } = counters;
  const sets = [...new Set(classes)].map((each) => classes.map((own) => own === each));
  sets.push(capacities.map((capacity) => capacity === 1));
  const frees = sets.map((has) => free.reduce((sum, amount, at) => sum + (has[at] ? amount : 0), 0));
  const needOf = (variable: number, value: number): number[] => {
    const needs = sets.map(() => 0);
    counters.each(variable, value, (counter, amount) =>
      sets.forEach((has, set) => (needs[set] += has[counter] ? amount : 0)),
    );
    return needs;
  };
  const least = plan.variables.map((_, variable) => {
    const needs = domains[variable].map((value) => needOf(variable, value));
    // an open domain of parts may grow
    if (needs.length === 0 || plan.variables[variable].canSplit) return sets.map(() => 0);
    return sets.map((_set, set) => needs.reduce((some, need) => Math.min(some, need[set]), Infinity));
  });
  return { frees, least, needOf };
}

/** Sets of providers of an anchor that share counters with each other, but with no other set: the cards of a host. */
export class CounterSets {
  /** By provider: its set, and its position in it. Undefined: it consumes no counter. */
  private readonly places: (readonly [set: number, position: number] | undefined)[];
  private readonly members: readonly (readonly number[])[];
  private readonly kinds: (string | undefined)[] = [];

  constructor(private readonly counters: AnchorCounters) {
    const setOf = counters.free.map((_, counter) => counter);
    const top = (counter: number): number => {
      while (setOf[counter] !== counter) counter = setOf[counter];
      return counter;
    };
    const firsts: number[] = [];
    for (let provider = 0; ; provider++) {
      const consumed = counters.countersAt(provider);
      if (consumed === null) break;
      firsts.push(consumed[0] ?? -1);
      for (const counter of consumed) setOf[top(counter)] = top(consumed[0]);
    }
    const sets = new Map<number, number[]>();
    firsts.forEach((first, provider) => {
      if (first >= 0) addToGroup(sets, top(first), provider);
    });
    this.members = [...sets.values()];
    this.places = firsts.map(() => undefined);
    this.members.forEach((members, set) =>
      members.forEach((provider, position) => (this.places[provider] = [set, position])),
    );
  }

  placeOf(provider: number): readonly [set: number, position: number] | undefined {
    return this.places[provider];
  }

  /** Returns a text that is equal for sets whose providers can be exchanged in their order. */
  kindOf(set: number, providerKey: (provider: number) => string): string {
    return (this.kinds[set] ??= this.describe(this.members[set], providerKey));
  }

  private describe(members: readonly number[], providerKey: (provider: number) => string): string {
    const positions = new Map<number, number>();
    const positionOf = (counter: number): number => {
      const known = positions.get(counter) ?? positions.size;
      positions.set(counter, known);
      return known;
    };
    const texts = members.map((provider) => {
      const consumed = [...this.counters.consumptionOf(provider)].map(
        ([resourceClass, all]) =>
          `${resourceClass}=${all.map(({ counter, amount }) => `${positionOf(counter)}*${amount}`).join('+')}`,
      );
      return `${providerKey(provider)}/${consumed.join(',')}`;
    });
    const free = Array.from(positions.keys(), (counter) => this.counters.free[counter]);
    return `{${texts.join('|')}}${free.join()}`;
  }
}

/** Returns whether a class is a counter of any provider, so that it cannot be requested. */
export function isCounterClass(blocks: readonly Block[], resourceClass: number): boolean {
  return blocks.some(
    (block) => block.index.classes.has(resourceClass) && counterClassesOf(block).has(resourceClass),
  );
}

type Consumptions = NonNullable<Block['consumption']>;
/** The classes of the counters of a block. A change of usage keeps both columns. */
const counterClasses = new WeakMap<
  Consumptions,
  { readonly classes: Block['classes']; readonly counters: ReadonlySet<number> }
>();

function counterClassesOf({ consumption, classes, treeStarts, inventoryStarts }: Block): ReadonlySet<number> {
  if (consumption === null) return new Set();
  const known = counterClasses.get(consumption);
  if (known?.classes === classes) return known.counters;
  const counters = new Set<number>();
  for (const [tree, own] of consumption.entries()) {
    const base = inventoryStarts[treeStarts[tree]];
    for (let at = 0; own !== null && at + 1 < own.userStarts.length; at++)
      if (own.userStarts[at + 1] > own.userStarts[at]) counters.add(classes[base + at]);
  }
  counterClasses.set(consumption, { classes, counters });
  return counters;
}
