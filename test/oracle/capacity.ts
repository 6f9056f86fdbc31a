import type { InventoryRecord } from '../support/forest.js';

const MOST = 2n ** 53n - 1n;

/**
 * Capacity by decision D2, in exact decimal arithmetic: floor((total - reserved) * ratio), the ratio being the
 * shortest decimal that the single-precision column would hold, saturating at 2^53-1.
 */
export function capacity({ total, reserved, allocation_ratio }: InventoryRecord): number {
  const { digits, scale } = decimal(allocation_ratio);
  const product = BigInt(total - reserved) * digits;
  const exact = scale >= 0 ? product * 10n ** BigInt(scale) : floorDivide(product, 10n ** BigInt(-scale));
  return Number(exact > MOST ? MOST : exact);
}

/** Decision D23: an inventory of which all is reserved may be used up to its total. */
export function allowedUsage(inventory: InventoryRecord): number {
  return inventory.reserved === inventory.total ? inventory.total : capacity(inventory);
}

const decimals = new Map<number, { digits: bigint; scale: number }>();

/** Returns the ratio as digits x 10^scale. Caches it, because the same few ratios recur. */
function decimal(ratio: number): { digits: bigint; scale: number } {
  const known = decimals.get(ratio);
  if (known) return known;
  const [mantissa, exponent] = shortestSingle(ratio).split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const read = { digits: BigInt(whole + fraction), scale: Number(exponent) - fraction.length };
  decimals.set(ratio, read);
  return read;
}

function shortestSingle(ratio: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = ratio.toExponential(digits - 1);
    if (Math.fround(Number(text)) === Math.fround(ratio)) return text;
  }
  return ratio.toExponential(8);
}

function floorDivide(product: bigint, divisor: bigint): bigint {
  const rest = ((product % divisor) + divisor) % divisor;
  return (product - rest) / divisor;
}

/** Decision D1: an amount within min and max that is min_unit itself or a multiple of step_size. */
export function unitsAllow(amount: number, { min_unit, max_unit, step_size }: InventoryRecord): boolean {
  return min_unit <= amount && amount <= max_unit && (amount === min_unit || amount % step_size === 0);
}
