import { isUuid } from './uuid';

interface ClassAmount {
  readonly resourceClass: string;
  readonly amount: number;
}

const MAX_AMOUNT = 2 ** 31 - 1;
const BYTES = 'BKMGTP';

/**
 * Reads an amount of a class such as `VCPU:4`, `VCPU=4` or `MEMORY_MB:16G`. A size becomes an amount in the unit of the class.
 * Returns what is wrong with a malformed term.
 */
function parseAmount(term: string): ClassAmount | string {
  const [, resourceClass, text] = /^([^:=]+)[:=](.*)$/.exec(term) ?? [];
  if (resourceClass === undefined) return `"${term}" needs a resource class and an amount, such as VCPU:4.`;
  if (!/^[A-Z0-9_]+$/.test(resourceClass))
    return `"${resourceClass}" is no resource class: names have A-Z, 0-9 and _.`;
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([KMGTP])?(?:iB?)?$/.exec(text) ?? [];
  if (digits === undefined)
    return `"${text}" is no amount of ${resourceClass}: write 4 or a size such as 16G.`;
  const [, unitOfClass] = /_([KMGTP])B$/.exec(resourceClass) ?? [];
  if (unit !== undefined && unitOfClass === undefined)
    return `"${text}" is no amount of ${resourceClass}: only classes such as MEMORY_MB have sizes.`;
  const amount = Number(digits) * (unit ? 1024 ** (BYTES.indexOf(unit) - BYTES.indexOf(unitOfClass)) : 1);
  if (!Number.isInteger(amount) || amount > MAX_AMOUNT)
    return `"${text}" of ${resourceClass} must be a whole number of at most ${MAX_AMOUNT}${unit ? ` ${unitOfClass}B` : ''}.`;
  return { resourceClass, amount };
}

/** Returns what is wrong with an amount, or null. */
export function amountFault(term: string): string | null {
  const parsed = parseAmount(term);
  return typeof parsed === 'string' ? parsed : null;
}

/** Returns the well-formed amounts of terms. */
export const readAmounts = (terms: readonly string[]): ClassAmount[] =>
  terms.map(parseAmount).filter((parsed) => typeof parsed === 'object');

/** Returns the last amount of each class in the form `VCPU:4`. */
export function onePerClass(terms: readonly string[]): string[] {
  const amounts = new Map(readAmounts(terms).map(({ resourceClass, amount }) => [resourceClass, amount]));
  return Array.from(amounts, ([resourceClass, amount]) => `${resourceClass}:${amount}`);
}

/** The reference to the provider or the aggregate with this uuid or name. */
export const referenceTo = (text: string): { uuid: string } | { name: string } =>
  isUuid(text) ? { uuid: text } : { name: text };
