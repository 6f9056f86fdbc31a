import { Failure } from '../connection/failure.js';

export interface Amount {
  readonly resourceClass: string;
  readonly amount: number;
}

/** `VCPU=2`, and several in one text with commas. */
export function readAmounts(text: string): Amount[] {
  return text.split(',').map((part) => {
    const [, resourceClass, amount] = /^(\w+)=(\d+)$/.exec(part.trim()) ?? [];
    if (resourceClass === undefined)
      throw Failure.usage(`"${part}" must be a resource class and an amount, such as VCPU=2`);
    return { resourceClass, amount: Number(amount) };
  });
}

/** `A,B`: one of several. */
export function readAlternatives(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** For options that may be repeated: each adds to what was there. */
export function collect<Value>(read: (text: string) => Value): (text: string, before?: Value[]) => Value[] {
  return (text, before = []) => [...before, read(text)];
}

export const asText = (text: string): string => text;

/** For options that are whole numbers. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
    throw Failure.usage(`"${text}" must be a whole number from ${least}`);
  };
}
