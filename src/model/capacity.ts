/** Amounts saturate here, so that every capacity and sum is an exact JSON number (decision D2). */
export const LARGEST_AMOUNT = Number.MAX_SAFE_INTEGER;

/** The largest total, reserved, unit or step size of an inventory (rule 12). */
export const LARGEST_INTEGER = 2147483647;

/**
 * Returns the shortest decimal that rounds to the same single-precision number (decision D2): 0.7 for
 * 0.699999988079071.
 */
export function shortestDecimal(single: number): number {
  const wanted = Math.fround(single);
  for (let precision = 1; precision <= 9; precision++) {
    const decimal = Number(wanted.toPrecision(precision));
    if (Math.fround(decimal) === wanted) return decimal;
  }
  return wanted;
}

function decimalOf(ratio: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa, exponent] = shortestDecimal(ratio).toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/**
 * Returns floor((total - reserved) * allocationRatio) in exact decimal arithmetic, saturating at 2^53-1
 * (decision D2; rules 20, 21, 24). The ratio is the stored single-precision number or its decimal.
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
 * Returns the largest usage that is not over capacity (decision D23): the total of an inventory that is reserved
 * whole, as OpenStack Compute reserves bare-metal nodes in use; else the capacity.
 */
export function allowedUsageOf(total: number, reserved: number, allocationRatio: number): number {
  return reserved === total ? total : capacityOf(total, reserved, allocationRatio);
}

/**
 * Returns whether an amount is between minUnit and maxUnit, and minUnit itself or a multiple of stepSize
 * (decision D1).
 */
export function unitsFit(amount: number, minUnit: number, maxUnit: number, stepSize: number): boolean {
  return amount >= minUnit && amount <= maxUnit && (amount === minUnit || amount % stepSize === 0);
}

/** Returns the free amount, which is negative if the inventory is overused. */
export function freeOf({ capacity, used }: { readonly capacity: number; readonly used: number }): number {
  return capacity - used;
}

/** Returns the sum of two amounts, saturating at 2^53-1 (decision D2). */
export function saturatingSum(one: number, other: number): number {
  return Math.min(one + other, LARGEST_AMOUNT);
}

/** Returns null if the capacity is 0. */
export function utilizationOf({
  capacity,
  used,
}: {
  readonly capacity: number;
  readonly used: number;
}): number | null {
  return capacity === 0 ? null : used / capacity;
}
