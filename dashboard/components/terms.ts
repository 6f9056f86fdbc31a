import { isUuid } from './uuid';

/** An amount of a class, as `VCPU:4` or `VCPU=4`. */
export const AMOUNT = /^[A-Z0-9_]+[:=]\d{1,10}$/;

/** Reads the class and the amount of a term. */
export function readAmount(term: string): { readonly resourceClass: string; readonly amount: number } {
  const [resourceClass, amount] = term.split(/[:=]/);
  return { resourceClass, amount: Number(amount) };
}

/** Returns the last amount of each class in the form `VCPU:4`. */
export function onePerClass(terms: readonly string[]): string[] {
  const amounts = new Map(terms.map(readAmount).map(({ resourceClass, amount }) => [resourceClass, amount]));
  return Array.from(amounts, ([resourceClass, amount]) => `${resourceClass}:${amount}`);
}

/** The reference to the provider or the aggregate with this uuid or name. */
export const referenceTo = (text: string): { uuid: string } | { name: string } =>
  isUuid(text) ? { uuid: text } : { name: text };
