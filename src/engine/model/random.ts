// Deterministic pseudo-random numbers: the engine has no other source of randomness.

/** Returns a well-mixed unsigned 32-bit hash of two integers. */
export function mix(a: number, b: number): number {
  let x = (a ^ Math.imul(b, 0x9e3779b1)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * A seeded permutation of 0..size-1 in constant memory and time: a Feistel network on the next power of
 * four, applied until the result is below size (cycle walking).
 */
export class Permutation {
  private readonly halfBits: number;
  private readonly halfMask: number;
  private readonly keys: readonly number[];

  constructor(
    private readonly size: number,
    seed: number,
  ) {
    let halfBits = 1;
    while (2 ** (2 * halfBits) < size) halfBits++;
    this.halfBits = halfBits;
    this.halfMask = 2 ** halfBits - 1;
    this.keys = [1, 2, 3, 4].map((round) => mix(seed, round));
  }

  at(position: number): number {
    let value = position;
    do {
      value = this.shuffle(value);
    } while (value >= this.size);
    return value;
  }

  private shuffle(value: number): number {
    let left = Math.floor(value / (this.halfMask + 1));
    let right = value & this.halfMask;
    for (const key of this.keys) {
      const next = left ^ (mix(right, key) & this.halfMask);
      left = right;
      right = next;
    }
    return left * 2 ** this.halfBits + right;
  }
}
