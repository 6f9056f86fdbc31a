import { SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import { capacity, unitsAllow } from './capacity.js';

/** Amounts of classes by the uuids of providers. */
export type Amounts = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** A forest with the relations that the rules use. Providers are compared by identity. */
export class ProviderRelations {
  readonly providers: readonly ProviderRecord[];
  readonly #byName = new Map<string, ProviderRecord>();
  readonly #upwards = new Map<ProviderRecord, readonly ProviderRecord[]>();
  readonly #used = new Map<ProviderRecord, Record<string, number>>();
  readonly #free = new Map<ProviderRecord, Record<string, number>>();
  readonly #trees = new Map<ProviderRecord, ProviderRecord[]>();
  readonly #allocations: Forest['allocations'];
  readonly #byUuid: ReadonlyMap<string, ProviderRecord>;
  /** By the uuid and class of a counter: its consumers. */
  readonly #users = new Map<string, { user: ProviderRecord; resourceClass: string; amount: number }[]>();

  constructor(forest: Forest) {
    this.providers = forest.providers;
    this.#allocations = forest.allocations;
    this.#byUuid = new Map(forest.providers.map((provider) => [provider.uuid, provider]));
    for (const user of forest.providers)
      for (const [resourceClass, counters] of Object.entries(user.consumes ?? {}))
        for (const { provider, resourceClass: counter, amount } of counters) {
          const key = `${provider} ${counter}`;
          this.#users.set(key, [...(this.#users.get(key) ?? []), { user, resourceClass, amount }]);
        }
    for (const provider of forest.providers) {
      const parent = provider.parent === null ? undefined : this.#byName.get(provider.parent);
      this.#byName.set(provider.name, provider);
      this.#upwards.set(provider, parent ? [provider, ...this.upwards(parent)] : [provider]);
      this.#used.set(provider, {});
      const tree = this.#trees.get(this.root(provider));
      if (tree === undefined) this.#trees.set(provider, [provider]);
      else tree.push(provider);
    }
    for (const { provider, resourceClass, used } of forest.allocations) {
      const sums = this.#used.get(this.#byName.get(provider)!)!;
      sums[resourceClass] = (sums[resourceClass] ?? 0) + used;
    }
  }

  named(name: string): ProviderRecord | undefined {
    return this.#byName.get(name);
  }

  /** Returns the provider itself, its parent, and so on to the root. */
  upwards(provider: ProviderRecord): readonly ProviderRecord[] {
    return this.#upwards.get(provider)!;
  }

  root(provider: ProviderRecord): ProviderRecord {
    return this.upwards(provider).at(-1)!;
  }

  roots(): ProviderRecord[] {
    return [...this.#trees.keys()];
  }

  tree(root: ProviderRecord): readonly ProviderRecord[] {
    return this.#trees.get(root)!;
  }

  /** Rules 73 and 144: a sharing provider serves the tree in which some provider is in one of its aggregates. */
  sharesWith(provider: ProviderRecord, root: ProviderRecord): boolean {
    return (
      provider.traits.includes(SHARING) &&
      this.tree(root).some((member) => meets(member.aggregates, provider.aggregates))
    );
  }

  /** Returns the consumers of the tree's providers that are not sharing. */
  consumersIn(root: ProviderRecord): string[] {
    const own = this.tree(root).filter(({ traits }) => !traits.includes(SHARING));
    const names = new Set(own.map(({ name }) => name));
    return this.#allocations.filter(({ provider }) => names.has(provider)).map(({ consumer }) => consumer);
  }

  used(provider: ProviderRecord, resourceClass: string): number {
    return this.#used.get(provider)![resourceClass] ?? 0;
  }

  /** Returns the free capacity, or 0 without an inventory. */
  free(provider: ProviderRecord, resourceClass: string): number {
    const inventory = provider.inventories[resourceClass];
    if (inventory === undefined) return 0;
    let amounts = this.#free.get(provider);
    if (amounts === undefined) this.#free.set(provider, (amounts = {}));
    return (amounts[resourceClass] ??= this.#unused(provider, resourceClass));
  }

  /** Returns what is free once more amounts are allocated, by provider and class. Counters are among them. */
  freeAfter(provider: ProviderRecord, resourceClass: string, more: Amounts): number {
    return this.#unused(provider, resourceClass, more);
  }

  /** Returns what capacity, counters and the usage of partitions leave. Negative if overused. */
  #unused(provider: ProviderRecord, resourceClass: string, more?: Amounts): number {
    const implied = (this.#users.get(`${provider.uuid} ${resourceClass}`) ?? []).reduce(
      (sum, { user, resourceClass: partition, amount }) => sum + amount * this.used(user, partition),
      0,
    );
    const added = more?.get(provider.uuid)?.[resourceClass] ?? 0;
    const used = Math.max(implied, this.used(provider, resourceClass)) + added;
    const counters = (provider.consumes?.[resourceClass] ?? []).map((counter) => {
      const owner = this.#byUuid.get(counter.provider);
      if (owner?.inventories[counter.resourceClass] === undefined) return 0;
      return Math.floor(this.#unused(owner, counter.resourceClass, more) / counter.amount);
    });
    return Math.min(capacity(provider.inventories[resourceClass]) - used, ...counters);
  }

  /** Nothing is allocated from a counter directly. */
  isCounter(provider: ProviderRecord, resourceClass: string): boolean {
    return this.#users.has(`${provider.uuid} ${resourceClass}`);
  }

  /** A class that is a counter of any provider cannot be requested. */
  isCounterClass(resourceClass: string): boolean {
    return this.providers.some((provider) => this.isCounter(provider, resourceClass));
  }

  /** Returns whether amounts by uuid and class, counters included, leave no counter overused. */
  countersFit(allocations: Record<string, Record<string, number>>): boolean {
    return [...this.#users.keys()].every((key) => {
      const [uuid, resourceClass] = key.split(' ');
      const owner = this.#byUuid.get(uuid);
      const amount = allocations[uuid]?.[resourceClass] ?? 0;
      const inventory = owner?.inventories[resourceClass];
      if (amount === 0 || owner === undefined || inventory === undefined) return amount === 0;
      return amount <= this.#unused(owner, resourceClass) && amount <= inventory.max_unit;
    });
  }

  /** Returns whether the inventory itself has an amount. */
  fitsWithoutCounters(provider: ProviderRecord, resourceClass: string, amount: number): boolean {
    const inventory = provider.inventories[resourceClass];
    return (
      unitsAllow(amount, inventory) && amount <= capacity(inventory) - this.used(provider, resourceClass)
    );
  }

  /** Rule 25 with decisions D1 and D2. */
  fits(provider: ProviderRecord, resourceClass: string, amount: number): boolean {
    const inventory = provider.inventories[resourceClass];
    return (
      inventory !== undefined &&
      !this.isCounter(provider, resourceClass) &&
      unitsAllow(amount, inventory) &&
      amount <= this.free(provider, resourceClass)
    );
  }
}

/** Returns whether the two lists have a common element. */
export function meets(one: readonly string[], other: readonly string[]): boolean {
  return one.some((name) => other.includes(name));
}

/** Returns whether names satisfy an AND of ORs. */
export function satisfies(names: readonly string[], required: readonly (readonly string[])[]): boolean {
  return required.every((anyOf) => meets(names, anyOf));
}
