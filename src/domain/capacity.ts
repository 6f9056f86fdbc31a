/** Amounts saturate here, so that every capacity and sum is an exact JSON number (decision D2). */
export const LARGEST_AMOUNT = Number.MAX_SAFE_INTEGER;

/** The largest total, reserved, unit or step size of an inventory (rule 12). */
export const LARGEST_INTEGER = 2147483647;

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const decimals = new Map<number, Decimal>();

/**
 * The shortest decimal that rounds to the same single-precision number: what a person wrote before a FLOAT
 * column stored it (decision D2). 0.699999988079071 gives 0.7.
 */
export function shortestDecimal(single: number): number {
  const wanted = Math.fround(single);
  for (let precision = 1; precision <= 9; precision++) {
    const decimal = Number(wanted.toPrecision(precision));
    if (Math.fround(decimal) === wanted) return decimal;
  }
  return wanted;
}

function decimalOf(ratio: number): Decimal {
  let decimal = decimals.get(ratio);
  if (decimal === undefined) {
    const [mantissa, exponent] = shortestDecimal(ratio).toExponential().split('e') as [string, string];
    const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
    decimal = { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
    if (decimals.size > 10_000) decimals.clear();
    decimals.set(ratio, decimal);
  }
  return decimal;
}

/**
 * How much of a resource class an inventory can hold: floor((total - reserved) * allocationRatio) in exact
 * decimal arithmetic, saturating at 2^53-1 (decision D2; rules 20, 21, 24). The ratio is the stored
 * single-precision number or the decimal it came from: both give the same. 10 at 0.7 is 7, 100 at 1.15 is
 * 115.
 */
export function capacityOf(total: number, reserved: number, allocationRatio: number): number {
  const amount = total - reserved;
  if (amount <= 0 || allocationRatio <= 0) return 0;
  if (Number.isInteger(allocationRatio) && allocationRatio < 1 << 21) return amount * allocationRatio;
  const { digits, exponent } = decimalOf(allocationRatio);
  const product = BigInt(amount) * digits;
  const capacity = exponent >= 0 ? product * 10n ** BigInt(exponent) : product / 10n ** BigInt(-exponent);
  return capacity > BigInt(LARGEST_AMOUNT) ? LARGEST_AMOUNT : Number(capacity);
}

/**
 * Whether one amount respects an inventory's units: between minUnit and maxUnit, and either minUnit itself
 * or a multiple of stepSize (decision D1, after the worked example of the base models spec).
 */
export function unitsFit(amount: number, minUnit: number, maxUnit: number, stepSize: number): boolean {
  return amount >= minUnit && amount <= maxUnit && (amount === minUnit || amount % stepSize === 0);
}

/** What is free of an inventory: negative where it was shrunk below what is used. */
export function freeOf({ capacity, used }: { readonly capacity: number; readonly used: number }): number {
  return capacity - used;
}

/** A sum of amounts, saturating at 2^53-1 (decision D2). */
export function saturatingSum(one: number, other: number): number {
  return Math.min(one + other, LARGEST_AMOUNT);
}

/** What share of a capacity is used; null where there is none. */
export function utilizationOf({
  capacity,
  used,
}: {
  readonly capacity: number;
  readonly used: number;
}): number | null {
  return capacity === 0 ? null : used / capacity;
}
