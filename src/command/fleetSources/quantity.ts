/** The suffixes of quantities of Kubernetes, as powers of 2 or of 10. */
const BINARY: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** A fraction of integers. */
export interface Quantity {
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

/** Reads a quantity of Kubernetes exactly. Returns null if it is none: `1K` and `1ki` are none, `.5`, `5.` and `1e3` are. */
export function readQuantity(text: string): Quantity | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]?|[eE][+-]?\d{1,3})$/.exec(text);
  if (match === null || text.length > 100) return null;
  const [, sign, whole, decimals = '', suffix] = match;
  if (whole + decimals === '') return null;
  const digits = BigInt(whole + decimals) * (sign === '-' ? -1n : 1n);
  const binary = BINARY[suffix];
  if (binary !== undefined)
    return { numerator: digits << binary, denominator: 10n ** BigInt(decimals.length) };
  const power = (DECIMAL[suffix] ?? Number(suffix.slice(1))) - decimals.length;
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
}

/** Divides a quantity by a unit and rounds down, or up. */
export function inUnits(
  { numerator, denominator }: Quantity,
  unit: Quantity,
  round: 'down' | 'up' = 'down',
): bigint {
  const above = numerator * unit.denominator;
  const below = denominator * unit.numerator;
  const floor = above / below - (above < 0n && above % below !== 0n ? 1n : 0n);
  return round === 'up' && above % below !== 0n ? floor + 1n : floor;
}

export function sum(one: Quantity, other: Quantity): Quantity {
  return {
    numerator: one.numerator * other.denominator + other.numerator * one.denominator,
    denominator: one.denominator * other.denominator,
  };
}

export function isAbove(one: Quantity, other: Quantity): boolean {
  return one.numerator * other.denominator > other.numerator * one.denominator;
}

export const whole = (numerator: bigint): Quantity => ({ numerator, denominator: 1n });
