import type { Dice } from '../oracle/random.js';
import { uuidOf } from '../support/forest.js';
import type { InventoryInput } from './inputs.js';
import type { ModelProvider, State } from './state.js';

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

/** Throws the dice over what is there, and now and then over what is not. */
export class Choice {
  constructor(
    readonly dice: Dice,
    readonly state: State,
  ) {}

  provider(): string {
    const live = [...this.state.providers.keys()];
    return live.length > 0 && this.dice.chance(96) ? this.dice.pick(live) : this.dice.pick(PROVIDERS);
  }

  /** One of those that the test is true of, mostly; else any. */
  providerThat(test: (provider: ModelProvider) => boolean): string {
    const fit = [...this.state.providers.values()].filter(test);
    return fit.length > 0 && this.dice.chance(65) ? this.dice.pick(fit).uuid : this.provider();
  }

  generation(uuid: string): number {
    const current = this.state.providers.get(uuid)?.generation ?? 0;
    return this.dice.chance(95) ? current : current + this.dice.pick([-1, 1]);
  }

  name(): string {
    const taken = new Set([...this.state.providers.values()].map(({ name }) => name));
    const free = NAMES.filter((name) => !taken.has(name));
    if (this.dice.chance(2)) return '';
    return free.length > 0 && this.dice.chance(85) ? this.dice.pick(free) : this.dice.pick(NAMES);
  }

  /** A name that exists, mostly. */
  known(names: readonly string[], custom: ReadonlySet<string>): string {
    const known = names.filter((name) => !name.startsWith('CUSTOM_') || custom.has(name));
    return this.dice.pick(this.dice.chance(97) ? known : names);
  }

  traits(): string[] {
    const { dice, state } = this;
    return this.list(
      dice
        .some(TRAITS, 45)
        .filter((name) => state.traits.has(name) || !name.startsWith('CUSTOM_') || dice.chance(3)),
    );
  }

  aggregates(): string[] {
    return this.list(this.dice.some(AGGREGATES, 50));
  }

  offers(): InventoryInput[] {
    const { dice, state } = this;
    return this.list(
      dice
        .some(CLASSES, 55)
        .filter((name) => state.classes.has(name) || !name.startsWith('CUSTOM_') || dice.chance(2))
        .map((name) => this.offer(name)),
    );
  }

  offer(resourceClass = this.known(CLASSES, this.state.classes)): InventoryInput {
    const { dice } = this;
    const total = dice.chance(99) ? dice.between(2, 12) : 0;
    return {
      resourceClass,
      total,
      reserved: dice.chance(80) ? 0 : dice.chance(95) ? dice.between(0, total) : total + 1,
      minUnit: dice.chance(80) ? 1 : dice.between(1, 4),
      maxUnit: dice.chance(80) ? 2147483647 : dice.between(2, 8),
      stepSize: dice.chance(80) ? 1 : dice.between(2, 3),
      allocationRatio: dice.chance(70) ? 1 : dice.pick(dice.chance(97) ? [0.7, 1.5, 2, 1.1] : [0, -0.1]),
    };
  }

  /** Hardly ever with its first member twice. */
  list<T>(members: T[]): T[] {
    return members.length > 0 && this.dice.chance(1) ? [...members, members[0]] : members;
  }
}
