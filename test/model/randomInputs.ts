import type { Random } from '../oracle/random.js';
import { uuidOf } from '../support/forest.js';
import type { InventoryInput } from './inputs.js';
import { COUNTER, type ModelProvider, type State } from './state.js';

const several = (count: number, make: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => make(n));

const NAMES = several(9, (n) => `p${n}`);
export const PROVIDERS = several(10, (n) => uuidOf('provider', `p${n}`));
export const CONSUMERS = several(6, (n) => uuidOf('consumer', `c${n}`));
export const AGGREGATES = several(2, (n) => uuidOf('aggregate', `a${n}`));
export const CLASSES = ['VCPU', 'MEMORY_MB', 'CUSTOM_A', 'CUSTOM_B'];
export const TRAITS = ['HW_CPU_X86_AVX', 'MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_GOLD', 'CUSTOM_SILVER'];
export const PROJECTS = ['project-1', 'project-2'];
export const USERS = ['user-1', 'user-2'];
export const TYPES = ['INSTANCE', 'MIGRATION'];

/** Draws mostly existing objects, and sometimes missing ones. */
export class RandomInputs {
  constructor(
    readonly random: Random,
    readonly state: State,
  ) {}

  provider(): string {
    const live = [...this.state.providers.keys()];
    return live.length > 0 && this.random.chance(96) ? this.random.pick(live) : this.random.pick(PROVIDERS);
  }

  /** Returns mostly a provider that passes the test, otherwise any provider. */
  providerThat(test: (provider: ModelProvider) => boolean): string {
    const fit = [...this.state.providers.values()].filter(test);
    return fit.length > 0 && this.random.chance(65) ? this.random.pick(fit).uuid : this.provider();
  }

  generation(uuid: string): number {
    const current = this.state.providers.get(uuid)?.generation ?? 0;
    return this.random.chance(95) ? current : current + this.random.pick([-1, 1]);
  }

  name(): string {
    const taken = new Set([...this.state.providers.values()].map(({ name }) => name));
    const free = NAMES.filter((name) => !taken.has(name));
    if (this.random.chance(2)) return '';
    return free.length > 0 && this.random.chance(85) ? this.random.pick(free) : this.random.pick(NAMES);
  }

  /** Returns mostly an existing name. */
  known(names: readonly string[], custom: ReadonlySet<string>): string {
    const known = names.filter((name) => !name.startsWith('CUSTOM_') || custom.has(name));
    return this.random.pick(this.random.chance(97) ? known : names);
  }

  traits(): string[] {
    const { random, state } = this;
    return this.list(
      random
        .some(TRAITS, 45)
        .filter((name) => state.traits.has(name) || !name.startsWith('CUSTOM_') || random.chance(3)),
    );
  }

  aggregates(): string[] {
    return this.list(this.random.some(AGGREGATES, 50));
  }

  offers(): InventoryInput[] {
    const { random, state } = this;
    const names = random
      .some(CLASSES, 55)
      .filter((name) => state.classes.has(name) || !name.startsWith('CUSTOM_') || random.chance(2));
    const hasCounter = state.classes.has(COUNTER) && random.chance(50);
    const offers = names.map((name) => this.offer(name, hasCounter));
    return this.list(hasCounter ? [...offers, this.counter()] : offers);
  }

  /** Returns the inventory of a counter. */
  counter(): InventoryInput {
    const total = this.random.between(2, 12);
    const units = { minUnit: 1, maxUnit: 2147483647, stepSize: 1 };
    return { resourceClass: COUNTER, total, reserved: 0, ...units, allocationRatio: 1, consumes: 0 };
  }

  /** @param hasCounter whether the provider has a counter after the write */
  offer(resourceClass = this.known(CLASSES, this.state.classes), hasCounter = false): InventoryInput {
    const { random } = this;
    const total = random.chance(99) ? random.between(2, 12) : 0;
    return {
      resourceClass,
      total,
      reserved: random.chance(80) ? 0 : random.chance(95) ? random.between(0, total) : total + 1,
      minUnit: random.chance(80) ? 1 : random.between(1, 4),
      maxUnit: random.chance(80) ? 2147483647 : random.between(2, 8),
      stepSize: random.chance(80) ? 1 : random.between(2, 3),
      allocationRatio: random.chance(70)
        ? 1
        : random.pick(random.chance(97) ? [0.7, 1.5, 2, 1.1] : [0, -0.1]),
      consumes: hasCounter && random.chance(60) ? random.between(1, 3) : 0,
    };
  }

  /** Returns the list, rarely with its first member twice. */
  list<T>(members: T[]): T[] {
    return members.length > 0 && this.random.chance(1) ? [...members, members[0]] : members;
  }
}
