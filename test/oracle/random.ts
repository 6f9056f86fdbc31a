/** A small pseudo-random generator (mulberry32): the same seed gives the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  /** True about `percent` times in a hundred. */
  chance(percent: number): boolean {
    return this.#next() * 100 < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)];
  }

  /** Returns each member with the same probability, in the order of the list. */
  some<T>(list: readonly T[], percent: number): T[] {
    return list.filter(() => this.chance(percent));
  }

  /** `count` different members, or all when there are fewer. */
  sample<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.between(0, left.length - 1), 1),
    ).flat();
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}
