import { z } from 'zod';
import { isSecureUrl } from '../../authentication/secureUrl.js';

/** Kinds of settings. Each reads what a file has, and text, which is all that flags and variables have. */

const text = z.string().min(1);

/** Whatever is no text is taken as it is. */
const fromText = <T extends z.ZodType>(read: (value: string) => unknown, type: T) =>
  z.preprocess((value) => (typeof value === 'string' ? read(value) : value), type);

const toNumber = (value: string): unknown => (value.trim() === '' ? value : Number(value));

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return fromText(toNumber, z.number(message).int(message).min(least, message).max(most, message));
}

export function seconds(most: number) {
  const message = `must be a number of seconds above 0 and up to ${most}`;
  return fromText(toNumber, z.number(message).positive(message).max(most, message));
}

export function trueOrFalse() {
  const words: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };
  return fromText((value) => words[value] ?? value, z.boolean('must be true or false'));
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

export function path() {
  return text;
}

export function name() {
  return text;
}

/** Text has commas between the members. */
export function listOfText() {
  const members = (value: string): string[] => value.split(',').map((member) => member.trim());
  return fromText(members, z.array(text, 'must be a list of texts'));
}

/** One or more of these words. */
export function listOf<Word extends string>(words: readonly Word[]) {
  const message = `must be one or more of ${words.join(', ')}`;
  return listOfText().pipe(z.array(z.enum(words, message)).min(1, message));
}

/** An address whose answers can be trusted. */
export function secureUrl() {
  const message = 'must be an address with https://, or with http:// on this machine';
  return z.string(message).refine(isSecureUrl, message);
}

export function httpUrl() {
  const message = 'must be an address with https:// or http://';
  return z.string(message).refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), message);
}

export function databaseUrl() {
  const message = 'must look like mysql://user:password@host:3306/database';
  return z.string(message).regex(/^(mysql|mariadb):\/\//, message);
}
