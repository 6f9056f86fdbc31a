import { SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import { capacity, unitsAllow } from './capacity.js';

/** A forest with the relations that the rules use. Providers are compared by identity. */
export class ProviderRelations {
  readonly providers: readonly ProviderRecord[];
  readonly #byName = new Map<string, ProviderRecord>();
  readonly #upwards = new Map<ProviderRecord, readonly ProviderRecord[]>();
  readonly #used = new Map<string, number>();
  readonly #allocations: Forest['allocations'];

  constructor(forest: Forest) {
    this.providers = forest.providers;
    this.#allocations = forest.allocations;
    for (const provider of forest.providers) {
      const parent = provider.parent === null ? undefined : this.#byName.get(provider.parent);
      this.#byName.set(provider.name, provider);
      this.#upwards.set(provider, parent ? [provider, ...this.upwards(parent)] : [provider]);
    }
    for (const { provider, resourceClass, used } of forest.allocations) {
      const key = `${provider} ${resourceClass}`;
      this.#used.set(key, (this.#used.get(key) ?? 0) + used);
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
    return this.providers.filter((provider) => provider.parent === null);
  }

  tree(root: ProviderRecord): ProviderRecord[] {
    return this.providers.filter((provider) => this.root(provider) === root);
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
    return this.#used.get(`${provider.name} ${resourceClass}`) ?? 0;
  }

  /** Returns the free capacity, or 0 without an inventory. */
  free(provider: ProviderRecord, resourceClass: string): number {
    const inventory = provider.inventories[resourceClass];
    return inventory === undefined ? 0 : capacity(inventory) - this.used(provider, resourceClass);
  }

  /** Rule 25 with decisions D1 and D2. */
  fits(provider: ProviderRecord, resourceClass: string, amount: number): boolean {
    const inventory = provider.inventories[resourceClass];
    return (
      inventory !== undefined &&
      unitsAllow(amount, inventory) &&
      this.used(provider, resourceClass) + amount <= capacity(inventory)
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
