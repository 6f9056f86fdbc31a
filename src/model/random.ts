// Deterministic pseudo-random numbers: the engine has no other source of randomness.

/** Returns a well-mixed unsigned 32-bit hash of two integers. */
export function mix(a: number, b: number): number {
  let x = (a ^ Math.imul(b, 0x9e3779b1)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * Returns a seeded permutation of 0..size-1 in constant memory and time: a Feistel network on the next power
 * of four, applied until the result is below size (cycle walking).
 */
export function permutation(size: number, seed: number): (position: number) => number {
  const halfBits = Math.max(1, Math.ceil(Math.log2(size) / 2));
  const halfMask = 2 ** halfBits - 1;
  const keys = [1, 2, 3, 4].map((round) => mix(seed, round));
  const shuffle = (value: number): number => {
    let left = Math.floor(value / (halfMask + 1));
    let right = value & halfMask;
    for (const key of keys) {
      const next = left ^ (mix(right, key) & halfMask);
      left = right;
      right = next;
    }
    return left * 2 ** halfBits + right;
  };
  return (position) => {
    let value = shuffle(position);
    while (value >= size) value = shuffle(value);
    return value;
  };
}
